import { expect, test } from 'vitest'
import { useBench } from '../../support/use-bench.ts'

const bench = useBench()

test('a value of --metadata without a key is refused in words that fit', async () => {
  const refused = await bench.runPay('--sandbox payment create --token t --metadata =5')
  expect(refused).toMatchObject({ exitCode: 2, requests: [] })
  expect(refused.stderr).toContain('--metadata gives a value without a key')
})

test.each([
  ['FILE', ['observability', 'import', '']],
  ['PLAN', ['batch', 'apply', '']],
  ['--rejects', ['batch', 'plan', 'refund', 'rows.csv', '--rejects', '']],
  ['--junit', ['smoke', '--junit', '']],
  ['--signers', ['profile', 'add', 'shop', '--signers', '']],
  ['--data', ['sandbox', 'start', '--data', '']],
])('an empty path is not the current folder: %s', async (name, words) => {
  const refused = await bench.runPay(words)
  expect(refused).toMatchObject({ exitCode: 2, requests: [] })
  expect(refused.stderr).toContain(`${name} is empty`)
})

test.each(['', ' ', '\u00a0'])('an empty argument is not treated as a missing one: "%s"', async (id) => {
  expect(await bench.runPay(['--sandbox', 'payment', 'get', id])).toMatchObject({ exitCode: 2, requests: [] })
})
