import { describe, expect, test } from 'vitest'
import { SERVICE_ENV } from '../../support/error-envelope.ts'
import { jsonAnswer } from '../../support/run-pay.ts'
import { useBench } from '../../support/use-bench.ts'
import type { RunOptions } from '../../support/run-pay.ts'
import { storeProfile } from '../../support/stored-profile.ts'
import { errorOf, writesOf } from '../../support/run-result.ts'
import { PAID, REFUND, listing } from './order-listing.ts'

const bench = useBench()

async function captured(orderId: string): Promise<string> {
  const created = await bench.runPay([
    ...'--sandbox payment create --token tok_visa --amount 1250 --currency EUR -o id --order-id'.split(' '),
    orderId,
  ])
  const id = created.stdout.trim()
  await bench.runPay(['--sandbox', 'payment', 'capture', id])
  bench.clock.now = new Date(bench.clock.now.getTime() + 60_000)
  return id
}

describe('one payment of the order', () => {
  test('is refunded as if given by id, and is named on stderr', async () => {
    const id = await captured('ORD-77')
    await captured('ORD-7')
    const found = await bench.runPay("--sandbox payment refund --order ORD-77 --amount '12.50 EUR'")
    expect(found.exitCode).toBe(0)
    expect(found.stderr).toContain(`Order ORD-77: payment ${id}: ✓ Settled, 12.50 EUR, VISA •••• 1111, `)
    expect(writesOf(found).map(({ method }) => method)).toEqual(['POST'])
    expect(found.requests.at(-1)).toMatchObject({ url: expect.stringContaining(`/payments/${id}/refund`) })
    const recorded = await bench.runPay(
      `ops list --target ${id} --operation payment.refund --query [].target`,
    )
    expect(JSON.parse(recorded.stdout)).toEqual([id])
  })

  test('is captured', async () => {
    await bench.runPay(
      '--sandbox payment create --token tok_visa --amount 1000 --currency EUR --order-id A-1 -o id',
    )
    const found = await bench.runPay('--sandbox payment capture --order A-1 --query status')
    expect(found).toMatchObject({ exitCode: 0, stdout: '"SETTLED"\n' })
  })

  test('is refunded with the same request as by id', async () => {
    const byOrder = await bench.runPay(REFUND, listing([PAID]))
    const byId = await bench.runPay('payment refund p1 --amount 300 --again', listing([PAID]))
    const [[sent], [typed]] = [writesOf(byOrder), writesOf(byId)]
    expect({ ...sent, headers: {} }).toEqual({ ...typed, headers: {} })
  })

  test('is previewed and confirmed on a live profile', async () => {
    await storeProfile(bench, { mode: 'live' })
    const options = { ...listing([PAID]), env: {} }
    const refused = await bench.runPay(`-p shop ${REFUND}`, options)
    expect(refused.exitCode).toBe(2)
    expect(writesOf(refused)).toEqual([])
    const asked = await bench.runPay(`-p shop ${REFUND}`, {
      ...options,
      answers: { 'Refund 3.00 EUR of payment p1 on LIVE profile shop?': false },
    })
    expect(asked.exitCode).toBe(2)
    expect(writesOf(asked)).toEqual([])
  })

  test('cannot be refunded again by id while the first refund is in doubt', async () => {
    const service: RunOptions['service'] = ({ method }) =>
      method === 'GET' ? jsonAnswer(200, { data: [PAID] }) : jsonAnswer(503, {})
    const lost = await bench.runPay(`${REFUND} --max-retries 0`, { env: SERVICE_ENV, service })
    expect(lost.exitCode).toBe(10)
    expect((await bench.runPay('payment refund p1', listing([PAID]))).exitCode).toBe(6)
  })

  test('is not named with --quiet', async () => {
    expect((await bench.runPay(`${REFUND} -q`, listing([PAID]))).stderr).toBe('')
  })

  test('is found on the second page', async () => {
    const other = { ...PAID, id: 'p0', orderId: 'a-1' }
    const found = await bench.runPay(REFUND, listing([other], [PAID]))
    expect(found.exitCode).toBe(0)
    expect(found.requests.at(-1)?.url).toContain('/payments/p1/refund')
  })
})

