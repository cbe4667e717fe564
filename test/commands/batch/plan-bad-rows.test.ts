import { describe, expect, test } from 'vitest'
import { useBatchBench } from './batch-bench.ts'

const { pay, plan, rowsIn, write } = useBatchBench()

const messages = async (csv: string, flags = '') => {
  const { rows } = await plan('refund', csv, flags)
  return rows.map(({ orderId, message }) => [orderId, message])
}

describe('a row that cannot be read', () => {
  test('still names its order', async () => {
    const cells = await messages('orderId,amount\nA-1,-5\n', '--amounts minor')
    expect(cells).toEqual([['A-1', 'amount "-5" is negative (Amounts must be 0 or more)']])
    const length = await messages('orderId,amount\nA-2\n')
    expect(length).toEqual([['A-2', expect.stringContaining('the row has 1 cell, but the header has 2')]])
  })

  test('of NDJSON, too, and suggests the field as it is written', async () => {
    write('in.ndjson', '{"orderId":"A-1","order":"x"}\n')
    const { exitCode } = await pay('batch plan refund in.ndjson')
    expect(exitCode).toBe(14)
    expect(rowsIn('in.plan.ndjson')).toMatchObject([
      { orderId: 'A-1', message: 'order "x" is not a field of a batch row (Did you mean orderId?)' },
    ])
  })

  test('is in the table with its order', async () => {
    write('in.csv', 'orderId,amount\nA-1,-5\n')
    const { stdout, stderr } = await pay('batch plan refund in.csv --amounts minor')
    expect(stdout).toMatch(/ 1 +2 +order A-1 +bad_row/)
    expect(stderr).toContain('1 of 1 row is not ready')
  })
})

describe('on a narrow terminal', () => {
  test('the table keeps the reasons, and leaves out amounts', async () => {
    write('in.csv', 'orderId,amount,ticket\nno-such-order,1234.50 EUR,SUP-1234\n')
    const { stdout } = await pay('batch plan refund in.csv', {
      tty: true,
      columns: 60,
      env: { NO_COLOR: '1' },
    })
    expect(stdout).toMatch(/ROW +PAYMENT +VERDICT +NOTE/)
    expect(stdout).toContain('no payment')
    expect(stdout).toContain('no room for 3 columns: LINE, AMOUNT, TICKET')
  })
})

describe('an amount with a decimal comma', () => {
  test('is quoted as it is written', async () => {
    expect(
      await messages('orderId,amount\nA-1,"1,990 EUR"\nA-2,"2.500,00 JPY"\n', '--decimal-comma'),
    ).toEqual([
      ['A-1', 'amount "1,990 EUR" has more decimals than its currency (EUR has 2)'],
      ['A-2', 'amount "2.500,00 JPY" has more decimals than its currency (JPY has none)'],
    ])
  })

  test('is explained with a decimal comma', async () => {
    expect(await messages('orderId,amount\nA-1,abc\n', '--decimal-comma')).toEqual([
      [
        'A-1',
        `the amount "abc" is not an amount (Write minor units (700) or an amount with its currency ('7,00 EUR'))`,
      ],
    ])
  })

  test('needs --decimal-comma', async () => {
    const [[, message] = []] = await messages('orderId,amount\nA-1,"19,90 EUR"\n')
    expect(message).toContain('for decimal commas, add --decimal-comma')
  })
})

describe('columns with other names', () => {
  test('are refused with the names of the fields', async () => {
    write('in.csv', 'Bestellung,Betrag\nA-1,1\n')
    const { exitCode, stderr } = await pay('batch plan refund in.csv --json')
    expect(exitCode).toBe(2)
    expect(stderr).toContain(
      'The fields are paymentId, orderId, amount, currencyCode, reason, ticket and, for captures, final.',
    )
  })
})
