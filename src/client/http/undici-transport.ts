import { Socket } from 'node:net'
import { Pool, ProxyAgent, buildConnector } from 'undici'
import type { Dispatcher } from 'undici'
import { InFlightRequests } from './in-flight-requests.ts'
import { codeOf, connectFailure, closedByUs } from './failure.ts'
import { CONNECT_TIMEOUT_MS, IDLE_TIMEOUT_MS, MAX_HEAD_BYTES } from './limits.ts'
import { proxyFor, readProxy } from './proxy.ts'
import { TransportFailure } from './transport-port.ts'
import type { Transport, TransportOptions } from './transport-port.ts'

type Connector = buildConnector.connector

/**
 * Without TCP keep-alive: an attempt has its time limit, and an idle connection isn't reused for long. undici would ask for it
 * before the connection is open, where Windows makes a failure to set it one to connect.
 */
const CONNECT = { timeout: CONNECT_TIMEOUT_MS, allowH2: false, keepAlive: false }

/**
 * Sends over undici; for commands that send many requests, and for proxies. HTTP/1.1 keep-alive connections, one request
 * at a time on each, no redirects or resends. Certificates are checked against Node's own list and `NODE_EXTRA_CA_CERTS`.
 */
export function createUndiciTransport({ env, connections, monotonicMs }: TransportOptions): Transport {
  const inFlight = new InFlightRequests(monotonicMs)
  const dispatchers = new Map<string, Dispatcher>()
  const opening = new Set<Socket>()
  const options = {
    connections: connections ?? null,
    pipelining: 1,
    maxHeaderSize: MAX_HEAD_BYTES,
    keepAliveTimeout: IDLE_TIMEOUT_MS,
    keepAliveMaxTimeout: IDLE_TIMEOUT_MS,
    // The request has a time limit for the whole attempt.
    headersTimeout: 0,
    bodyTimeout: 0,
  }
  let last: { readonly url: string; readonly target: URL; readonly dispatcher: Dispatcher } | undefined

  const open = (target: URL): Dispatcher => {
    const proxy = proxyFor(target, env)
    if (proxy !== undefined) return openThrough(proxy, target)
    const connect = withOurFailures(trackConnecting(buildConnector(CONNECT), opening), target)
    return new Pool(target.origin, { ...options, connect })
  }

  /** Opens connections through a proxy. undici's EnvHttpProxyAgent would choose the proxy by different rules (docs/decisions/0020). */
  const openThrough = (written: string, target: URL): Dispatcher => {
    const proxy = readNamedProxy(written)
    return new ProxyAgent({
      ...options,
      ...proxy,
      requestTls: CONNECT,
      factory: (origin, given) =>
        new Pool(origin, { ...options, connect: withOurFailures(connectorIn(given), target) }),
      clientFactory: (url) =>
        new ProxyPool(
          url,
          {
            headersTimeout: CONNECT_TIMEOUT_MS,
            connect: trackConnecting(buildConnector(CONNECT), opening),
          },
          proxy,
        ),
    })
  }

  const routeTo = (url: string) => {
    if (last?.url === url) return last
    const target = new URL(url)
    const dispatcher = dispatchers.get(target.origin) ?? open(target)
    dispatchers.set(target.origin, dispatcher)
    return (last = { url, target, dispatcher })
  }

  return {
    send: (request, sendOptions) =>
      inFlight.run(request, sendOptions, (pending) => {
        const { url, method, headers, body = null } = request
        const { target, dispatcher } = routeTo(url)
        const path = `${target.pathname}${target.search}`
        dispatcher.dispatch({ origin: target.origin, path, method, headers: { ...headers }, body }, pending)
      }),
    async close() {
      inFlight.close()
      await Promise.all(Array.from(dispatchers.values(), (dispatcher) => dispatcher.destroy(closedByUs())))
      // Sockets that are still connecting don't belong to the pool yet, and would keep the process alive.
      for (const socket of opening) socket.destroy()
    },
  }
}

