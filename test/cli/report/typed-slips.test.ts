import { expect, test } from 'vitest'
import { useBench } from '../../support/use-bench.ts'

const bench = useBench()

/** What people type by mistake, and what leads them on. */
test.each([
  ['--sandbox payment refund p1 --amount 5 EUR', 'Quote an amount with its currency: --amount "5 EUR".'],
  ['--sandbox payment refund p1 –-amount 5', 'type -- instead'],
  ['--sandbox payment list --query foo[', 'it ends too early'],
  ['batch template refund', 'pay batch template --operation refund'],
  ['sandbox clock advance 1h1h', 'takes a positive duration'],
  ['payment list --limit -5', 'a whole number in digits'],
  ['payment list --status settled', 'pay --sandbox payment list --status settled'],
  ['payment resume p1 --resume-token token-1', 'pay --sandbox payment resume\n'],
  ['help exit', 'Did you mean "pay help exit-codes"?'],
  ['loyalty list', 'Did you mean "pay ops list"? pay loyalty has redeem, refund.'],
  ['session delete', 'pay session has create, update, get.\n'],
  ['payment search', 'Did you mean "pay find"?'],
  ['batch run in.csv', 'Did you mean "pay batch apply"?'],
  ['--sandbox payment create --token tok_visa --amount 5', 'Missing: --currency'],
  [
    '--sandbox observability push --created-at 9999-12-31T23:59:59-02:00',
    '--created-at "9999-12-31T23:59:59-02:00" is outside the years 0000 to 9999 in UTC',
  ],
])('pay %s', async (line, words) => {
  const ran = await bench.runPay(`${line} -o table`)
  expect(ran).toMatchObject({ stdout: '', requests: [] })
  expect([2, 4]).toContain(ran.exitCode)
  expect(ran.stderr).toContain(words)
  expect(ran.stderr).not.toContain('token-1')
})

test('a query that takes a list for an array says what the result is', async () => {
  const ran = await bench.runPay(['--sandbox', 'payment', 'list', '--query', '[].id'])
  expect(ran.stderr).toContain('try data[…]')
})

test('help lists its topics', async () => {
  const { stdout } = await bench.runPay('help topics')
  expect(stdout).toContain('exit-codes')
  expect(stdout).toContain('pay help TOPIC shows one')
})

test('an amount with its currency is explained beside the figures of the service', async () => {
  const create = "payment create --token tok_autocapture --amount '20 EUR' --order-id o-1 -o id --sandbox"
  const id = (await bench.runPay(create)).stdout.trim()
  const ran = await bench.runPay(`payment refund ${id} --amount '30 EUR' --sandbox -o table`)
  expect(ran).toMatchObject({ exitCode: 3, stdout: '' })
  expect(ran.stderr).toContain('Hint   The service counts in minor units: 3000 is 30.00 EUR.')
})

test('a figure of ours needs no minor units', async () => {
  const create = "payment create --token tok_autocapture --amount '20 EUR' --order-id o-2 -o id --sandbox"
  const id = (await bench.runPay(create)).stdout.trim()
  const ran = await bench.runPay(`payment refund ${id} --amount '30 EUR' --sandbox --color never`, {
    tty: true,
  })
  expect(ran).toMatchObject({ exitCode: 3, stdout: '' })
  expect(ran.stderr).toContain('30.00 EUR is more than the 20.00 EUR left to refund')
  expect(ran.stderr).not.toContain('minor units')
})

test.each(['payment get p-none', 'find p-none'])('pay %s names the account that it asked', async (line) => {
  const ran = await bench.runPay(`--sandbox ${line} -o table`)
  expect(ran.exitCode).toBe(5)
  expect(ran.stderr.replaceAll(/\s+/g, ' ')).toContain('ed profile sandbox (test, http://sandbox.localhost).')
})

test('an amount without a currency is sent where a session may have it', async () => {
  const ran = await bench.runPay('payment create --token session-token --amount 5 --sandbox -o table')
  expect(ran.requests).toHaveLength(1)
})
