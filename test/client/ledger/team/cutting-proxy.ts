import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

/** Where the wire between a client and its database is cut: after a number of bytes on their way, or of the n-th COMMIT. */
export type Cut =
  | { readonly after: number; readonly of: 'requests' | 'answers' }
  | { readonly commit: number; readonly bytes: number }

/** The message that commits: its type, its length, and its text. */
const COMMIT = Buffer.from('Q\0\0\0\u{B}COMMIT\0')

/** Relays connections to a port of this machine. The first cut is for the first connection, and so on. */
export async function cuttingProxy(
  port: number,
  cuts: (Cut | undefined)[],
): Promise<{ readonly port: number; readonly close: () => void }> {
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const database = connect(port, '127.0.0.1')
    const both = [client, database]
    for (const socket of both) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => both.forEach((one) => one.destroy()))
    }
    relay(client, database, cuts.shift())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address: AddressInfo | string | null = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

function relay(client: Socket, database: Socket, cut: Cut | undefined): void {
  let commits = 0
  const counted = { requests: 0, answers: 0 }
  const end = () => [client, database].forEach((socket) => socket.destroySoon())
  /** How many bytes of a part still get through; undefined for all of them. */
  const limitOf = (part: Buffer, from: 'requests' | 'answers'): number | undefined => {
    if (cut === undefined) return undefined
    if ('after' in cut) {
      const left = cut.after - counted[from]
      counted[from] += part.length
      return cut.of === from && left < part.length ? Math.max(0, left) : undefined
    }
    const at = from === 'requests' ? part.indexOf(COMMIT) : -1
    if (at === -1) return undefined
    commits += 1
    return commits === cut.commit ? at + cut.bytes : undefined
  }
  const pass = (from: 'requests' | 'answers', source: Socket, sink: Socket) =>
    source.on('data', (part: Buffer) => {
      const limit = limitOf(part, from)
      if (limit === undefined) return void sink.write(part)
      source.pause()
      // All of a COMMIT arrives, and its answer is lost.
      if (limit > 0) sink.write(part.subarray(0, limit), () => setTimeout(end, 1))
      else end()
      client.destroy()
    })
  pass('requests', client, database)
  pass('answers', database, client)
}
