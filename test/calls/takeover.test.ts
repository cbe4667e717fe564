import { describe, expect, test } from 'vitest'
import type { OpenIntent } from '../../src/ledger/port.ts'
import { PayError } from '../../src/errors.ts'
import { TransportFailure } from '../../src/http/transport-port.ts'
import { callOf, recordingLedger, runCall } from '../support/client-bench.ts'
import type { BenchOptions } from '../support/client-bench.ts'
import { storedRefund, runResolve } from './recovery/resolve-bench.ts'

const answer = (status: number, body = '{"id":"pay-1"}') => ({ status, headers: {}, body })

/** A ledger whose open intents have these properties. */
const ledgerWith =
  (more: Partial<OpenIntent>): Exclude<BenchOptions['ledger'], undefined> =>
  (steps) => ({
    endedOn: async () => [],
    begin: async (...asked) => ({ ...(await recordingLedger(steps).begin(...asked)), ...more }),
  })

const refund = (service: BenchOptions['service'], more: Partial<OpenIntent>) =>
  runCall(callOf('payment.refund'), { service, ledger: ledgerWith(more) })

describe('a write that another process has taken over', () => {
  test.each<[string, OpenIntent['fence']]>([
    ['by the ledger', async () => false],
    ['as far as can be known', () => Promise.reject(new Error('the disk is gone'))],
  ])('is not sent once more: %s', async (_, fence) => {
    const run = await refund(() => answer(500), { fence })
    expect(run.writes).toHaveLength(1)
    expect(run).toMatchObject({ exitCode: 10, settled: { state: 'in-doubt' } })
  })

  test('is a conflict if this process sent nothing: the ledger tells what the other one did', async () => {
    const run = await refund(
      () => {
        throw new TransportFailure('refused', false, 'no program listens')
      },
      { fence: async () => false },
    )
    expect(run).toMatchObject({ exitCode: 6, error: { code: 'lease_lapsed', details: { retryable: false } } })
  })

  test('is checked after each wait, and not before the first attempt', async () => {
    let asked = 0
    const fence = async () => {
      asked += 1
      return true
    }
    expect(await refund(() => answer(200), { fence })).toMatchObject({ exitCode: 0 })
    expect(asked).toBe(0)
    const run = await refund((_, __, index) => answer(index < 2 ? 500 : 200), { fence })
    expect(run.writes).toHaveLength(3)
    expect(asked).toBe(2)
  })

  test('reports the outcome that the other process recorded', async () => {
    const settle = () =>
      Promise.reject(new PayError('overtaken', 6, 'Another process recorded the operation as confirmed'))
    const lost = await refund(() => answer(400), { settle })
    expect(lost).toMatchObject({ exitCode: 10, error: { code: 'outcome_unknown' } })
    expect(lost.error?.details.hint).toContain('Another process recorded the operation as confirmed.')
    const refused = (): never => {
      throw new TransportFailure('refused', false, 'no program listens')
    }
    expect(await refund(refused, { settle })).toMatchObject({ exitCode: 6, error: { code: 'lease_lapsed' } })
    const done = await refund(() => answer(200), { settle })
    expect(done.answer?.warning).toContain('Another process recorded the operation as confirmed')
  })
})

test('a failure to record says that the operation stays open only if it does', async () => {
  const settle = () => Promise.reject(new Error('full'))
  const refused = await refund(() => answer(400), { settle })
  expect(refused.error).toMatchObject({ code: 'outcome_unrecorded', exitCode: 10 })
  expect(refused.error?.message).toMatch(/Nothing was done, but that could not be recorded \(full\)$/)
  expect(refused.error?.details).toMatchObject({ outcome: 'unknown', operationId: 'op-1', httpStatus: 400 })
  expect(refused.error?.details.hint).toContain('To prevent that, run pay ops abandon op-1.')
  const unknown = await refund(() => answer(500), { settle })
  expect(unknown.error).toMatchObject({ code: 'outcome_unknown', exitCode: 10 })
  expect(unknown.error?.details.hint).toContain('could not be recorded, so the operation stays open: full')
  const gone = await refund(() => answer(400), { settle, isOurs: async () => false })
  expect(gone.error).toMatchObject({ code: 'outcome_unknown', exitCode: 10 })
  expect(gone.error?.message).toMatch(/, but another process has taken the write over, and may have done it$/)
})

test('a warning from the ledger is reported with the response, along with other warnings', async () => {
  const warning = 'Another key has one open.'
  expect((await refund(() => answer(200), { warning })).answer?.warning).toBe(warning)
  const settle = () => Promise.reject(new Error('full'))
  expect((await refund(() => answer(200), { warning, settle })).answer?.warning).toBe(
    `${warning} The service responded, but the outcome could not be recorded: full`,
  )
})

describe('resolving a write that another process has taken over', () => {
  const payment = JSON.stringify({ id: 'pay-1', status: 'SETTLED', transactions: [] })

  test('sends nothing, however long the confirmation took', async () => {
    const run = await runResolve(storedRefund({ isOurs: async () => false }), {
      read: () => answer(200, payment),
    })
    expect(run.writes).toEqual([])
    expect(run.resolution).toMatchObject({
      kind: 'in-doubt',
      words: 'Another process has taken over this operation: nothing was sent',
    })
  })

  test('is not sent once more', async () => {
    let asked = 0
    const fence = async () => {
      asked += 1
      return asked === 1
    }
    const run = await runResolve(storedRefund({ fence }), {
      read: () => answer(200, payment),
      write: () => answer(500),
      maxRetries: 3,
    })
    expect(run.writes).toHaveLength(1)
    expect(run.resolution.kind).toBe('in-doubt')
  })
})
