import { describe, expect, test } from 'vitest'
import { useBench } from '../../../support/use-bench.ts'
import { REFUND, refund, service, withRefunds } from './refund-readings.ts'

const bench = useBench()
const UNNAMED = refund('PENDING', { processorTransactionId: undefined })

test('follows its own refund, not another of the same amount', async () => {
  const other = refund('FAILED', { processorTransactionId: 'r0', date: '2026-02-01T12:00:00' })
  const later = refund('FAILED', { processorTransactionId: 'r2', date: '2026-04-01T12:00:00' })
  const made = await bench.runPay(
    REFUND,
    service(withRefunds(other, refund('PENDING')), withRefunds(other, refund('SETTLED'), later)),
  )
  expect(made.exitCode).toBe(0)
})

describe('recognizes its own refund', () => {
  /** Without a field that distinguishes it from another refund of the same amount. */
  const bare = (processorStatus: string) =>
    refund(processorStatus, { processorTransactionId: undefined, date: undefined })

  test.each([
    [
      'by its date if an older failed one has the same reference',
      [refund('FAILED', { date: '2026-02-01T12:00:00' }), refund('PENDING')],
      [refund('FAILED', { date: '2026-02-01T12:00:00' }), refund('SETTLED')],
    ],
    ['if its reference appears later', [UNNAMED], [refund('SETTLED')]],
    [
      'if its date changes',
      [UNNAMED],
      [refund('SETTLED', { processorTransactionId: undefined, date: '2026-03-01T13:00:00' })],
    ],
    [
      'by dates that appear later',
      [bare('FAILED'), bare('PENDING')],
      [refund('FAILED', { date: '2026-02-01T12:00:00' }), refund('SETTLED')],
    ],
    [
      'if the list is reversed',
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
      'one of two indistinguishable refunds failed',
      [bare('PENDING'), bare('PENDING')],
      [bare('SETTLED'), bare('FAILED')],
    ],
    [
      'another refund becomes the latest',
      [other('PENDING'), refund('PENDING')],
      [refund('FAILED', { date: '2026-04-01T12:00:00' }), refund('SETTLED')],
    ],
    [
      'a newer refund precedes it',
      [refund('PENDING')],
      [refund('FAILED', { date: '2026-04-01T12:00:00' }), refund('PENDING'), { transactionType: 'SALE' }],
    ],
    ['it has disappeared', [other('FAILED'), refund('PENDING')], [other('FAILED')]],
  ])('does not report a failure if %s', async (_, before, after) => {
    const sale = { transactionType: 'SALE' }
    const made = await bench.runPay(
      REFUND,
      service(withRefunds(...before, sale), withRefunds(...after, sale)),
    )
    expect(made.exitCode).toBe(8)
  })

  test('reports a failure if every candidate failed', async () => {
    const before = withRefunds(bare('PENDING'), bare('PENDING'))
    const made = await bench.runPay(REFUND, service(before, withRefunds(bare('FAILED'), bare('FAILED'))))
    expect(made.exitCode).toBe(13)
  })
})
