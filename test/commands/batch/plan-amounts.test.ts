import { expect, test } from 'vitest'
import { useBatchBench } from './batch-bench.ts'

const { pay, payment, write } = useBatchBench()

const MIXED = 'Warning: some amounts have no decimals and are read as minor units'

test('planning says when only some amounts have decimals, with a row of each', async () => {
  const [one, other] = [await payment('o-1'), await payment('o-2')]
  write('in.csv', `paymentId;amount;currencyCode\n${one};19,90;EUR\n${other};20;EUR\n${other};5;EUR\n`)
  const { stderr, exitCode } = await pay('batch plan refund in.csv --decimal-comma')
  expect(exitCode).toBe(0)
  expect(stderr).toContain(
    `${MIXED}: row 2 is 0.20 EUR, row 1 is 19.90 EUR. If the whole column is in major units, plan again with --amounts major.`,
  )
})

test.each([
  ['all have decimals', ['19.90,EUR', '20.00,EUR'], ''],
  ['none has decimals', ['1990,EUR', '20,EUR'], ''],
  ['the whole ones are in a currency without decimals', ['19.90,EUR', '20,JPY'], ''],
  ['the others have their own currency', ['19.90 EUR,', '20,EUR'], ''],
  ['--amounts says what they are', ['19.90,EUR', '20,EUR'], ' --amounts major'],
])('planning says nothing of decimals when %s', async (_, amounts, flags) => {
  const rows = await Promise.all(
    amounts.map(async (amount, index) => {
      const money = amount.endsWith('JPY') ? { amount: '4990 JPY' } : {}
      return `${await payment(`o-${index}`, money)},${amount}\n`
    }),
  )
  write('in.csv', `paymentId,amount,currencyCode\n${rows.join('')}`)
  const { stderr, exitCode } = await pay(`batch plan refund in.csv${flags}`)
  expect(exitCode).toBe(0)
  expect(stderr).not.toContain(MIXED)
})
