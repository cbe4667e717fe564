import { TransportFailure } from '../../src/http/transport-port.ts'

/** How a sending failed; one that was answered fails the test. */
export async function failureOf(sending: Promise<unknown>): Promise<TransportFailure> {
  const ended = await sending.then(
    () => 'an answer',
    (error: unknown) => error,
  )
  if (ended instanceof TransportFailure) return ended
  throw new Error(`no failure: ${String(ended)}`)
}
