import { describe, expect, test } from 'vitest'
import { csvOf } from '../../../support/import-bench.ts'
import { errorOf } from '../../../support/run-result.ts'
import { useImportBench } from './import-bench.ts'

const { write, check, importing, bench } = useImportBench()

/** Rows with a further column. */
const withColumn = (name: string, values: readonly string[]): string =>
  csvOf(values.length)
    .trimEnd()
    .split('\n')
    .map((line, index) => `${line},${index === 0 ? name : values[index - 1]}`)
    .join('\n')

const MAPPED = '--map amount=amount'

describe('rows that say that they are no payments', () => {
  test.each([
    ['Type', ['charge', 'refund', 'charge']],
    ['kind', ['sale', 'sale', 'Chargeback']],
    ['reporting_category', ['charge', 'fee']],
    ['Transaction Type', ['Payment', 'Payment Refund']],
    ['Buchungsart', ['Zahlung', 'Rückerstattung']],
    ['Art', ['Zahlung', 'Rückzahlung']],
    ['type', ['sale', 'charged_back']],
    ['Tipo', ['Pagamento', 'Devolução']],
    ['Record Type', ['Settled', 'MerchantPayout']],
    ['Tipo de operación', ['PAGO', 'DEVOLUCION']],
    ['İşlem Türü', ['Ödeme', 'İade']],
    ['種別', ['売上', '返金']],
  ])('are refused in a column %s', async (name, values) => {
    write('rows.csv', withColumn(name, values))
    for (const run of [check, importing]) {
      const ran = await run(`rows.csv ${MAPPED} --json`)
      expect(ran).toMatchObject({ exitCode: 2 })
      expect(errorOf(ran)).toMatchObject({
        code: 'other_kinds',
        message: expect.stringContaining("Some rows aren't payments, but would be recorded as payments: "),
        hint: expect.stringContaining('leaveOut:'),
      })
      expect(ran.stderr).toContain(name)
    }
    const list = await bench().runPay('--sandbox observability list --json')
    expect(JSON.parse(list.stdout)).toMatchObject({ data: [] })
  })

  test('are left out, or recorded, as the printed line says', async () => {
    write('rows.csv', withColumn('Type', ['charge', 'Refund', 'charge', 'payout']))
    const { hint = '' } = errorOf(await check(`rows.csv ${MAPPED} --json`))
    const [leaveOut = '', keep = ''] = [...hint.matchAll(/(?:leaveOut|where): \{.*?\}/g)].map(
      ([line]) => line,
    )
    expect(leaveOut).toBe('leaveOut: {Type: [Refund, payout]}')
    write('out.yaml', leaveOut)
    const left = await importing(`rows.csv ${MAPPED} --mapping out.yaml --json`)
    expect(JSON.parse(left.stdout)).toMatchObject({ rows: 2, created: 2 })
    write('all.yaml', keep)
    const all = await check(`rows.csv ${MAPPED} --mapping all.yaml --json`)
    expect(JSON.parse(all.stdout)).toMatchObject({ rows: 4, good: 4 })
  })

  test('are kept if the mapping names them', async () => {
    write('rows.csv', withColumn('Type', ['charge', 'Refund']))
    write('keep.yaml', 'where: {Type: [charge, Refund]}\n')
    expect(await check(`rows.csv ${MAPPED} --mapping keep.yaml`)).toMatchObject({ exitCode: 0 })
  })

  test.each([
    ['Type', ['charge', 'payment']],
    ['Card type', ['fee', 'refund']],
    ['Category', ['Coffee', 'Books about refunds and how to ask for one']],
    ['Note', ['refund', 'fee']],
    ['Refunded', ['refund', 'fee']],
  ])('are none with a column %s', async (name, values) => {
    write('rows.csv', withColumn(name, values))
    expect(await check(`rows.csv ${MAPPED}`)).toMatchObject({ exitCode: 0 })
  })

  test('are bad if their amount is negative', async () => {
    write(
      'rows.csv',
      csvOf(2, (row) => (row === 2 ? -100 : 100)),
    )
    expect(await check('rows.csv')).toMatchObject({ exitCode: 14 })
  })
})
