import { request } from 'node:http'
import { parseJson } from '../../json/json.ts'

export interface Question {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** One that may use the controls; the published one unless the server has its own. */
  readonly key?: string | undefined
  readonly body?: unknown
  /** For the whole of it. */
  readonly timeoutMs: number
  /** Told where the time was up: whoever listens there may only be busy. */
  readonly onLate?: () => void
}

export interface ServerAnswer {
  readonly status: number
  /** Undefined where it is no JSON. */
  readonly body: unknown
}

/** Whoever has the port by now may say anything. */
const LONGEST_ANSWER = 1024 * 1024

/** Asks a running server; undefined when nobody answers in time, or not in HTTP. */
export function askServer({
  url,
  method,
  path,
  key = 'sandbox_all',
  body,
  timeoutMs,
  onLate,
}: Question): Promise<ServerAnswer | undefined> {
  if (!url.startsWith('http:') || !URL.canParse(path, url)) return Promise.resolve(undefined)
  const text = body === undefined ? undefined : JSON.stringify(body)
  return new Promise((resolve) => {
    const asking = request(new URL(path, url), {
      method,
      agent: false,
      headers: {
        'x-api-key': key,
        ...(text === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
      },
    })
    const timer = setTimeout(() => {
      onLate?.()
      asking.destroy()
    }, timeoutMs)
    asking.on('error', () => undefined)
    asking.on('close', () => {
      clearTimeout(timer)
      resolve(undefined)
    })
    asking.on('response', (response) => {
      let received = ''
      response.setEncoding('utf8')
      response.on('error', () => undefined)
      response.on('data', (chunk: string) => {
        received += chunk
        if (received.length > LONGEST_ANSWER) asking.destroy()
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: readJson(received) }))
    })
    asking.end(text)
  })
}

function readJson(text: string): unknown {
  try {
    return parseJson(text, { duplicateKeys: 'last' })
  } catch {
    return undefined
  }
}
