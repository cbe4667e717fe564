import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SERVICE_ENV } from '../../../support/error-envelope.ts'
import { createBench, jsonAnswer } from '../../../support/run-pay.ts'
import type { Bench, RunOptions } from '../../../support/run-pay.ts'

let bench: Bench

beforeEach(() => {
  bench = createBench()
})

afterEach(() => {
  bench.dispose()
})

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

test('follows its own refund, not another of the same amount', async () => {
  const other = refund('FAILED', { processorTransactionId: 'r0', date: '2026-02-01T12:00:00' })
  const later = refund('FAILED', { processorTransactionId: 'r2', date: '2026-04-01T12:00:00' })
  const made = await bench.runPay(
    REFUND,
    service(withRefunds(other, refund('PENDING')), withRefunds(other, refund('SETTLED'), later)),
  )
  expect(made.exitCode).toBe(0)
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
