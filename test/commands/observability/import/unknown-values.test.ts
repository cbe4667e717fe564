import { describe, expect, test } from 'vitest'
import { csvOf } from '../../../support/import-bench.ts'
import { errorOf } from '../../../support/run-result.ts'
import { jsonAnswer } from '../../../support/run-pay.ts'
import { useImportBench } from './import-bench.ts'

const { write, check, importing, withService } = useImportBench()
const paid = csvOf(3).replace(',SETTLED', ',Paid').replace(',SETTLED', ',"half: paid"')
const LINE = 'values: {status: {Paid: …, "half: paid": …}}'

describe("values outside the API's sets", () => {
  test('are counted and named by a dry run, with the line that maps them', async () => {
    write('rows.csv', paid)
    const ran = await check('rows.csv')
    expect(ran).toMatchObject({ exitCode: 14 })
    expect(ran.stdout).toContain('The service may refuse 2 of 3 rows, 1 are good')
    expect(ran.stdout).not.toContain('all good')
    expect(ran.stdout).toContain(LINE)
    const json = await check('rows.csv --json')
    expect(JSON.parse(json.stdout)).toMatchObject({
      rows: 3,
      good: 1,
      bad: 0,
      doubtful: 2,
      unknownValues: [
        { field: 'status', value: 'Paid', rows: 1 },
        { field: 'status', value: 'half: paid', rows: 1 },
      ],
      valuesLine: LINE,
    })
    expect(errorOf(json)).toMatchObject({ code: 'unknown_values' })
  })

  test('are good once they are mapped', async () => {
    write('rows.csv', paid)
    write('map.yaml', LINE)
    expect(await check('rows.csv --mapping map.yaml')).toMatchObject({ exitCode: 2 })
    write('map.yaml', LINE.replaceAll('…', 'SETTLED'))
    expect(await check('rows.csv --mapping map.yaml')).toMatchObject({ exitCode: 0 })
    expect(await importing('rows.csv --mapping map.yaml')).toMatchObject({ exitCode: 0 })
  })

  test('are named by an import before it sends anything, which a newer service may take', async () => {
    write('rows.csv', paid)
    const ran = await withService('rows.csv --json', () => jsonAnswer(200, { amount: 1 }))
    expect(ran).toMatchObject({ exitCode: 0 })
    expect(ran.stderr.indexOf(LINE)).toBeGreaterThan(-1)
    expect(ran.stderr).toContain('"Paid" is not a known value')
    expect(JSON.parse(ran.stdout)).toMatchObject({ created: 3 })
  })

  test('make rows of NDJSON doubtful, too', async () => {
    const row = {
      paymentId: 'n-1',
      currencyCode: 'EUR',
      processor: { name: 'A' },
      amount: 100,
      createdAt: '2026-01-31T09:30:00Z',
      order: { id: 'o', countryCode: 'ZZ' },
      paymentMethod: { paymentMethodType: 'PAYMENT_CARD' },
    }
    write('rows.ndjson', `${JSON.stringify(row)}\n`)
    const ran = await check('rows.ndjson --json')
    expect(ran).toMatchObject({ exitCode: 14 })
    expect(JSON.parse(ran.stdout)).toMatchObject({ good: 0, doubtful: 1 })
    expect((await importing('rows.ndjson')).stderr).toContain('the service may refuse it')
  })
})
