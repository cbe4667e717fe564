import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { allowHosts } from './allowed-hosts.ts'
import { connectionsWith } from './connections.ts'
import { answerWith } from './exchange.ts'
import type { RequestHandler } from './exchange.ts'
import { MAX_HEADER_BYTES, PROBE_AFTER_MS, SERVE_TIMES, BACKLOG } from './limits.ts'
import type { ServeTimes } from './limits.ts'
import { oneTimeLinks } from './one-time-links.ts'
import type { Pages } from './pages.ts'
import type { ServerIdentity } from './server-routes.ts'
import type { ServerKeys } from './server-keys.ts'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { UsageError } from '../../errors.ts'
import { systemCode } from '../../files/system-code.ts'

export interface ServerOptions {
  readonly sandbox: RequestHandler
  readonly host: string
  /** The port; 0 takes any free one. */
  readonly port: number
  /** Web pages to serve in addition to the service. */
  readonly pages?: Pages | undefined
  /** Host names that clients may use, besides those of loopback and `host`. */
  readonly allowedHosts?: readonly string[]
  /** The keys that are accepted instead of the published ones. */
  readonly keys?: ServerKeys | undefined
  readonly now: () => Date
  /** Unique ids for the server itself and for requests that the sandbox doesn't see. */
  readonly newId: () => string
  readonly pid: number
  /** The facts that `GET /sandbox/status` returns besides the server's identity, such as its folder. */
  readonly about?: Readonly<Record<string, unknown>>
  /** Called when a client asks the server to stop; the caller has to close it. */
  readonly onStop?: () => void
  /** Called with every error that was answered with a 5xx. */
  readonly onFailure?: (error: unknown) => void
  readonly times?: Partial<ServeTimes>
}

export interface RunningServer extends ServerIdentity {
  readonly port: number
  /** Stops accepting requests, gives those in progress some time, and resolves when all connections are closed. */
  close(): Promise<void>
}

/**
 * Serves a sandbox over HTTP.
 * @throws {UsageError} if it can't listen
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { sandbox, host, now, newId, about = {}, onStop = ignore, onFailure = ignore } = options
  const times = { ...SERVE_TIMES, ...options.times }
  const hung = new Set<Socket>()
  let closed: Promise<void> | undefined

  const server = createServer({
    keepAlive: true,
    keepAliveInitialDelay: PROBE_AFTER_MS,
    keepAliveTimeout: times.idleMs,
    headersTimeout: times.headersMs,
    requestTimeout: times.requestMs,
    connectionsCheckingInterval: times.checkEveryMs,
    maxHeaderSize: MAX_HEADER_BYTES,
    // The server refuses these itself, with the service's envelope.
    requireHostHeader: false,
  })
  server.timeout = times.stallMs
  // node:http has this option, its types don't: a client that half-closes its connection still gets its response.
  Object.assign(server, { httpAllowHalfOpen: true })
  const port = await listen(server, host, options.port)
  const identity = { id: newId(), pid: options.pid, startedAt: now().toISOString(), url: urlOf(host, port) }
  const answer = answerWith({
    sandbox,
    pages: options.pages,
    routes: { identity, about, newId, onStop, links: oneTimeLinks(now, newId) },
    hosts: allowHosts(host, options.allowedHosts ?? []),
    keys: options.keys,
    newId,
    onFailure,
    onHang: (socket) => hung.add(socket),
  })
  const connections = connectionsWith(answer)
  server.on('connection', (socket) => {
    connections.add(socket)
    socket.on('close', () => hung.delete(socket))
  })
  server.on('request', connections.receive)
  server.on('clientError', connections.refuse)
  server.on('connect', (_, socket) => connections.refuse(new Error('CONNECT is for proxies'), socket))
  server.on('error', onFailure)

  // To node:http, a connection with an unread response is idle, and one that has sent nothing isn't.
  server.closeIdleConnections = () => {
    for (const socket of [...hung, ...connections.idle()]) socket.destroy()
  }
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      connections.closeAfterResponses()
      const grace = setTimeout(() => server.closeAllConnections(), times.graceMs)
      server.close(() => {
        clearTimeout(grace)
        resolve()
      })
    })

  return { ...identity, port, close: () => (closed ??= close()) }
}

const ignore = (): void => undefined

/**
 * Starts listening and returns the actual port.
 * @throws {UsageError} if it can't listen
 */
async function listen(server: Server, host: string, port: number): Promise<number> {
  try {
    server.listen({ host, port, backlog: BACKLOG })
    await once(server, 'listening')
  } catch (error) {
    throw toListenError(error instanceof Error ? error : new Error(String(error)), host, port)
  }
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : port
}

/** The URL at which this machine reaches a server that listens on `host`. */
export function urlOf(host: string, port: number): string {
  const reached = { '0.0.0.0': '127.0.0.1', '::': '::1', '': '127.0.0.1' }[host] ?? host
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`
}

const REASONS: Readonly<Record<string, readonly [why: string, hint: string]>> = {
  EACCES: ['permission denied', 'Choose a port above 1023, or --port 0 for any free one.'],
  EADDRNOTAVAIL: [
    'this machine has no such address',
    'Leave out --host, or give an address of this machine.',
  ],
  ENOTFOUND: ['unknown host', 'Leave out --host, or give an address of this machine.'],
  EAI_AGAIN: ["the name can't be looked up", 'Leave out --host, or give an address of this machine.'],
  ERR_SOCKET_BAD_PORT: ['invalid port', 'Ports range from 1 to 65535; --port 0 takes any free one.'],
}

function toListenError(cause: Error, host: string, port: number): UsageError {
  const code = systemCode(cause) ?? ''
  if (code === 'EADDRINUSE')
    return new UsageError(`Port ${port} of ${host} is in use`, {
      code: 'port_in_use',
      hint: 'Choose another --port (0 takes any free one), or stop the program that uses it.',
      outcome: 'none',
      next: ['pay sandbox status'],
      cause,
    })
  const [why, hint] = REASONS[code] ?? [cause.message, 'Choose another --host or --port.']
  return new UsageError(`Cannot listen on port ${port} of ${host}: ${why}`, {
    code: 'cannot_listen',
    hint,
    outcome: 'none',
    cause,
  })
}
