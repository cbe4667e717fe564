import { describe, expect, test } from 'vitest'
import type { BegunWrite, Standing } from '../../../src/client/ledger/port.ts'
import { PayError } from '../../../src/errors.ts'
import { TransportFailure } from '../../../src/client/http/transport-port.ts'
import { callOf, recordingLedger, runCall } from '../../support/client-bench.ts'
import type { BenchOptions } from '../../support/client-bench.ts'
import { storedRefund, runResolve } from '../recovery/resolve-bench.ts'

const answer = (status: number, body = '{"id":"pay-1"}') => ({ status, headers: {}, body })

/** A ledger whose open intents have these properties. */
const ledgerWith =
  (more: Partial<BegunWrite>): Exclude<BenchOptions['ledger'], undefined> =>
  (steps) => ({
    endedOn: async () => [],
    begin: async (...asked) => ({ ...(await recordingLedger(steps).begin(...asked)), ...more }),
  })

const refund = (service: BenchOptions['service'], more: Partial<BegunWrite>) =>
  runCall(callOf('payment.refund'), { service, ledger: ledgerWith(more) })

describe('a write that another process has taken over', () => {
  test.each<[string, BegunWrite['fence']]>([
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
    expect(run).toMatchObject({
      exitCode: 6,
      error: {
        code: 'lease_lapsed',
        message: expect.stringContaining('Nothing was sent: this process has lost its claim'),
        details: { retryable: false },
      },
    })
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
    expect(lost).toMatchObject({
      exitCode: 10,
      error: { code: 'outcome_unknown', message: expect.not.stringContaining('Nothing was sent') },
    })
    expect(lost.error?.details.hint).toContain('Another process recorded the operation as confirmed.')
    const refused = (): never => {
      throw new TransportFailure('refused', false, 'no program listens')
    }
    expect(await refund(refused, { settle })).toMatchObject({ exitCode: 6, error: { code: 'lease_lapsed' } })
    const done = await refund(() => answer(200), { settle })
    expect(done.answer?.warning).toContain('Another process recorded the operation as confirmed')
  })
})

describe('an outcome that could not be recorded', () => {
  const settle = () => Promise.reject(new Error('full'))
  const standings: Readonly<Record<Standing | 'unknown', BegunWrite['standing']>> = {
    ours: async () => 'ours',
    taken: async () => 'taken',
    ended: async () => 'ended',
    gone: async () => 'gone',
    unknown: () => Promise.reject(new Error('unreadable')),
  }
  const unsent = (): never => {
    throw new TransportFailure('refused', false, 'no program listens')
  }

  test.each([
    ['ours', 'The ledger has it as open: see pay ops show op-1.'],
    ['unknown', "Whether the ledger has it as open can't be told: see pay ops list."],
    ['gone', 'Nothing here blocks an equal write now.'],
  ] as const)('is told with a response, which keeps its exit code: %s', async (standing, after) => {
    const done = await refund(() => answer(200), { settle, standing: standings[standing] })
    expect(done).toMatchObject({ exitCode: 0 })
    expect(done.answer?.warning).toBe(
      `The service responded, but the outcome could not be recorded: full: ledger.db. ${after}`,
    )
  })

  const UNRECORDED = 'Nothing was done, but that could not be recorded (full: ledger.db)'
  test.each([
    ['ours', 10, 'outcome_unrecorded', UNRECORDED],
    ['unknown', 10, 'outcome_unrecorded', UNRECORDED],
    ['taken', 10, 'outcome_unknown', 'but another process has taken the write over, and may have done it'],
    ['ended', 10, 'outcome_unknown', 'but another process has taken the write over, and may have done it'],
    // Nothing can send what the ledger doesn't have.
    ['gone', 3, 'rejected', 'The service refused the request (400)'],
  ] as const)('of a refusal: %s', async (standing, exitCode, code, words) => {
    const { error } = await refund(() => answer(400), { settle, standing: standings[standing] })
    expect(error).toMatchObject({ exitCode, code })
    expect(error?.message).toContain(words)
    expect(error?.message).not.toContain('othing was sent')
    expect(error?.details.outcome).toBe(standing === 'gone' ? 'none' : 'unknown')
    expect(error?.details.httpStatus).toBe(400)
  })

  test.each([
    ['ours', 'pay ops resolve may send it again. To prevent that, run pay ops abandon op-1.'],
    ['unknown', 'If pay ops list shows it, pay ops resolve may send it again.'],
    ['gone', 'That could not be recorded: full: ledger.db.'],
  ] as const)('of a refusal says what can still send it: %s', async (standing, words) => {
    const { error } = await refund(() => answer(400), { settle, standing: standings[standing] })
    expect(error?.details.hint).toContain(words)
    expect(error?.details.hint?.includes('may send it')).toBe(standing !== 'gone')
  })

  test.each([
    [
      'ours',
      10,
      'outcome_unrecorded',
      /no program listens\. That could not be recorded \(full: ledger\.db\)$/,
    ],
    ['taken', 6, 'lease_lapsed', /^Nothing was sent, but another process has taken the write over/],
    ['gone', 9, 'not_connected', /^Nothing was sent: no program listens$/],
  ] as const)('of a write that was not sent: %s', async (standing, exitCode, code, words) => {
    const { error } = await refund(unsent, { settle, standing: standings[standing] })
    expect(error).toMatchObject({ exitCode, code })
    expect(error?.message).toMatch(words)
  })

  test.each([
    ['ours', 'so the operation stays open: full: ledger.db.'],
    [
      'unknown',
      'That could not be recorded: full: ledger.db. If pay ops list shows it, pay ops resolve finds out what happened',
    ],
    ['gone', 'Nothing here blocks an equal write now, so check the payment before you repeat it.'],
    ['taken', 'full: ledger.db.'],
  ] as const)('of an unknown outcome says "stays open" only if it does: %s', async (standing, words) => {
    const { error } = await refund(() => answer(500), { settle, standing: standings[standing] })
    expect(error).toMatchObject({ exitCode: 10, code: 'outcome_unknown' })
    expect(error?.details.hint).toContain(words)
    expect(error?.details.hint?.includes('stays open')).toBe(standing === 'ours')
    // Without a record, no command can show or resolve it.
    expect(error?.details.operationId).toBe(standing === 'gone' ? undefined : 'op-1')
  })

  test('of a write that lost its claim before it was sent names what became of the record', async () => {
    const fence = async () => false
    const gone = { fence, settle, standing: standings.gone }
    const { error } = await refund(unsent, gone)
    expect(error).toMatchObject({ exitCode: 6, code: 'lease_lapsed' })
    expect(error?.message).toBe('Nothing was sent: full: ledger.db')
    expect(error?.details.next).toEqual(['pay ops list'])
  })
})

