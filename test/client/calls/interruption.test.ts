import { describe, expect, test } from 'vitest'
import { getPayment } from '../../../src/api/operations/payment.ts'
import { TransportFailure } from '../../../src/client/http/transport-port.ts'
import type { HttpRequest } from '../../../src/client/http/transport-port.ts'
import { callOf, runCall } from '../../support/client-bench.ts'
import type { BenchOptions, Ending } from '../../support/client-bench.ts'
import { keyUsed, lost, payment, scripted, unsent } from '../../support/scripted-call.ts'
import type { Scripted } from '../../support/scripted-call.ts'
import { PAYMENT_ID, json, refusal } from '../../support/simulated-service.ts'
import type { WriteId } from '../../support/simulated-service.ts'

const controllers = () => ({ stop: new AbortController(), abandon: new AbortController() })

/** Aborts while the n-th request, from 0, is in flight. */
const during =
  (
    index: number,
    interruption: ReturnType<typeof controllers>,
    script: readonly Scripted[],
    twice = false,
  ): BenchOptions['service'] =>
  (request: HttpRequest, options, at) => {
    if (at === index) interruption.stop.abort('SIGTERM')
    if (at === index && twice) interruption.abandon.abort('SIGTERM')
    return scripted(...script)(request, options, at)
  }

/** One write against a script that must be used up exactly. */
async function interrupt(
  id: WriteId,
  index: number,
  script: readonly Scripted[],
  twice = false,
): Promise<Ending> {
  const interruption = controllers()
  const run = await runCall(callOf(id), { service: during(index, interruption, script, twice), interruption })
  expect(run.sent).toHaveLength(script.length)
  return run
}

describe('a signal', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 143],
  ])('%s before anything is sent sends nothing: exit %i', async (name, exitCode) => {
    const interruption = controllers()
    interruption.stop.abort(name)
    const run = await runCall(callOf('payment.refund'), { service: scripted(), interruption })
    expect(run).toMatchObject({ exitCode, steps: [], error: { details: { outcome: 'none' } } })
  })

  test('during a write waits for its response', async () => {
    expect(await interrupt('payment.refund', 0, [payment()])).toMatchObject({
      exitCode: 0,
      settled: { state: 'confirmed' },
    })
    expect(await interrupt('payment.refund', 0, [refusal(422, 'X')])).toMatchObject({ exitCode: 3 })
  })

  test('during a write prevents a resend', async () => {
    for (const end of [lost, json(503, {})])
      expect(await interrupt('payment.refund', 0, [end])).toMatchObject({
        exitCode: 10,
        settled: { state: 'in-doubt' },
      })
  })

  test('while a write waits to be sent again is 10 in doubt, and 143 with nothing in doubt', async () => {
    for (const [first, exitCode, state] of [
      [lost, 10, 'in-doubt'],
      [json(429, {}), 143, 'rejected'],
      [unsent, 143, 'rejected'],
    ] as const) {
      const interruption = controllers()
      const run = await runCall(callOf('payment.refund'), {
        service: scripted(first),
        interruption,
        random: () => {
          // Drawn when the attempt has ended and before the wait.
          queueMicrotask(() => interruption.stop.abort('SIGTERM'))
          return 0
        },
      })
      expect(run).toMatchObject({ exitCode, settled: { state, exitCode } })
      // A 429 was sent, but proves that nothing was done.
      if (exitCode === 143)
        expect(run.error?.message).toBe(`Interrupted: nothing was ${first === unsent ? 'sent' : 'done'}.`)
      expect(run.sent).toHaveLength(1)
    }
  })

  test('twice aborts the request in flight: exit 10', async () => {
    expect(await interrupt('payment.refund', 0, [payment()], true)).toMatchObject({
      exitCode: 10,
      settled: { state: 'in-doubt' },
    })
  })

  test('prevents sending a write that has not been sent yet', async () => {
    const run = await runCall(callOf('payment.refund'), {
      service: () => {
        throw new TransportFailure('aborted', false, 'given up while connecting')
      },
    })
    expect(run).toMatchObject({ exitCode: 130, settled: { state: 'rejected', exitCode: 130 } })
  })

  test('gives the transport the means: a read ends at once, a write while nothing is written', async () => {
    const interruption = controllers()
    const seen: unknown[] = []
    const service: BenchOptions['service'] = (_, options) => {
      seen.push([options.signal, options.signalBeforeSent, options.timeoutMs])
      return payment({ status: 'AUTHORIZED' })
    }
    await runCall(callOf('payment.adjust'), { service, interruption })
    const [stop, abandon] = [interruption.stop.signal, interruption.abandon.signal]
    expect(seen).toEqual([
      [stop, stop, 30_000],
      [abandon, stop, 30_000],
    ])
  })

  test('during a read ends it: 143', async () => {
    const interruption = controllers()
    const call = { operation: getPayment, params: { id: PAYMENT_ID } }
    const run = await runCall(call, { service: during(0, interruption, [payment()]), interruption })
    expect(run).toMatchObject({ exitCode: 143, error: { details: { outcome: 'none' } } })
  })

  test('during the read before a write sends and records nothing', async () => {
    const run = await interrupt('payment.adjust', 0, [payment()])
    expect(run).toMatchObject({ exitCode: 143, writes: [], settled: undefined })
  })

  test("while a success is read back keeps the service's response", async () => {
    const run = await interrupt('payment.refund', 2, [lost, keyUsed(), payment()])
    expect(run).toMatchObject({ exitCode: 0, settled: { state: 'confirmed' } })
    expect(run.answer?.warning).toContain('could not be read back')
  })

  test('while a doubt is being resolved leaves it: exit 10, and nothing new is sent', async () => {
    const pushed = await interrupt('observability.push', 1, [lost, refusal(409, 'EntityAlreadyExists')])
    expect(pushed).toMatchObject({ exitCode: 10, settled: { state: 'in-doubt' } })
    expect(pushed.sent).toHaveLength(2)
  })
})
