import { describe, expect, test } from 'vitest'
import { csvOf } from '../../../support/import-bench.ts'
import { useImportBench } from './import-bench.ts'

const { bench, write, check, importing } = useImportBench()
const inPesos = csvOf(2).replace(',EUR,', ',CLP,')
const SAYS = 'read in the minor units of ISO 4217'

describe('currencies whose minor units some providers count with other decimals', () => {
  test.each([
    ['a dry run', check],
    ['an import', importing],
  ])('are warned of once by %s', async (_, run) => {
    write('rows.csv', `${inPesos}${csvOf(1, undefined, 'x').split('\n')[1]?.replace(',EUR,', ',ISK,')}\n`)
    const ran = await run('rows.csv')
    expect(ran).toMatchObject({ exitCode: 0 })
    expect(ran.stderr.split(SAYS)).toHaveLength(2)
    expect(ran.stderr).toContain('Amounts in CLP, ISK are')
    expect(ran.stderr).toContain('--iso-minor')
  })

  test.each([
    ['--iso-minor', inPesos],
    ['--mapping iso.yaml', inPesos],
    ['--amounts major', inPesos],
    ['', csvOf(2)],
  ])('are no matter with "%s"', async (flags, content) => {
    write('rows.csv', content)
    write('iso.yaml', 'isoMinor: true\n')
    expect((await check(`rows.csv ${flags}`)).stderr).not.toContain(SAYS)
  })

  test('are warned of in NDJSON, too', async () => {
    const row = {
      paymentId: 'n-1',
      currencyCode: 'ISK',
      processor: { name: 'A' },
      amount: 100,
      createdAt: '2026-01-31T09:30:00Z',
      order: { id: 'o' },
      paymentMethod: { paymentMethodType: 'PAYMENT_CARD' },
    }
    write('rows.ndjson', `${JSON.stringify(row)}\n`)
    const ran = await check('rows.ndjson --json')
    expect(JSON.parse(ran.stdout).warnings).toEqual([{ warning: expect.stringContaining(SAYS), count: 1 }])
    expect(JSON.parse((await check('rows.ndjson --iso-minor --json')).stdout).warnings).toEqual([])
  })

  test.each([
    ['a column', 'paymentId,amount,currencyCode\np-1,500,CLP\n', '--amounts minor'],
    ['a bare number', 'paymentId,amount,currencyCode\np-1,500,CLP\n', ''],
  ])('are warned of by a plan: %s', async (_, content, flags) => {
    write('refunds.csv', content)
    const plan = (more: string) =>
      bench().runPay(
        `--sandbox batch plan refund refunds.csv ${flags} ${more} --out p${more.length}.plan.ndjson`,
      )
    expect((await plan('')).stderr.split(SAYS)).toHaveLength(2)
    expect((await plan('--iso-minor')).stderr).not.toContain(SAYS)
  })

  test('are warned of by a plan whose currencies only the payments tell', async () => {
    const made = await bench().runPay(
      '--sandbox payment create --token tok_visa --amount 5000 --currency CLP --order-id o-1 --json',
    )
    write('refunds.csv', `paymentId,amount\n${JSON.parse(made.stdout).id},500\n`)
    const ran = await bench().runPay('--sandbox batch plan refund refunds.csv')
    expect(ran.stderr.split(SAYS)).toHaveLength(2)
  })
})
