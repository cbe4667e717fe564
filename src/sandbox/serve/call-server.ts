import { once } from 'node:events'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { parseJson } from '../../json/json.ts'

export interface ServerCall {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** One that may use the controls; the published one unless the server has its own. */
  readonly key?: string | undefined
  readonly body?: unknown
  /** For the whole of it. */
  readonly timeoutMs: number
  /** Called when the time is up: the server may only be busy. */
  readonly onTimeout?: () => void
}

export interface ReceivedResponse {
  readonly status: number
  /** Undefined where it is no JSON. */
  readonly body: unknown
}

/** Another program may have the port and send anything. */
const LONGEST_ANSWER = 1024 * 1024

/** Asks a running server; undefined when nobody answers in time, or not in HTTP. */
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
    const asking = request(new URL(path, url), { method, agent: false, headers, signal })
    asking.on('error', () => undefined)
    asking.end(text)
    const [response]: IncomingMessage[] = await once(asking, 'response')
    if (response === undefined) return undefined
    let received = ''
    for await (const chunk of response.setEncoding('utf8')) {
      received += chunk
      if (received.length > LONGEST_ANSWER) return undefined
    }
    return { status: response.statusCode ?? 0, body: readJson(received) }
  } catch {
    if (signal.aborted) onTimeout?.()
    return undefined
  }
}

function readJson(text: string): unknown {
  try {
    return parseJson(text, { duplicateKeys: 'last' })
  } catch {
    return undefined
  }
}
