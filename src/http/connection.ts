import { connect, isIP } from 'node:net'
import type { OnReadOpts, Socket } from 'node:net'
import { connectFailure } from './failure.ts'
import { proxyFor } from './proxy.ts'
import type { TransportFailure } from './transport-port.ts'
import type { Opening } from './tunnel.ts'

interface ConnectionOptions {
  readonly target: URL
  /** Read for the proxy variables. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly timeoutMs: number
  readonly opening: Opening
  /** Whether everything was closed meanwhile: what is not in `opening` by then is not ended from outside. */
  readonly isClosed: () => boolean
  /** Memory for what is read, used again each time; where it cannot be used the socket tells of data as ever. */
  readonly onread?: OnReadOpts
}

/**
 * A connection over which a request can be written: through the proxy where there is one, with TLS where the URL asks for it.
 * Nothing of the request is written here, so every failure says so.
 */
export async function openConnection({
  target,
  env,
  timeoutMs,
  opening,
  isClosed,
  onread,
}: ConnectionOptions): Promise<Socket> {
  const proxy = proxyFor(target, env)
  const host = target.hostname.replace(/^\[(.*)\]$/, '$1')
  const isTls = target.protocol === 'https:'
  const port = Number(target.port || (isTls ? 443 : 80))
  let socket: Socket
  if (proxy !== undefined) {
    const { openTunnel } = await import('./tunnel.ts')
    if (isClosed()) throw connectFailure(ended(), target.host)
    socket = await openTunnel({ proxy, target, timeoutMs, opening })
    if (!isTls) return socket
    socket = await startTls(socket)
  } else
    socket = isTls
      ? await startTls()
      : connect(onread === undefined ? { host, port } : { host, port, onread })
  socket.setNoDelay(true).setKeepAlive(true, TCP_KEEP_ALIVE_MS)
  opening.add(socket)
  return new Promise((resolve, reject) => {
    if (isClosed()) socket.destroy(ended())
    const timer = setTimeout(() => socket.destroy(tooSlow(target)), timeoutMs)
    const end = () => {
      clearTimeout(timer)
      opening.delete(socket)
    }
    socket.once(isTls ? 'secureConnect' : 'connect', () => {
      end()
      resolve(socket)
    })
    // Not once: an error that comes later, when nobody else listens, would end the process.
    socket.on('error', (error) => {
      end()
      reject(connectFailure(error, target.host))
    })
    // Ended from outside, and without a word.
    socket.once('close', () => {
      end()
      reject(connectFailure(new Error('closed'), target.host))
    })
  })

  async function startTls(through?: Socket): Promise<Socket> {
    // Loaded when needed: a sandbox on loopback does without.
    const { connectTls } = await import('./tls.ts')
    const servername = isIP(host) === 0 ? host : ''
    return connectTls(through === undefined ? { host, port, servername } : { socket: through, servername })
  }
}

/** How long a connection is silent before the system asks whether the other side is still there. */
const TCP_KEEP_ALIVE_MS = 60_000

const ended = (): Error => Object.assign(new Error('closed'), { code: 'ERR_CLOSED' })
const tooSlow = ({ host }: URL): TransportFailure =>
  connectFailure(Object.assign(new Error('no connection in time'), { code: 'ETIMEDOUT' }), host)
