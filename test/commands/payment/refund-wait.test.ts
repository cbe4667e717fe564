import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SERVICE_ENV } from '../../support/error-envelope.ts'
import { createBench, jsonAnswer } from '../../support/run-pay.ts'
import type { Bench, RunOptions } from '../../support/run-pay.ts'

let bench: Bench
beforeEach(() => {
  bench = createBench()
})
afterEach(() => {
  bench.dispose()
})

async function captured(token: string): Promise<string> {
  const created = await bench.runPay(
    `--sandbox payment create --token ${token} --amount '10.00 EUR' --order-id A-1 -o id`,
  )
  const id = created.stdout.trim()
  await bench.runPay(['--sandbox', 'payment', 'capture', id])
  return id
}

const refund = (processorStatus: string, more: object = {}) => ({
  transactionType: 'REFUND',
  processorTransactionId: 'r1',
  date: '2026-03-01T12:00:00',
  amount: 300,
  processorStatus,
  ...more,
})
const withRefunds = (...transactions: readonly object[]) => ({
  id: 'p1',
  status: 'SETTLED',
  currencyCode: 'EUR',
  transactions,
})

/** The refund is answered so, and each reading after it with the next of these; a number is a refusal. */
const service = (made: unknown, ...readings: readonly unknown[]): RunOptions => {
  let read = 0
  return {
    env: SERVICE_ENV,
    service: ({ method }) => {
      if (method === 'POST') return jsonAnswer(200, made)
      const reading = readings[Math.min(read, readings.length - 1)]
      read += 1
      return typeof reading === 'number' ? jsonAnswer(reading, {}) : jsonAnswer(200, reading)
    },
  }
}

const REFUND = 'payment refund p1 --amount 300 --wait'

const errorOf = (stderr: string): Record<string, unknown> => {
  const told: { error: Record<string, unknown> } = JSON.parse(stderr.trim().split('\n').at(-1) ?? '')
  return told.error
}

const recorded = async () => {
  const listed = await bench.runPay('ops list --operation payment.refund --json')
  const records: readonly { state: string; exitCode: number }[] = JSON.parse(listed.stdout)
  return records.map(({ state, exitCode }) => ({ state, exitCode }))
}

test('waits until the refund is settled, and prints the payment as it is then', async () => {
  const id = await captured('tok_visa')
  const made = await bench.runPay(`--sandbox payment refund ${id} --amount 300 --wait --for 2h --json`)
  expect(made.exitCode).toBe(0)
  expect(JSON.parse(made.stdout)).toMatchObject({
    id,
    transactions: [{}, { transactionType: 'REFUND', processorStatus: 'SETTLED' }],
  })
  expect(made.requests.filter(({ method }) => method === 'POST')).toHaveLength(1)
  expect(await recorded()).toEqual([{ state: 'confirmed', exitCode: 0 }])
})

test('says that the refund failed after it was taken', async () => {
  const id = await captured('tok_refund_fails')
  const made = await bench.runPay(`--sandbox payment refund ${id} --amount 300 --wait --for 2h --json`)
  expect(made.exitCode).toBe(13)
  expect(JSON.parse(made.stdout)).toMatchObject({ id, processor: { amountRefunded: 0 } })
  expect(errorOf(made.stderr)).toMatchObject({
    code: 'refund_failed',
    message: 'The refund was accepted, but has failed since: no money went back to the customer',
    next: [`pay --sandbox payment explain ${id}`],
    paymentId: id,
    paymentStatus: 'SETTLED',
  })
})

test('what is accepted and still pending carries no mark of a failure', async () => {
  const made = await bench.runPay(
    `${REFUND} --for 1s`,
    service(withRefunds(refund('PENDING')), withRefunds(refund('PENDING'))),
  )
  expect(made.exitCode).toBe(8)
  expect(made.stderr).toContain('The refund was accepted and is not final yet')
  expect(made.stderr).not.toContain('✗')
})

test('the reason that was given for a refund is not shown as why it failed', async () => {
  const asked = { reason: 'damaged in transit' }
  const failed = (more: object = {}) =>
    service(withRefunds(refund('PENDING', asked)), withRefunds(refund('FAILED', { ...asked, ...more })))
  const silent = await bench.runPay(REFUND, failed())
  expect(silent.exitCode).toBe(13)
  expect(silent.stdout.replaceAll(/\s+/g, ' ')).toContain(
    '✗ FAILED (no failure reason given; refund reason: damaged in transit)',
  )
  expect(silent.stderr).not.toContain('damaged')
  const told = await bench.runPay(
    `${REFUND} --json --again`,
    failed({
      processorStatusReason: { type: 'APPLICATION_ERROR', code: 'ERROR', message: 'account closed' },
    }),
  )
  expect(errorOf(told.stderr)).toMatchObject({
    paymentId: 'p1',
    reason: { type: 'APPLICATION_ERROR', code: 'ERROR', message: 'account closed' },
  })
})

