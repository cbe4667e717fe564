import { describe, expect, test } from 'vitest'
import { jsonAnswer } from '../support/run-pay.ts'
import { useBench } from '../support/use-bench.ts'
import type { RunOptions } from '../support/run-pay.ts'
import { errorOf } from '../support/run-result.ts'

const PAYMENT = { id: 'p1', status: 'SETTLED', currencyCode: 'EUR', amount: 1_000 }

const bench = useBench({})
const pay = (line: string, options: RunOptions = {}) =>
  bench.runPay(line, { service: () => jsonAnswer(200, PAYMENT), ...options })
const lose = (line: string) =>
  pay(`${line} --max-retries 0`, {
    service: ({ method }) => jsonAnswer(method === 'GET' ? 200 : 504, method === 'GET' ? PAYMENT : {}),
  })
const later = (minutes: number) => {
  bench.clock.now = new Date(bench.clock.now.getTime() + minutes * 60_000)
}

describe('a write on a target with a write in doubt', () => {
  test('is refused with what is in doubt, since when, by whom, what that means and what to type', async () => {
    expect((await lose("payment refund p1 --amount '3.00 EUR'")).exitCode).toBe(10)
    later(3)
    const blocked = await pay('payment capture p1 --amount 100')
    expect(blocked).toMatchObject({ exitCode: 6, stdout: '', requests: [] })
    const [{ id }] = JSON.parse((await pay('ops list --json')).stdout)
    expect(blocked.stderr).toBe(
      [
        '✗ Nothing was sent: a refund of 3.00 EUR on payment p1 is in doubt, started 3 minutes ago by tester',
        '  Hint   It may have been done, and this write would come on top of it. Resolve it first: resolving never does it twice.',
        `  Next   pay ops resolve ${id}`,
        `         pay ops show ${id}`,
        `  Quote  operation ${id}`,
        '',
      ].join('\n'),
    )
  })

  test('is refused to a script with the operation and what to type', async () => {
    await lose('payment refund p1 --amount 300')
    const error = errorOf(await pay('payment refund p1 --amount 300 --json'))
    const [{ id }] = JSON.parse((await pay('ops list --json')).stdout)
    expect(error).toMatchObject({
      code: 'open_intent',
      exitCode: 6,
      operation: 'payment.refund',
      operationId: id,
      outcome: 'none',
      retryable: false,
      next: [`pay ops resolve ${id}`, `pay ops show ${id}`],
    })
  })

  test('that is safe to repeat says to type the other one again', async () => {
    await lose('observability update rec-1 --amount 5')
    const blocked = await pay('observability update rec-1 --amount 6')
    expect(blocked.exitCode).toBe(6)
    expect(blocked.stderr).toContain('Running that command again is harmless')
    expect(blocked.stderr).not.toContain('pay ops resolve')
  })

  test.each([
    ['payment adjust p1 --amount 500', 'an adjustment to 5.00 EUR on payment p1'],
    ['payment cancel p1', 'a cancellation on payment p1'],
    ['payment create --token t --amount 5 --currency JPY --order-id A-1', 'a payment of 5 JPY on order A-1'],
    [
      'loyalty redeem --connection-id c --customer-id x --order-id o --value 250',
      'a transaction of 250 points',
    ],
    ['api POST /unknown', 'a call of pay api on the same target'],
  ])('pay %s is named in words', async (line, words) => {
    expect((await lose(line)).exitCode).toBe(10)
    expect((await pay(`${line} --json`)).stderr).toContain(words)
  })

  test.each([
    [0, 'less than a minute ago'],
    [1, '1 minute ago'],
    [59, '59 minutes ago'],
    [60, '1 hour ago (2026-03-01 12:00 UTC)'],
    [47 * 60 + 59, '47 hours ago (2026-03-01 12:00 UTC)'],
    [48 * 60, '2 days ago (2026-03-01 12:00 UTC)'],
  ])('%i minutes later says that it began %s', async (minutes, words) => {
    await lose('payment cancel p1')
    later(minutes)
    expect((await pay('payment cancel p1')).stderr).toContain(words)
  })

  test('is possible again once the doubt is resolved', async () => {
    const id = (
      await bench.runPay(
        "--sandbox payment create --token tok_autocapture --amount '10.00 EUR' --order-id A-1 -o id",
      )
    ).stdout.trim()
    await bench.runPay(
      "--sandbox sandbox faults add --on 'POST /payments/*/refund' --do drop-after --times 1",
    )
    const lost = await bench.runPay(`--sandbox payment refund ${id} --amount 300 --max-retries 0`)
    expect(lost.exitCode).toBe(10)
    expect((await bench.runPay(`--sandbox payment refund ${id} --amount 300`)).exitCode).toBe(6)
    expect((await bench.runPay('ops resolve --all')).exitCode).toBe(0)
    const read = JSON.parse((await bench.runPay(`--sandbox payment get ${id} --json`)).stdout)
    expect(read.processor.amountRefunded).toBe(300)
    expect((await bench.runPay(`--sandbox payment refund ${id} --amount 400`)).exitCode).toBe(0)
  })
})
