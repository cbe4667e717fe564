import { Agent, request } from 'node:http'

export interface HttpAnswer {
  readonly status: number
  readonly body: unknown
}

/** A plain client over node:http, independent of ours. Rejects without a complete response. */
export interface HttpClient {
  readonly send: (method: string, path: string, body?: unknown, key?: string) => Promise<HttpAnswer>
  readonly close: () => void
}

export function httpClient(baseUrl: string): HttpClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const exchange = (method: string, path: string, body: unknown, key: string | undefined) =>
    new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
      const text = body === undefined ? undefined : JSON.stringify(body)
      const sent = request(new URL(path, baseUrl), {
        method,
        agent,
        headers: {
          'x-api-key': 'sandbox_all',
          'x-api-version': '2.1',
          ...(text === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
          ...(key === undefined ? {} : { 'x-idempotency-key': key }),
        },
      })
      sent.on('error', reject)
      sent.on('response', (answer) => {
        const chunks: Buffer[] = []
        answer.on('error', reject)
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('end', () =>
          answer.complete
            ? resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') })
            : reject(new Error('the answer was cut')),
        )
      })
      sent.end(text)
    })
  const send: HttpClient['send'] = async (method, path, body, key) => {
    const { status, text } = await exchange(method, path, body, key)
    return { status, body: JSON.parse(text) }
  }
  return { send, close: () => agent.destroy() }
}
