import { createNodeTransport } from '../../src/client/http/transport.ts'
import { TransportFailure } from '../../src/client/http/transport-port.ts'
import { createUndiciTransport } from '../../src/client/http/undici-transport.ts'
import type { Transport } from '../../src/client/http/transport-port.ts'

const monotonicMs = () => performance.now()

/**
 * Both HTTP clients, by name: one suite tests them, since they must behave alike.
 * `describe.each(TRANSPORTS)('%s', (_, open) => { .. })`. Only undici takes a limit of `connections`.
 */
export const TRANSPORTS: readonly (readonly [string, (connections?: number) => Transport])[] = [
  ['node:http', () => createNodeTransport({ monotonicMs })],
  ['undici', (connections) => createUndiciTransport({ env: {}, connections, monotonicMs })],
]

/** The failure with which a request ends. A response instead fails the test. */
export async function failureOf(sending: Promise<unknown>): Promise<TransportFailure> {
  const ended = await sending.then(
    () => 'a response',
    (error: unknown) => error,
  )
  if (ended instanceof TransportFailure) return ended
  throw new Error(`no failure: ${String(ended)}`)
}
