import { createServer } from 'node:http'
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'

/** How the server treats one request, which it always reads to the end. */
export type Scripted =
  /** Responds, if given after a delay or once `after` resolves. */
  | (Answer & { readonly delayMs?: number; readonly after?: Promise<unknown> })
  /**
   * Ends the connection: before the response, after its headers, or halfway through its body.
   * With `reset` by RST, as after a crash, instead of FIN.
   */
  | (Answer & { readonly drop: 'before' | 'after-headers' | 'mid-body'; readonly reset?: boolean })
  /** Never answers. */
  | { readonly hang: true }
  /** Sends these bytes, then ends the connection unless `keepOpen`. */
  | { readonly raw: string | Uint8Array; readonly keepOpen?: boolean }
  /** Sends a body of this length as fast as it is read. */
  | { readonly repeatBody: { readonly bytes: number }; readonly headers?: OutgoingHttpHeaders }

interface Answer {
  readonly status?: number
  readonly headers?: OutgoingHttpHeaders
  /** The body: text and bytes as they are, anything else as JSON. */
  readonly body?: unknown
}

export interface ReceivedRequest {
  readonly method: string
  /** The path and query. */
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
  /** The number of its connection, from 1. */
  readonly connection: number
}

export interface ScriptedServer {
  readonly url: string
  readonly port: number
  /** Every request, once it has arrived completely. */
  readonly requests: readonly ReceivedRequest[]
  /** Resolves when this many requests have arrived. */
  arrived(count: number): Promise<void>
  /** Closes connections that wait for another request. */
  closeIdleConnections(): void
  close(): Promise<void>
}

interface ServerOptions {
  readonly tls?: {
    readonly key: string
    readonly cert: string
    readonly requestCert?: boolean
    readonly maxVersion?: 'TLSv1.2' | 'TLSv1.3'
  }
}

/**
 * Starts an HTTP server on loopback. It answers the n-th request with the n-th entry, or with what the function returns.
 * Requests beyond the script get 500.
 *
 *     const server = await startScriptedServer([{ drop: 'before' }, { status: 200, body: { id: 'p1' } }])
 *     const ended = await bench.pay('payment refund p1', { env: { PAY_BASE_URL: server.url, PAY_API_KEY: 'k' } })
 *     expect(server.requests).toHaveLength(2)
 *     await server.close()
 */
export async function startScriptedServer(
  script: readonly Scripted[] | ((request: ReceivedRequest, index: number) => Scripted),
  { tls }: ServerOptions = {},
): Promise<ScriptedServer> {
  const requests: ReceivedRequest[] = []
  const waiting: { readonly count: number; readonly resolve: () => void }[] = []
  const connections = new WeakMap<object, number>()
  let opened = 0

  const onRequest = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request: ReceivedRequest = {
      method: incoming.method ?? '',
      url: incoming.url ?? '',
      headers: incoming.headers,
      body: await text(incoming),
      connection: connections.get(incoming.socket) ?? 0,
    }
    const index = requests.push(request) - 1
    for (const { count, resolve } of waiting) if (requests.length >= count) resolve()
    const scripted = typeof script === 'function' ? script(request, index) : script[index]
    await perform(scripted ?? { status: 500, body: 'beyond the script' }, response)
  }
  const listener = (incoming: IncomingMessage, response: ServerResponse): void => {
    // In some tests the client closes the connection first.
    onRequest(incoming, response).catch(() => response.destroy())
  }
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener)
  server.on(tls === undefined ? 'connection' : 'secureConnection', (socket: object) => {
    opened += 1
    connections.set(socket, opened)
  })
  server.on('tlsClientError', () => {})
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `${tls === undefined ? 'http' : 'https'}://${tls === undefined ? '127.0.0.1' : 'localhost'}:${port}`,
    port,
    requests,
    arrived: (count) =>
      new Promise((resolve) => {
        if (requests.length >= count) resolve()
        else waiting.push({ count, resolve })
      }),
    closeIdleConnections: () => server.closeIdleConnections(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function perform(scripted: Scripted, response: ServerResponse): Promise<void> {
  if ('hang' in scripted) return
  if ('raw' in scripted) {
    response.socket?.write(scripted.raw)
    if (scripted.keepOpen !== true) response.socket?.end()
    return
  }
  if ('repeatBody' in scripted) {
    await repeatBody(scripted.repeatBody.bytes, scripted.headers ?? {}, response)
    return
  }
  if ('drop' in scripted) {
    await drop(scripted, response)
    return
  }
  if (scripted.delayMs !== undefined) await wait(scripted.delayMs)
  await scripted.after
  writeHead(scripted, response)
  response.end(bytesOf(scripted.body))
}

async function drop(
  scripted: Answer & { readonly drop: 'before' | 'after-headers' | 'mid-body'; readonly reset?: boolean },
  response: ServerResponse,
): Promise<void> {
  const { socket } = response
  if (scripted.drop !== 'before') {
    writeHead(scripted, response)
    const body = bytesOf(scripted.body)
    const part =
      scripted.drop === 'mid-body' ? body.subarray(0, Math.ceil(body.length / 2)) : new Uint8Array()
    response.flushHeaders()
    await new Promise<void>((resolve) => {
      // Calls back once the headers are sent, even if the part is empty.
      response.write(part, () => resolve())
    })
  }
  if (scripted.reset === true) socket?.resetAndDestroy()
  else socket?.destroy()
}

async function repeatBody(
  bytes: number,
  headers: OutgoingHttpHeaders,
  response: ServerResponse,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json', ...headers })
  await pipeline(pieces(bytes), response)
}

function* pieces(bytes: number): Generator<Uint8Array, void> {
  const piece = new Uint8Array(64 * 1024).fill(0x30)
  for (let left = bytes; left > 0; left -= piece.length) yield piece.subarray(0, Math.min(left, piece.length))
}

function writeHead({ status = 200, headers = {}, body }: Answer, response: ServerResponse): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': bytesOf(body).length,
    ...headers,
  })
}

function bytesOf(body: unknown): Uint8Array {
  if (body === undefined) return new Uint8Array()
  if (body instanceof Uint8Array) return body
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}