test('a receipt tells how it ended', async () => {
  const id = await captured('tok_refund_fails')
  const made = await bench.runPay(`--sandbox payment refund ${id} --amount 300 --wait --for 2h --receipt`)
  expect(made.stdout).toContain('declined or failed')
})

test('is not read again where the answer tells already', async () => {
  const made = await bench.runPay(REFUND, service(withRefunds(refund('SETTLED'))))
  expect(made.exitCode).toBe(0)
  expect(made.requests).toHaveLength(1)
})

test('follows its own refund, not another of the same amount', async () => {
  const other = refund('FAILED', { processorTransactionId: 'r0', date: '2026-02-01T12:00:00' })
  const later = refund('FAILED', { processorTransactionId: 'r2', date: '2026-04-01T12:00:00' })
  const made = await bench.runPay(
    REFUND,
    service(withRefunds(other, refund('PENDING')), withRefunds(other, refund('SETTLED'), later)),
  )
  expect(made.exitCode).toBe(0)
})

test.each(['CANCELLED', 'REJECTED', 'DECLINED', 'FAILED'])(
  'a refund that is %s was not made',
  async (status) => {
    const made = await bench.runPay(
      `${REFUND} --json`,
      service(withRefunds(refund('PENDING')), withRefunds(refund(status))),
    )
    expect(made.exitCode).toBe(13)
    expect(errorOf(made.stderr)).toMatchObject({ code: 'refund_failed', outcome: 'none' })
  },
)

test.each(['CANCELLED', 'REJECTED'])('nor is one that is answered as %s', async (status) => {
  const made = await bench.runPay(REFUND, service(withRefunds(refund(status))))
  expect(made.exitCode).toBe(13)
})

test('a status that nobody here knows is waited for', async () => {
  const inReview = withRefunds(refund('IN_REVIEW'))
  const made = await bench.runPay(REFUND, service(inReview, inReview))
  expect(made.exitCode).toBe(8)
  expect(made.stderr).toContain('after 2m it is 3.00 EUR')
})

describe('is known for its own', () => {
  /** Nothing that tells it from another of the same amount. */
  const bare = (processorStatus: string) =>
    refund(processorStatus, { processorTransactionId: undefined, date: undefined })

  test.each([
    [
      'by its date, where an older one that failed has the same reference',
      [refund('FAILED', { date: '2026-02-01T12:00:00' }), refund('PENDING')],
      [refund('FAILED', { date: '2026-02-01T12:00:00' }), refund('SETTLED')],
    ],
    [
      'though its reference comes later',
      [refund('PENDING', { processorTransactionId: undefined })],
      [refund('SETTLED')],
    ],
    [
      'though its date moves',
      [refund('PENDING', { processorTransactionId: undefined })],
      [refund('SETTLED', { processorTransactionId: undefined, date: '2026-03-01T13:00:00' })],
    ],
    [
      'by dates that come later',
      [bare('FAILED'), bare('PENDING')],
      [refund('FAILED', { date: '2026-02-01T12:00:00' }), refund('SETTLED')],
    ],
    [
      'though the list is turned round',
      [refund('FAILED', { date: '2026-02-01T12:00:00' }), refund('PENDING')],
      [refund('SETTLED'), refund('FAILED', { date: '2026-02-01T12:00:00' })],
    ],
  ])('%s', async (_, before, after) => {
    const made = await bench.runPay(REFUND, service(withRefunds(...before), withRefunds(...after)))
    expect(made.exitCode).toBe(0)
  })

  const other = (status: string) => refund(status, { date: '2026-02-01T12:00:00' })

  test.each([
    [
      'of two that nothing tells apart one failed',
      [bare('PENDING'), bare('PENDING')],
      [bare('SETTLED'), bare('FAILED')],
    ],
    [
      'another becomes the latest',
      [other('PENDING'), refund('PENDING')],
      [refund('FAILED', { date: '2026-04-01T12:00:00' }), refund('SETTLED')],
    ],
    [
      'a newer one comes before it',
      [refund('PENDING')],
      [refund('FAILED', { date: '2026-04-01T12:00:00' }), refund('PENDING'), { transactionType: 'SALE' }],
    ],
    ['it is no longer there', [other('FAILED'), refund('PENDING')], [other('FAILED')]],
  ])('and is not said to have failed where %s', async (_, before, after) => {
    const sale = { transactionType: 'SALE' }
    const made = await bench.runPay(
      REFUND,
      service(withRefunds(...before, sale), withRefunds(...after, sale)),
    )
    expect(made.exitCode).toBe(8)
  })

  test('and has failed where each one that it may be has', async () => {
    const before = withRefunds(bare('PENDING'), bare('PENDING'))
    const made = await bench.runPay(REFUND, service(before, withRefunds(bare('FAILED'), bare('FAILED'))))
    expect(made.exitCode).toBe(13)
  })
})

