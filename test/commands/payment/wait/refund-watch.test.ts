import { describe, expect, test } from 'vitest'
import { useBench } from '../../../support/use-bench.ts'
import { errorOf } from '../../../support/run-result.ts'
import { createCaptured, paid, reading } from './readings.ts'
import type { Reading } from './readings.ts'

const bench = useBench()

describe('--refund', () => {
  const refund = (processorStatus: string, more: object = {}) => ({
    transactionType: 'REFUND',
    processorTransactionId: 'r1',
    amount: 300,
    processorStatus,
    ...more,
  })
  const UNNAMED = refund('PENDING', { processorTransactionId: undefined })
  const withRefunds = (...transactions: readonly object[]): Reading =>
    paid('SETTLED', { currencyCode: 'EUR', transactions: [{ transactionType: 'SALE' }, ...transactions] })

  test('waits until the refund is settled', async () => {
    const id = await createCaptured(bench, 'tok_visa')
    await bench.runPay(`--sandbox payment refund ${id} --amount 300`)
    expect((await bench.runPay(`--sandbox payment wait ${id} --refund --for 10s`)).exitCode).toBe(8)
    expect((await bench.runPay(`--sandbox payment wait ${id} --refund --for 2h`)).exitCode).toBe(0)
  })

  test('exits 13 if the refund fails, and prints the payment', async () => {
    const id = await createCaptured(bench, 'tok_refund_fails')
    await bench.runPay(`--sandbox payment refund ${id} --amount 300`)
    const waited = await bench.runPay(`--sandbox payment wait ${id} --refund --for 2h --json`)
    expect(waited.exitCode).toBe(13)
    expect(JSON.parse(waited.stdout)).toMatchObject({ id, status: 'SETTLED' })
    expect(errorOf(waited)).toMatchObject({ code: 'refund_failed', exitCode: 13, outcome: 'none' })
  })

  test('is refused for a payment without refunds', async () => {
    const waited = await bench.runPay('payment wait p1 --refund --json', reading(withRefunds()))
    expect(waited).toMatchObject({ exitCode: 6, stdout: '' })
    expect(errorOf(waited)).toMatchObject({ code: 'no_refund' })
  })

  test('watches pending refunds and ignores those that failed earlier', async () => {
    const before = refund('FAILED', { processorTransactionId: 'r0' })
    const answers = reading(withRefunds(before, refund('PENDING')), withRefunds(before, refund('SETTLED')))
    expect((await bench.runPay('payment wait p1 --refund', answers)).exitCode).toBe(0)
  })

  test('waits for all pending refunds and exits 13 if one fails', async () => {
    const other = (status: string) => refund(status, { processorTransactionId: 'r2' })
    const answers = reading(
      withRefunds(refund('PENDING'), other('PENDING')),
      withRefunds(refund('FAILED'), other('PENDING')),
      withRefunds(refund('FAILED'), other('SETTLED')),
    )
    const waited = await bench.runPay('payment wait p1 --refund', answers)
    expect(waited.exitCode).toBe(13)
    expect(waited.requests).toHaveLength(3)
  })

  test.each([
    [
      'with the reference of one that failed earlier',
      [refund('FAILED'), refund('PENDING')],
      [refund('FAILED'), refund('SETTLED')],
    ],
    ['whose reference appears later', [UNNAMED], [refund('SETTLED')]],
    [
      'whose date changes',
      [refund('PENDING', { processorTransactionId: undefined, date: '2026-03-01T12:00:00' })],
      [refund('SETTLED', { processorTransactionId: undefined, date: '2026-03-01T13:00:00' })],
    ],
    ['while another is created and fails', [refund('PENDING')], [refund('SETTLED'), refund('FAILED')]],
  ])('follows a refund %s', async (_, before, after) => {
    const answers = reading(withRefunds(...before), withRefunds(...after))
    expect((await bench.runPay('payment wait p1 --refund', answers)).exitCode).toBe(0)
  })

  test.each([
    ['has disappeared', [refund('FAILED'), refund('PENDING')], [refund('FAILED')]],
    ['has a different amount', [refund('PENDING')], [refund('FAILED', { amount: 200 })]],
    [
      'has moved in the list, with one of its amount not failed',
      [refund('PENDING'), refund('FAILED')],
      [refund('FAILED'), refund('SETTLED')],
    ],
  ])('does not report the failure of a refund that %s', async (_, before, after) => {
    const answers = reading(withRefunds(...before), withRefunds(...after))
    const waited = await bench.runPay('payment wait p1 --refund', answers)
    expect(waited.exitCode).toBe(8)
  })

  test.each([
    ['SETTLED', '', 0],
    ['CANCELLED', '', 13],
    ['REJECTED', '', 13],
    ['AUTHORIZED', '', 8],
    ['IN_REVIEW', '', 8],
    ['IN_REVIEW', '--until IN_REVIEW', 0],
    ['CANCELLED', '--until CANCELLED', 13],
    ['SETTLED', '--until CANCELLED', 8],
  ])('a refund that becomes %s, with "%s", exits %i', async (status, until, exitCode) => {
    const answers = reading(withRefunds(refund('PENDING')), withRefunds(refund(status)))
    const waited = await bench.runPay(`payment wait p1 --refund ${until}`, answers)
    expect(waited.exitCode).toBe(exitCode)
  })

  test('watches a refund with an unknown status', async () => {
    const old = refund('SETTLED', { date: '2026-01-02T00:00:00' })
    const unknown = refund('IN_REVIEW', { date: '2026-01-01T00:00:00' })
    const waited = await bench.runPay('payment wait p1 --refund', reading(withRefunds(unknown, old)))
    expect(waited.exitCode).toBe(8)
  })

  test('reports the latest refund if none is pending', async () => {
    const old = refund('SETTLED', { processorTransactionId: 'r0', date: '2026-01-01T00:00:00' })
    const last = refund('FAILED', { date: '2026-01-02T00:00:00' })
    expect((await bench.runPay('payment wait p1 --refund', reading(withRefunds(last, old)))).exitCode).toBe(
      13,
    )
  })
})
