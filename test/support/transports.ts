import { createNodeTransport } from '../../src/http/node-transport.ts'
import { createUndiciTransport } from '../../src/http/undici-transport.ts'
import type { Transport } from '../../src/http/transport-port.ts'

const monotonicMs = () => performance.now()

/** The two clients, which do the same: one suite holds both. `connections` limits undici alone. */
export const TRANSPORTS: readonly (readonly [string, (connections?: number) => Transport])[] = [
  ['node:http', () => createNodeTransport({ monotonicMs })],
  ['undici', (connections) => createUndiciTransport({ env: {}, connections, monotonicMs })],
]