describe('what cannot be watched to its end never reads as if nothing was refunded', () => {
  const PENDING = withRefunds(refund('PENDING'))

  test.each([
    ['the time is up', PENDING, 'after 2m it is 3.00 EUR … PENDING'],
    ['the service fails', 503, 'the last reading failed'],
    ['the key may not read', 403, 'it could not be watched'],
    ['the payment cannot be found', 404, 'it could not be watched'],
  ])('%s', async (_, reading, words) => {
    const made = await bench.runPay(`${REFUND} --json`, service(PENDING, reading))
    expect(made.exitCode).toBe(8)
    expect(JSON.parse(made.stdout)).toEqual(PENDING)
    const error = errorOf(made.stderr)
    expect(error).toMatchObject({
      code: 'not_finished',
      exitCode: 8,
      outcome: 'applied',
      retryable: false,
      next: ['pay payment wait p1 --refund'],
    })
    expect(error['message']).toContain('The refund was accepted and is not final yet')
    expect(error['message']).toContain(words)
    expect(await recorded()).toEqual([{ state: 'confirmed', exitCode: 0 }])
  })

  test('somebody stops it', async () => {
    const stopped = new AbortController()
    const made = await bench.runPay(`${REFUND} --json`, {
      ...service(PENDING, PENDING),
      signal: stopped.signal,
      service: ({ method }) => {
        if (method === 'GET') stopped.abort('SIGINT')
        return jsonAnswer(200, PENDING)
      },
    })
    expect(made.exitCode).toBe(8)
    expect(errorOf(made.stderr)).toMatchObject({ code: 'not_finished', outcome: 'applied' })
  })

  test('an answer of no shape that is known, and no refund to be seen', async () => {
    const made = await bench.runPay(
      `${REFUND} --for 5s`,
      service({ id: 'p1', transactions: 'done' }, withRefunds()),
    )
    expect(made.exitCode).toBe(8)
    expect(made.stderr).toContain('no refund of it is to be seen yet')
  })
})

test('the processor that never answered leaves it unknown', async () => {
  const timedOut = refund('FAILED', { processorStatusReason: { type: 'GATEWAY_TIMEOUT' } })
  const made = await bench.runPay(
    `${REFUND} --json`,
    service(withRefunds(refund('PENDING')), withRefunds(timedOut)),
  )
  expect(made).toMatchObject({ exitCode: 10, stdout: '' })
  expect(errorOf(made.stderr)).toMatchObject({
    code: 'outcome_unknown',
    outcome: 'unknown',
    retryable: false,
  })
})

test('a refund that is refused is not waited for', async () => {
  const made = await bench.runPay(REFUND, {
    env: SERVICE_ENV,
    service: () => jsonAnswer(422, { error: { errorId: 'UnprocessableRefundAmount' } }),
  })
  expect(made).toMatchObject({ exitCode: 3, stdout: '' })
  expect(made.requests).toHaveLength(1)
})

test.each([
  ['--for 5m', 'Add --wait'],
  ['--wait --for soon', '--for takes a duration'],
])('%s is refused before anything is sent', async (flags, words) => {
  const made = await bench.runPay(`payment refund p1 --amount 300 ${flags}`, service({}))
  expect(made).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
  expect(made.stderr).toContain(words)
})

test('--dry-run waits for nothing', async () => {
  const shown = await bench.runPay(`--sandbox ${REFUND} --dry-run`)
  expect(shown).toMatchObject({ exitCode: 0, requests: [] })
})