test('a payment on two pages counts once', async () => {
  expect((await bench.runPay(REFUND, listing([PAID], [PAID]))).exitCode).toBe(0)
})

describe('several payments of the order', () => {
  const TWO = [PAID, { ...PAID, id: 'p2', status: 'DECLINED' }]

  test('are offered on a terminal', async () => {
    const old = await captured('ORD-77')
    await captured('ORD-77')
    const picked = await bench.runPay('--sandbox payment refund --order ORD-77 --amount 300', {
      answers: { Payment: old },
    })
    expect(picked.exitCode).toBe(0)
    expect(picked.offered['Payment']).toHaveLength(2)
    expect(picked.offered['Payment']?.at(-1)).toContain(old)
    expect(picked.offered['Payment']?.at(-1)).toContain('✓ Settled')
    expect(picked.requests.at(-1)?.url).toContain(`/payments/${old}/refund`)
  })

  test('are listed in a script, which sends nothing', async () => {
    const found = await bench.runPay(REFUND, listing(TWO))
    expect(found).toMatchObject({ exitCode: 2, stdout: '' })
    expect(writesOf(found)).toEqual([])
    expect(found.stderr).toMatch(/^p1 +✓ Settled +12\.50 EUR$/m)
    expect(found.stderr).toMatch(/^p2 +✗ Declined +12\.50 EUR$/m)
    expect(found.stderr).toContain('2 payments match order A-1')
  })

  test('are suggested in the JSON error', async () => {
    const found = await bench.runPay(`${REFUND} --json`, listing(TWO))
    expect(found.exitCode).toBe(2)
    expect(found.stderr.trim().split('\n')).toHaveLength(1)
    expect(errorOf(found)).toMatchObject({
      code: 'several_payments',
      outcome: 'none',
      next: ['pay payment explain p1', 'pay payment explain p2'],
    })
  })

  test('are found on two pages', async () => {
    const found = await bench.runPay(REFUND, listing([PAID], [{ ...PAID, id: 'p2' }]))
    expect(found.exitCode).toBe(2)
    expect(writesOf(found)).toEqual([])
  })

  test('are refused with --yes too, which confirms but does not choose', async () => {
    const found = await bench.runPay(`${REFUND} --yes`, listing(TWO))
    expect(found.exitCode).toBe(2)
    expect(writesOf(found)).toEqual([])
  })
})

describe('no payment of the order', () => {
  test('says what was searched', async () => {
    const found = await bench.runPay('--sandbox payment refund --order ORD-78')
    expect(found).toMatchObject({ exitCode: 5, stdout: '' })
    expect(writesOf(found)).toEqual([])
    expect(found.stderr).toContain('No payment found for order ORD-78')
    expect(found.stderr).toContain('on profile sandbox (test, http://sandbox.localhost)')
    expect(found.stderr).toContain('the key may list payments')
  })

  test('ignores a payment of another order in the response', async () => {
    const found = await bench.runPay(REFUND, listing([{ ...PAID, orderId: 'A-10' }]))
    expect(found.exitCode).toBe(5)
  })

  test('does not treat a comma as "or"', async () => {
    await captured('A')
    const found = await bench.runPay('--sandbox payment refund --order A,B --json')
    expect(found.exitCode).toBe(5)
    expect(errorOf(found)).toMatchObject({
      code: 'no_such_order',
      hint: expect.stringContaining('read the comma as "or"'),
    })
  })
})

test('text from the service cannot control the terminal', async () => {
  const hostile = { ...PAID, status: 'SETTLED\u001b[2J', amount: 5, currencyCode: '\u0007' }
  const found = await bench.runPay(REFUND, listing([hostile, { ...hostile, id: 'p\u001b[5m2' }]))
  expect(found.exitCode).toBe(2)
  for (const sign of ['\u001b', '\u0007']) expect(found.stderr).not.toContain(sign)
})
