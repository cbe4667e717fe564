import { expect } from 'vitest'
import { TransportFailure } from '../../src/client/http/transport-port.ts'
import type { HttpResponse } from '../../src/client/http/transport-port.ts'
import { callOf, runCall } from './client-bench.ts'
import type { BenchOptions, Ending } from './client-bench.ts'
import { PAYMENT_ID, json, refusal } from './simulated-service.ts'
import type { WriteId } from './simulated-service.ts'

export type Scripted = HttpResponse | TransportFailure

export const lost = new TransportFailure('cut', true, 'the connection ended')
export const unsent = new TransportFailure('refused', false, 'it was refused')
export const keyUsed = (more: Record<string, unknown> = {}): HttpResponse =>
  refusal(409, 'IdempotencyKeyAlreadyExists', more)
export const payment = (more: Record<string, unknown> = {}): HttpResponse =>
  json(200, { id: PAYMENT_ID, status: 'SETTLED', ...more })

/** A service that answers the n-th request with the n-th entry. */
export const scripted =
  (...script: readonly Scripted[]): BenchOptions['service'] =>
  (_request, _options, index) => {
    const next = script[index] ?? new TransportFailure('other', true, 'the script has no further entry')
    if (next instanceof TransportFailure) throw next
    return next
  }

/** Sends one write against a script. Fails unless the requests are exactly as many as the entries. */
export async function play(
  id: WriteId,
  script: readonly Scripted[],
  more: Partial<BenchOptions> = {},
): Promise<Ending> {
  const run = await runCall(callOf(id), { service: scripted(...script), ...more })
  expect(run.sent).toHaveLength(script.length)
  return run
}
