import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { allowHosts } from './allowed-hosts.ts'
import { watch } from './connection.ts'
import type { Connection } from './connection.ts'
import { answerAll } from './exchange.ts'
import type { RequestHandler } from './exchange.ts'
import { MAX_HEADER_BYTES, PROBE_AFTER_MS, SERVE_TIMES } from './limits.ts'
import type { ServeTimes } from './limits.ts'
import { listen, urlOf } from './listen.ts'
import type { ServerIdentity } from './server-routes.ts'
import type { ServerKeys } from './server-keys.ts'

export interface ServerOptions {
  readonly sandbox: RequestHandler
  readonly host: string
  /** 0 takes one that is free. */
  readonly port: number
  /** Names by which clients may ask for it, beside those of loopback and `host`. */
  readonly allowedHosts?: readonly string[]
  /** What it takes in place of the published keys. */
  readonly keys?: ServerKeys | undefined
  readonly now: () => Date
  /** Ids that are unlikely to meet again: the server's own, and those of requests that the sandbox does not see. */
  readonly newId: () => string
  readonly pid: number
  /** What `GET /sandbox/status` tells beside the server's identity, such as its folder. */
  readonly about?: Readonly<Record<string, unknown>>
  /** Somebody has asked the server to end; closing it is up to the caller. */
  readonly onStop?: () => void
  /** Hears of what could only be answered with a 5xx. */
  readonly onFailure?: (error: unknown) => void
  readonly times?: Partial<ServeTimes>
}

export interface RunningServer extends ServerIdentity {
  readonly port: number
  /** Takes no more requests, lets those under way be answered for a while, and resolves when all connections are closed. */
  close(): Promise<void>
}

/** Serves a sandbox over HTTP. Rejects with a `UsageError` where it cannot listen. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { sandbox, host, now, newId, about = {}, onStop = nothing, onFailure = nothing } = options
  const times = { ...SERVE_TIMES, ...options.times }
  const connections = new Map<Socket, Connection>()
  let closed: Promise<void> | undefined

  const server = createServer({
    keepAlive: true,
    keepAliveInitialDelay: PROBE_AFTER_MS,
    keepAliveTimeout: times.idleMs,
    headersTimeout: times.headersMs,
    requestTimeout: times.requestMs,
    connectionsCheckingInterval: times.checkEveryMs,
    maxHeaderSize: MAX_HEADER_BYTES,
    // Refused by us, in the service's envelope.
    requireHostHeader: false,
  })
  server.timeout = times.stallMs
  // Known to node:http, not to its types: a client that has ended its half still gets its answer.
  Object.assign(server, { httpAllowHalfOpen: true })

  const connectionOf = (socket: Socket): Connection => {
    const known = connections.get(socket)
    if (known !== undefined) return known
    const connection = watch(socket)
    connections.set(socket, connection)
    socket.on('close', () => connections.delete(socket))
    return connection
  }
  server.on('connection', connectionOf)

  const port = await listen(server, host, options.port)
  const identity = { id: newId(), pid: options.pid, startedAt: now().toISOString(), url: urlOf(host, port) }
  answerAll(server, {
    sandbox,
    own: { identity, about, newId, onStop },
    hosts: allowHosts(host, options.allowedHosts ?? []),
    keys: options.keys,
    rules: { lingerMs: times.lingerMs, isClosing: () => closed !== undefined },
    now,
    newId,
    onFailure,
    connectionOf,
    onOut: ({ socket, due }) => {
      if (closed !== undefined && due.length === 0) socket.destroySoon()
    },
  })
  server.on('error', onFailure)

  // Of node:http's own idea of it, an answer that is not read yet is idle, and a connection that has sent nothing is not.
  server.closeIdleConnections = () => {
    for (const { socket, due, isHung } of connections.values())
      if (isHung || due.length === 0) socket.destroy()
  }
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      const grace = setTimeout(() => {
        for (const { socket } of connections.values()) socket.destroy()
      }, times.graceMs)
      server.close(() => {
        clearTimeout(grace)
        resolve()
      })
    })

  return { ...identity, port, close: () => (closed ??= close()) }
}

const nothing = (): void => undefined
