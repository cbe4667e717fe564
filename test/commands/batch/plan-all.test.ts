import { describe, expect, test } from 'vitest'
import { errorOf } from '../../support/run-result.ts'
import { useBatchBench } from './batch-bench.ts'

const { pay, payment, plan, read, rowsIn, write } = useBatchBench()

const EMPTY = 'the amount is empty: write all for all that is left, or plan with --empty-amount all'

describe('a row takes all that is left', () => {
  test('only if its amount says all, in any case', async () => {
    const ids = [await payment('A-1'), await payment('A-2'), await payment('A-3')]
    const planned = await plan('refund', 'orderId;amount\nA-1;5,00 EUR\nA-2;\nA-3;All\n', '--decimal-comma')
    expect(planned.exitCode).toBe(14)
    expect(planned.rows).toEqual([
      expect.not.objectContaining({ takesAll: true }),
      expect.objectContaining({ verdict: 'bad_row', message: EMPTY }),
      expect.objectContaining({ verdict: 'ready', paymentId: ids[2], amount: 4990, takesAll: true }),
    ])
    expect(planned.rows[1]).not.toHaveProperty('takesAll')
    expect(planned.answer).toMatchObject({
      ready: 2,
      takingAll: 1,
      totals: [{ currencyCode: 'EUR', count: 2, amount: 5490 }],
      largest: [{ row: 3, takesAll: true }, { row: 1 }],
    })
  })

  test.each(['minor', 'major'])('whatever --amounts %s says of the others', async (units) => {
    await payment('A-1')
    const { rows } = await plan('refund', 'orderId,amount,currencyCode\nA-1,all,\n', `--amounts ${units}`)
    expect(rows[0]).toMatchObject({ verdict: 'ready', amount: 4990, takesAll: true })
  })

  test('if it is empty and --empty-amount all is given, even without a column', async () => {
    await payment('A-1')
    for (const csv of ['orderId\nA-1\n', 'orderId,amount\nA-1,\n']) {
      const { rows } = await plan('refund', csv, '--empty-amount all')
      expect(rows[0]).toMatchObject({ verdict: 'ready', amount: 4990, takesAll: true })
    }
    expect((await plan('refund', 'orderId\nA-1\n', '--const amount=all')).rows[0]).toMatchObject({
      verdict: 'ready',
      takesAll: true,
    })
  })

  test.each(['refund', 'capture'])('without an amount column, a %s is unusable', async (operation) => {
    write('in.csv', 'orderId,reason\nA-1,late\n')
    const ran = await pay(`batch plan ${operation} in.csv --json`)
    expect(ran).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
    expect(errorOf(ran)).toMatchObject({
      code: 'unusable_header',
      message: 'The header has no amounts: amount: is required, but no column provides it',
      hint: expect.stringContaining(
        `To ${operation} all that is left of every payment, add --empty-amount all.`,
      ),
    })
  })

  test.each(['batch plan cancel in.csv --empty-amount all', 'batch plan refund in.csv --empty-amount some'])(
    'is refused: %s',
    async (line) => {
      write('in.csv', 'orderId,amount\nA-1,\n')
      expect(await pay(line)).toMatchObject({ exitCode: 2, requests: [] })
    },
  )
})

describe('an amount of NDJSON', () => {
  const lines = [
    '{"orderId":"A-1"}',
    '{"orderId":"A-1","amount":null}',
    '{"orderId":"A-1","amount":""}',
    '{"orderId":"A-1","amount":"ALL"}',
  ]

  test.each(['', '--amounts minor', '--amounts major'])('says all, or is bad_row %s', async (flags) => {
    await payment('A-1')
    write('in.ndjson', lines.join('\n'))
    await pay(`batch plan refund in.ndjson ${flags}`)
    expect(rowsIn('in.plan.ndjson').map(({ verdict, message }) => message ?? verdict)).toEqual([
      EMPTY,
      EMPTY,
      EMPTY,
      'ready',
    ])
    await pay(`batch plan refund in.ndjson --again --empty-amount all ${flags}`)
    expect(rowsIn('in.plan.ndjson')[2]).toMatchObject({ takesAll: true })
  })

  test.each([
    ['"500"', 'ready'],
    ['500', 'ready'],
    ['5.5', 'amount "5.5" is not in minor units'],
    ['12345678901234567890', 'amount "12345678901234567890" is more than 9007199254740991 minor units'],
    ['"abc"', 'amount "abc" has letters or a currency sign'],
  ])('is never all because it cannot be read: %s in minor units', async (amount, expected) => {
    await payment('A-1')
    write('in.ndjson', `{"orderId":"A-1","amount":${amount}}\n`)
    await pay('batch plan refund in.ndjson --amounts minor')
    const [row] = rowsIn('in.plan.ndjson')
    expect(row?.message ?? row?.verdict).toContain(expected)
    if (expected === 'ready') expect(row).toMatchObject({ amount: 500 })
    expect(row).not.toHaveProperty('takesAll')
  })
})

test('the tables name the rows that take all that is left', async () => {
  await payment('A-1')
  await payment('A-2', { amount: '35.50 EUR' })
  write('in.csv', 'orderId,amount\nA-1,5.00 EUR\nA-2,all\n')
  expect((await pay('batch plan refund in.csv')).stdout).toContain('1 row takes all that is left: row 2\n')
  const shown = await pay('batch show in.plan.ndjson')
  expect(shown.stdout).toContain('1 row takes all that is left\n')
  expect(shown.stdout).toMatch(/ 2 +3 +\w+ +A-2 +35\.50 EUR +ready +takes all that is left/)
  expect(JSON.parse((await pay('batch show in.plan.ndjson --json')).stdout)).toMatchObject({
    takingAll: 1,
    data: [{ row: 1 }, { row: 2, takesAll: true }],
  })
  expect(read('in.plan.ndjson')).toContain('"takesAll":true')
})
