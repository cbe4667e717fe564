import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { accountOf } from '../../../../src/client/calls/build-intent.ts'
import { lockFile, lockOutputs } from '../../../../src/rows/keep/lock-file.ts'
import { planRow } from '../../../support/batch-plan.ts'
import { errorOf } from '../../../support/run-result.ts'
import { createBatchBench } from './bench.ts'
import type { BatchBench } from './bench.ts'

let bench: BatchBench
let id: string

beforeEach(async () => {
  bench = createBatchBench()
  id = await bench.paid()
})
afterEach(() => bench.dispose())

const file = () => join(bench.folder, 'p.plan.ndjson')
const expectRefused = async (code: string, more = '') => {
  const r = await bench.apply(more)
  expect(r).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
  expect(errorOf(r)).toMatchObject({ code, outcome: 'none' })
  return errorOf(r)
}

test('refuses a plan with a changed byte', async () => {
  bench.plan([planRow(1, id)])
  writeFileSync(file(), readFileSync(file(), 'utf8').replace('"amount":500', '"amount":600'))

  await expectRefused('plan_changed')
})

test('refuses a plan whose end is missing', async () => {
  bench.plan([planRow(1, id)])
  writeFileSync(file(), readFileSync(file(), 'utf8').split('\n').slice(0, -2).join('\n'))

  await expectRefused('plan_changed')
})

test('refuses a plan with text after its end', async () => {
  bench.plan([planRow(1, id)])
  appendFileSync(file(), '{}\n')

  await expectRefused('plan_changed')
})

test('refuses a file that is not a plan, and one that is missing', async () => {
  writeFileSync(file(), 'paymentId,amount\n')
  await expectRefused('not_a_plan')

  const r = await bench.runPay('batch apply missing.ndjson --sandbox --json')
  expect(errorOf(r)).toMatchObject({ code: 'unreadable_file', exitCode: 2 })
})

test('refuses a plan for another base URL', async () => {
  bench.plan([planRow(1, id)], { baseUrl: 'https://pay.example' })

  const { message } = await expectRefused('plan_foreign')
  expect(message).toContain('was planned for https://pay.example, not for http://sandbox.localhost')
})

test('refuses a plan made with another API key', async () => {
  bench.plan([planRow(1, id)], {
    account: accountOf({ baseUrl: 'http://sandbox.localhost', apiKey: 'another' }),
  })

  const { message } = await expectRefused('plan_foreign')
  expect(message).toContain('another API key')
})

test('refuses a plan of yesterday that was never begun', async () => {
  bench.plan([planRow(1, id)])
  bench.clock.now = new Date('2026-03-02T12:00:00.001Z')

  await expectRefused('plan_expired')
})

test('continues a plan of yesterday that was begun', async () => {
  const b = await bench.paid()
  bench.plan([planRow(1, id), planRow(2, b, { amount: 600 })])
  await bench.runPay(`sandbox faults add --on 'POST /payments/${b}/refund' --do refuse --times 1000`)
  expect((await bench.apply()).exitCode).not.toBe(0)
  await bench.runPay('sandbox faults clear')
  bench.clock.now = new Date('2026-03-03T12:00:00.001Z')

  expect(await bench.apply()).toMatchObject({ exitCode: 0, summary: { done: 2 } })
})

test('refuses a plan with another total or count than expected, and names both figures', async () => {
  bench.plan([planRow(1, id), planRow(2, id, { amount: 700 })])

  const total = await expectRefused('expectation_failed', "--expect-total '11.00 EUR'")
  expect(total.message).toContain('its total is 12.00 EUR, and --expect-total is 11.00 EUR')
  const count = await expectRefused('expectation_failed', '--expect-count 3')
  expect(count.message).toContain('it has 2 ready rows, and --expect-count is 3')
  const other = await expectRefused('expectation_failed', "--expect-total '12.00 USD'")
  expect(other.message).toContain('its total is 12.00 EUR, and --expect-total names no amount in EUR')
  expect(other.message).toContain('its total is 0.00 USD, and --expect-total is 12.00 USD')
})

test('expectations cover all ready rows, done or not', async () => {
  bench.plan([planRow(1, id)])
  const expected = "--expect-total '5.00 EUR' --expect-count 1"

  expect((await bench.apply(expected)).exitCode).toBe(0)
  expect((await bench.apply(expected)).exitCode).toBe(0)
})

test.each([
  ['a bare amount', "--expect-total '500'", 'amount_needs_currency'],
  ['no amount', "--expect-total 'all'", 'bad_amount'],
  ['a currency twice', "--expect-total '1 EUR' --expect-total '2 EUR'", 'given_twice'],
  ['a rate in words', '--rate fast', 'bad_value'],
  ['no connections', '--concurrency 0', 'bad_value'],
  ['failures in words', '--max-failures some', 'bad_value'],
  ['more failures than rows', '--max-failures 101%', 'bad_value'],
  ['a decimal without a currency', "--expect-total '5.00'", 'amount_needs_currency'],
  ['the plan as results', '--results p.plan.ndjson', 'two_sources'],
  ['one file for both', '--results x.csv --rejects x.csv', 'two_sources'],
  ['a folder that is missing', '--results none/x.csv', 'unwritable_file'],
])('refuses %s', async (_, flags, code) => {
  bench.plan([planRow(1, id)])

  await expectRefused(code, flags)
})

test('names both forms of --max-failures', async () => {
  bench.plan([planRow(1, id)])

  expect(await expectRefused('bad_value', '--max-failures some')).toMatchObject({
    message: '--max-failures takes a number of rows or a share of them, such as 20 or 5%, not "some"',
  })
})

test.each(['--results', '--rejects'])('refuses %s that another process writes', async (flag) => {
  bench.plan([planRow(1, id)])
  const release = lockOutputs(bench.stateFolder, [join(bench.folder, 'rows.csv')], () => {
    throw new Error('locked')
  })
  const r = await bench.apply(`${flag} rows.csv`)
  expect(r).toMatchObject({ exitCode: 6, requests: [] })
  expect(errorOf(r)).toMatchObject({ code: 'batch_running', retryable: true })
  release()
  expect((await bench.apply(`${flag} rows.csv`)).exitCode).toBe(0)
})

test('refuses a second process for the same plan', async () => {
  bench.plan([planRow(1, id)])
  const folder = join(bench.stateFolder, 'batches')
  mkdirSync(folder, { mode: 0o700 })
  const release = lockFile(join(folder, 'plan-00000001.lock'), () => {
    throw new Error('locked')
  })

  const r = await bench.apply()
  expect(r).toMatchObject({ exitCode: 6, requests: [] })
  expect(errorOf(r)).toMatchObject({ code: 'batch_running', retryable: true })

  release()
  expect((await bench.apply()).exitCode).toBe(0)
})

test('needs the name of the plan', async () => {
  const r = await bench.runPay('batch apply --sandbox --json')

  expect(errorOf(r)).toMatchObject({ code: 'missing_input', exitCode: 2 })
})

test.each(['--results', '--rejects'])(
  'refuses %s that would overwrite the input of the plan',
  async (flag) => {
    bench.plan([planRow(1, id)])
    writeFileSync(join(bench.folder, 'refunds.csv'), 'mine')

    await expectRefused('two_sources', `${flag} refunds.csv`)
    expect(readFileSync(join(bench.folder, 'refunds.csv'), 'utf8')).toBe('mine')
  },
)
