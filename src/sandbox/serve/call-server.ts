import { once } from 'node:events'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { jsonOrUndefined } from '../../json/json.ts'

interface ServerCall {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** A key that may use the controls; the published one unless the server has its own keys. */
  readonly key?: string | undefined
  readonly body?: unknown
  /** The time for the whole call. */
  readonly timeoutMs: number
  /** Called on a timeout: the server may just be busy. */
  readonly onTimeout?: () => void
}

interface ReceivedResponse {
  readonly status: number
  /** The parsed body; undefined if it isn't JSON. */
  readonly body: unknown
}

/** The longest response to read: another program may own the port and send anything. */
const MAX_RESPONSE_LENGTH = 1024 * 1024

/** Calls a running server; undefined if there is no valid HTTP response in time. */
export async function callServer({
  url,
  method,
  path,
  key = 'sandbox_all',
  body,
  timeoutMs,
  onTimeout,
}: ServerCall): Promise<ReceivedResponse | undefined> {
  if (!url.startsWith('http:') || !URL.canParse(path, url)) return undefined
  const text = body === undefined ? '' : JSON.stringify(body)
  const headers = {
    'x-api-key': key,
    'content-length': Buffer.byteLength(text),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  }
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const sending = request(new URL(path, url), { method, agent: false, headers, signal })
    sending.on('error', () => undefined)
    sending.end(text)
    const [response]: IncomingMessage[] = await once(sending, 'response')
    if (response === undefined) return undefined
    let received = ''
    for await (const chunk of response.setEncoding('utf8')) {
      received += chunk
      if (received.length > MAX_RESPONSE_LENGTH) return undefined
    }
    return { status: response.statusCode ?? 0, body: jsonOrUndefined(received) }
  } catch {
    if (signal.aborted) onTimeout?.()
    return undefined
  }
}