describe('what was sent before', () => {
  const then = (first: number) => (_: unknown, __: unknown, index: number) => {
    if (index === 0) return answer(first)
    throw new TransportFailure('refused', false, 'no program listens')
  }

  test('makes "nothing was sent" untrue, even if the last attempt was not sent', async () => {
    const { error } = await refund(then(429), {})
    expect(error).toMatchObject({ exitCode: 9, message: 'Nothing was done: no program listens' })
  })

  test('makes a lost claim an unknown outcome', async () => {
    let asked = 0
    const fence = async () => {
      asked += 1
      return asked < 2
    }
    const { error, writes } = await refund(then(429), { fence })
    expect(writes).toHaveLength(2)
    expect(error).toMatchObject({ exitCode: 10, code: 'outcome_unknown' })
  })
})

test('a ledger that fails while the key is looked up leaves the outcome unknown', async () => {
  const used = '{"error":{"errorId":"TransactionRequestIdempotencyKeyAlreadyExists"}}'
  const isKeyTaken = () =>
    Promise.reject(new PayError('ledger_replaced', 6, 'The ledger was replaced', { outcome: 'none' }))
  const { error } = await refund((_, __, index) => (index === 0 ? answer(500) : answer(409, used)), {
    isKeyTaken,
  })
  expect(error).toMatchObject({ exitCode: 10, code: 'outcome_unknown', details: { outcome: 'unknown' } })
})

test('a warning from the ledger is reported with the response, along with other warnings', async () => {
  const warning = 'Another key has one open.'
  expect((await refund(() => answer(200), { warning })).answer?.warning).toBe(warning)
  const settle = () => Promise.reject(new Error('full'))
  expect((await refund(() => answer(200), { warning, settle })).answer?.warning).toContain(
    `${warning} The service responded, but the outcome could not be recorded: full`,
  )
})

describe('resolving a write that another process has taken over', () => {
  const payment = JSON.stringify({ id: 'pay-1', status: 'SETTLED', transactions: [] })

  test('sends nothing, however long the confirmation took', async () => {
    const run = await runResolve(storedRefund({ standing: async () => 'taken' }), {
      read: () => answer(200, payment),
    })
    expect(run.writes).toEqual([])
    expect(run.resolution).toMatchObject({
      kind: 'in-doubt',
      words: 'Another process has taken it over: nothing was sent.',
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
