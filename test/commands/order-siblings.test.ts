import { describe, expect, test } from 'vitest'
import { jsonAnswer } from '../support/run-pay.ts'
import type { RunOptions } from '../support/run-pay.ts'
import { writesOf } from '../support/run-result.ts'
import { storeProfile } from '../support/stored-profile.ts'
import { useBench } from '../support/use-bench.ts'

const bench = useBench()

const paid = (id: string, more: object = {}) => ({
  id,
  orderId: 'B-500',
  status: 'SETTLED',
  currencyCode: 'EUR',
  amount: 6490,
  date: '2026-02-27T23:30:00.000000',
  processor: { amountCaptured: 6490, amountRefunded: 0 },
  ...more,
})
const REFUNDED = paid('p2', { processor: { amountCaptured: 6490, amountRefunded: 6490 } })

/** A service whose first payment is `p1`, and whose list has these payments. */
const shop =
  (listed: readonly object[], first: object = paid('p1')): RunOptions['service'] =>
  ({ url, method }) =>
    method === 'GET' && new URL(url).pathname.endsWith('/payments')
      ? jsonAnswer(200, { data: listed })
      : jsonAnswer(200, first)

describe('an order that was paid twice', () => {
  test.each(['refund', 'capture'])('is named before the question of a %s', async (verb) => {
    await storeProfile(bench, { mode: 'live' })
    const status = verb === 'refund' ? {} : { status: 'AUTHORIZED', processor: { amountCaptured: 0 } }
    const ran = await bench.runPay(`payment ${verb} p1 --amount 500`, {
      service: shop([REFUNDED, paid('p1')], paid('p1', status)),
      answers: { Confirm: false },
      columns: 200,
      env: { NO_COLOR: '1' },
    })
    expect(ran.stderr).toMatch(
      /^! The order has another payment, p2: ✓ Refunded, 64\.90 EUR, 2026-02-27 23:30:00 UTC\.$/m,
    )
    expect(writesOf(ran)).toEqual([])
  })

  test('stands out in the explanation of either payment', async () => {
    await storeProfile(bench, { mode: 'live' })
    const service = shop([REFUNDED, paid('p1')])
    const { stdout } = await bench.runPay('payment explain p1 --query standsOut', { service })
    expect(JSON.parse(stdout)).toEqual([
      {
        kind: 'other_payment',
        id: 'p2',
        status: 'SETTLED',
        amount: 6490,
        currencyCode: 'EUR',
        captured: 6490,
        refunded: 6490,
        at: '2026-02-27T23:30:00.000000',
      },
    ])
    const shown = await bench.runPay('payment explain p1', { service })
    expect(shown.stdout).toContain('What stands out\n  ! The order has another payment, p2: ✓ Refunded')
  })
})

test.each<[string, readonly object[]]>([
  ['declined', [paid('p2', { status: 'DECLINED' })]],
  ['of another order', [paid('p2', { orderId: 'B-501' })]],
  ['the same one', [paid('p1')]],
])('another payment is not named if it is %s', async (_, listed) => {
  await storeProfile(bench, { mode: 'live' })
  const { stdout, stderr } = await bench.runPay('payment explain p1', { service: shop(listed) })
  expect(stdout).not.toContain('another payment')
  expect(stderr).toBe('')
})

test('where the list cannot be read, a warning says so', async () => {
  await storeProfile(bench, { mode: 'live' })
  const ran = await bench.runPay('payment explain p1', {
    service: ({ url }) =>
      new URL(url).pathname.endsWith('/payments') ? jsonAnswer(403, {}) : jsonAnswer(200, paid('p1')),
  })
  expect(ran.exitCode).toBe(0)
  expect(ran.stderr).toContain('Whether order B-500 has other payments could not be read')
})
