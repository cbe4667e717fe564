import { describe, expect, test } from 'vitest'
import { SERVICE_ENV } from '../../support/error-envelope.ts'
import { jsonAnswer } from '../../support/run-pay.ts'
import { useBench } from '../../support/use-bench.ts'
import { writesOf } from '../../support/run-result.ts'

const bench = useBench()

async function create(token: string): Promise<string> {
  const made = await bench.runPay(
    `--sandbox payment create --token ${token} --amount '10.00 EUR' --order-id D-1 -o id`,
  )
  bench.clock.now = new Date(bench.clock.now.getTime() + 60_000)
  return made.stdout.trim()
}

const refund = (more = '') => bench.runPay(`--sandbox payment refund --order D-1 ${more}`)

test('an order that was declined and then paid is refunded, and the decline is named', async () => {
  const declined = await create('tok_declined')
  const paid = await create('tok_autocapture')
  const done = await refund("--amount '4.00 EUR'")
  expect(done).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(`Order D-1: payment ${paid}: `) })
  expect(done.stderr).toContain('Its other payments never captured anything:')
  expect(done.stderr).toMatch(new RegExp(`  ${declined}: .*Declined`))
  expect(writesOf(done)).toHaveLength(1)
  expect(writesOf(done)[0]?.url).toContain(`/payments/${paid}/refund`)
})

test('two settled payments of an order stay refused, even when one is fully refunded', async () => {
  const first = await create('tok_autocapture')
  await create('tok_autocapture')
  expect(await refund()).toMatchObject({ exitCode: 2 })
  await bench.runPay(`--sandbox payment refund ${first}`)
  const again = await refund('--json')
  expect(again).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('several_payments') })
  expect(writesOf(again)).toEqual([])
})

test('a repeated command does not walk on to a payment made since', async () => {
  await create('tok_autocapture')
  expect(await refund('--once T9')).toMatchObject({ exitCode: 0 })
  await create('tok_autocapture')
  const again = await refund('--once T9')
  expect(again.exitCode).toBe(2)
  expect(writesOf(again)).toEqual([])
})

test('one ticket has another key on another payment', async () => {
  const ids = [await create('tok_autocapture'), await create('tok_autocapture')]
  const keys: unknown[] = []
  for (const id of ids) {
    const done = await bench.runPay(`--sandbox payment refund ${id} --once T9`)
    keys.push(writesOf(done)[0]?.headers['x-idempotency-key'])
  }
  expect(new Set(keys).size).toBe(2)
})

describe('where the list lacks the figures', () => {
  const PAID = { id: 'p-paid', orderId: 'D-1', status: 'SETTLED', currencyCode: 'EUR', amount: 500 }
  const CANCELLED = { ...PAID, id: 'p-1', status: 'CANCELLED' }
  const LIST = { data: [CANCELLED, PAID] }
  const refundAmong = (full: (path: string) => ReturnType<typeof jsonAnswer>) =>
    bench.runPay('payment refund --order D-1 --amount 5 --max-retries 0 --json', {
      env: SERVICE_ENV,
      service: ({ url }) => {
        const { pathname } = new URL(url)
        return pathname === '/payments' ? jsonAnswer(200, LIST) : full(pathname)
      },
    })

  test('the others are read, and the payment is the one that is left', async () => {
    const done = await refundAmong((path) =>
      path === '/payments/p-1'
        ? jsonAnswer(200, { ...CANCELLED, processor: { amountCaptured: 0, amountRefunded: 0 } })
        : jsonAnswer(200, PAID),
    )
    expect(done.exitCode).toBe(0)
    expect(writesOf(done).map(({ url }) => new URL(url).pathname)).toEqual(['/payments/p-paid/refund'])
  })

  test.each([
    ['one captured something', () => jsonAnswer(200, { ...CANCELLED, processor: { amountCaptured: 1 } })],
    ['one still shows none', () => jsonAnswer(200, CANCELLED)],
    ['one cannot be read', () => jsonAnswer(503, {})],
    ['one is another payment', () => jsonAnswer(200, { ...CANCELLED, id: 'p-2' })],
  ])('nothing is sent if %s', async (_, full) => {
    const refused = await refundAmong(full)
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
    expect(refused.stderr).toContain('several_payments')
    expect(writesOf(refused)).toEqual([])
  })
})
