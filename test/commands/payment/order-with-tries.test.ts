import { expect, test } from 'vitest'
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
  expect(done.exitCode).toBe(0)
  expect(done.stderr).toContain(`Order D-1: payment ${paid}: `)
  expect(done.stderr).toContain('Its other payments never captured anything:')
  expect(done.stderr).toMatch(new RegExp(`  ${declined}: .*DECLINED`))
  expect(writesOf(done)).toHaveLength(1)
  expect(writesOf(done)[0]?.url).toContain(`/payments/${paid}/refund`)
})

test('two settled payments of an order stay refused, even when one is fully refunded', async () => {
  const first = await create('tok_autocapture')
  await create('tok_autocapture')
  expect(await refund()).toMatchObject({ exitCode: 2 })
  await bench.runPay(`--sandbox payment refund ${first}`)
  const again = await refund('--json')
  expect(again.exitCode).toBe(2)
  expect(again.stderr).toContain('several_payments')
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
