import { createServer } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

export interface ConnectProxy {
  readonly port: number
  /** Every CONNECT request: its target as `host:port`, and its headers. */
  readonly connects: readonly { readonly target: string; readonly headers: IncomingMessage['headers'] }[]
  close(): Promise<void>
}

/** An HTTP proxy on loopback that opens every tunnel to one local port, refuses it with a status, or never answers. */
export async function startConnectProxy(
  to: { readonly port: number } | { readonly status: number } | { readonly hang: true },
): Promise<ConnectProxy> {
  const connects: { target: string; headers: IncomingMessage['headers'] }[] = []
  const sockets = new Set<Duplex>()
  const server = createServer((_, response) => {
    response.writeHead(500).end('only CONNECT')
  })
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
  })
  server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    connects.push({ target: request.url ?? '', headers: request.headers })
    socket.on('error', () => socket.destroy())
    if ('hang' in to) return
    if ('status' in to) {
      socket.end(`HTTP/1.1 ${to.status} No\r\ncontent-length: 0\r\n\r\n`)
      return
    }
    const target = connect(to.port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      target.pipe(socket).pipe(target)
    })
    sockets.add(target)
    target.on('error', () => socket.destroy())
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    connects,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