/** The connections to a proxy, with our failures. */
class ProxyPool extends Pool {
  readonly #proxy: NamedProxy

  constructor(url: URL, options: Pool.Options, proxy: NamedProxy) {
    super(url, options)
    this.#proxy = proxy
  }

  override async connect(options: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData> {
    const answer = await super.connect(options).catch((cause: unknown) => {
      throw failedAtProxy(cause)
    })
    if (answer.statusCode === 200) return answer
    answer.socket.on('error', () => undefined).destroy()
    throw refusedByProxy(answer.statusCode, this.#proxy)
  }
}

/** The tunnel's connector, which the types of undici leave out. */
function connectorIn(options: object): Connector {
  if ('connect' in options && isConnector(options.connect)) return options.connect
  throw new Error('undici gave no connector')
}

const isConnector = (value: unknown): value is Connector => typeof value === 'function'

/** Keeps sockets in `opening` while they connect. */
function trackConnecting(connect: Connector, opening: Set<Socket>): Connector {
  return (options, callback) => {
    // Returns the socket, although its types don't say so.
    const pending: unknown = connect(options, (...outcome) => {
      if (pending instanceof Socket) opening.delete(pending)
      callback(...outcome)
    })
    if (pending instanceof Socket) opening.add(pending)
  }
}

/** Converts connection failures to ours, because undici retries forever after some of its own codes. */
function withOurFailures(connect: Connector, target: URL): Connector {
  return (options, callback) => {
    connect(options, (error, socket) => {
      if (socket === null || socket === undefined) return callback(connectFailure(error, target.host), null)
      // undici treats a reset as the end of a response without a length.
      socket.on('error', (reset) => {
        if (codeOf(reset) === 'ECONNRESET') Object.assign(reset, { code: 'UND_ERR_SOCKET' })
      })
      callback(null, socket)
    })
  }
}

/** The proxy that the environment names. A proxy that fails has sent nothing on to the service. */
interface NamedProxy {
  /** Without credentials, because an error may show it. */
  readonly uri: string
  /** The value of the `proxy-authorization` header. */
  readonly token?: string
}

/**
 * Reads a proxy as written in the environment: a URL, or only host and port.
 * @throws {TransportFailure} when it can't be used
 */
function readNamedProxy(proxy: string): NamedProxy {
  const url = readProxy(proxy)
  if (url === undefined) throw proxyFailure('is not a URL')
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw proxyFailure(`has the scheme ${url.protocol.slice(0, -1)}: only http and https are supported`)
  const { username, password, origin } = url
  if (username === '' && password === '') return { uri: origin }
  const pair = `${unescape(username)}:${unescape(password)}`
  return { uri: origin, token: `Basic ${Buffer.from(pair).toString('base64')}` }
}

/** Decodes a password, unless it has a `%` that encodes nothing. */
function unescape(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The failure for a proxy that answers CONNECT with this status. */
function refusedByProxy(status: number, { token }: NamedProxy): TransportFailure {
  if (status !== 407) return proxyFailure(`refused the connection (${status})`)
  return token === undefined
    ? proxyFailure('asks for a user name and password (407)')
    : proxyFailure('refused the user name and password in its URL (407)')
}

const TIMEOUTS = ['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'ETIMEDOUT']

/** The failure of a proxy. Leaves out the other side's text and the proxy's address: both may contain secrets. */
function failedAtProxy(cause: unknown): TransportFailure {
  const code = codeOf(cause)
  return TIMEOUTS.includes(code)
    ? proxyFailure(`does not respond within ${CONNECT_TIMEOUT_MS / 1000} s`, cause)
    : proxyFailure(`could not be used (${code})`, cause)
}

const proxyFailure = (words: string, cause?: unknown): TransportFailure =>
  new TransportFailure('proxy', false, `the proxy that the environment names ${words}`, { cause })
