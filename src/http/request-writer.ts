import { TransportFailure } from './transport-port.ts'
import type { WireRequest } from './transport-port.ts'

/** A request as it is written to a connection to `target`. */
export interface WrittenRequest {
  readonly target: URL
  readonly text: string
}

/**
 * Writes requests as text. What is the same in one request after the other (the same address, the same object of headers)
 * is written once.
 */
export function requestWriter(): (request: WireRequest) => WrittenRequest {
  let last: { readonly request: WireRequest; readonly target: URL; readonly head: string } | undefined
  return (request) => {
    const { method, url, headers, body } = request
    const isSame =
      last?.request.headers === headers &&
      last.request.url === url &&
      last.request.method === method &&
      (last.request.body === undefined) === (body === undefined)
    const { target, head } = last !== undefined && isSame ? last : (last = { request, ...begin(request) })
    return { target, text: body === undefined ? `${head}\r\n` : withBody(head, body) }
  }
}

const withBody = (head: string, body: string): string =>
  `${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

/** Names and values that cannot be taken for more than they are. */
const NAME = /^[!#$%&'*+.^_`|~\w-]+$/
const VALUE = /^[\t -~]*$/

function begin({ method, url, headers, body }: WireRequest): { target: URL; head: string } {
  if (!URL.canParse(url)) throw new TransportFailure('other', false, 'the URL is not valid')
  const target = new URL(url)
  const fields = { host: target.host, connection: 'keep-alive', ...headers }
  const lines = Object.entries(fields).map(([name, value]) => {
    if (!NAME.test(name) || !VALUE.test(value))
      throw new TransportFailure('other', false, `the header ${JSON.stringify(name)} cannot be sent`)
    return `${name}: ${value}\r\n`
  })
  if (!NAME.test(method)) throw new TransportFailure('other', false, 'the method cannot be sent')
  // A server that waits for a body has to be told that there is none.
  const isBodyMissing = body === undefined && ['POST', 'PUT', 'PATCH'].includes(method)
  const length = isBodyMissing ? 'content-length: 0\r\n' : ''
  return {
    target,
    head: `${method} ${target.pathname}${target.search} HTTP/1.1\r\n${lines.join('')}${length}`,
  }
}
