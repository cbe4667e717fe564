import { connect } from 'node:tls'
import type { ConnectionOptions, TLSSocket } from 'node:tls'

/** A file of its own: node:tls takes 3 ms to load, and calls to a loopback address do without it. */
export const connectTls = (options: ConnectionOptions): TLSSocket =>
  connect({ ...options, ALPNProtocols: ['http/1.1'] })
