import { expect, test } from 'vitest'
import { useBench } from '../../support/use-bench.ts'

const bench = useBench()

/** What people type by mistake, and what leads them on. */
test.each([
  ['--sandbox payment refund p1 --amount 5 EUR', "Quote an amount with its currency: --amount '5 EUR'."],
  ['--sandbox payment refund p1 –-amount 5', 'type -- instead'],
  ['--sandbox payment list --query foo[', 'it ends too early'],
  ['batch template refund', 'pay batch template --operation refund'],
  ['sandbox clock advance 1h1h', 'takes a positive duration'],
  ['payment list --limit -5', 'a whole number in digits'],
  ['payment list --status settled', 'pay --sandbox payment list --status settled'],
  ['payment resume p1 --resume-token token-1', 'pay --sandbox payment resume\n'],
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
