import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { REQUIRED_FIELDS } from '../../../../src/rows/import/record-fields.ts'
import { errorOf } from '../../../support/run-result.ts'
import { useImportBench } from './import-bench.ts'

const { bench, check, read, write } = useImportBench()
const HEADER = REQUIRED_FIELDS.join(',')
const GOOD = 'ext-1,EUR,ACME,700,2026-01-31T09:30:00Z,A-1,PAYMENT_CARD'

describe('--rejects', () => {
  const BAD = GOOD.replace('ext-1', 'ext-2').replace('700', '-7')

  test('has only the bad rows, which can be corrected and imported', async () => {
    write('a.csv', `${HEADER}\n${GOOD}\n${BAD}\n`)
    const ran = await check('a.csv --rejects rejects.csv --results results.csv')
    expect(ran).toMatchObject({ exitCode: 14, requests: [] })
    expect(read('rejects.csv')).toBe(`${HEADER},reason\n${BAD},"amount ""-7"" is negative"\n`)
    expect(ran.stderr).toContain('does not write --results')
    expect(ran.stderr).toContain('Rejects: rejects.csv (1 row that cannot be sent, each with the reason)')
    expect(existsSync(join(bench().folder, 'results.csv'))).toBe(false)
    write('corrected.csv', read('rejects.csv').replace('-7,', '7,'))
    expect(await check('corrected.csv')).toMatchObject({ exitCode: 0 })
  })

  test('is not needed for a script to see that rows are bad', async () => {
    write('a.csv', `${HEADER}\n${GOOD}\n${BAD}\n`)
    const ran = await check('a.csv --json')
    expect(JSON.parse(ran.stdout)).toMatchObject({ rows: 2, bad: 1 })
    expect(errorOf(ran)).toMatchObject({ code: 'bad_rows', exitCode: 14, outcome: 'none' })
  })

  test('is NDJSON for NDJSON', async () => {
    write('a.ndjson', '{"paymentId":"ext-1"}\nx\n')
    await check('a.ndjson --rejects rejects.ndjson')
    const [first = '', second] = read('rejects.ndjson').split('\n')
    expect(JSON.parse(first)).toMatchObject({ paymentId: 'ext-1', reason: expect.stringContaining('amount') })
    expect(second).toBe('x')
  })

  test('is never written over the input', async () => {
    write('a.csv', `${HEADER}\n${BAD}\n`)
    expect(await check('a.csv --rejects ./a.csv')).toMatchObject({ exitCode: 2 })
    expect(read('a.csv')).toBe(`${HEADER}\n${BAD}\n`)
  })
})

describe('the rejects of an import', () => {
  test('can be corrected and imported', async () => {
    const note = '"+49 30 1, ""x"""'
    write(
      'a.csv',
      `${HEADER},metadata.note\n${GOOD},-5\n${GOOD.replace('ext-1', 'ext-2').replace('700', 'x')},${note}\n`,
    )
    const first = await bench().runPay('--sandbox observability import a.csv --rejects bad.csv --json')
    expect(first.exitCode).toBe(14)
    const rejects = read('bad.csv')
    expect(rejects).toBe(
      `${HEADER},metadata.note,reason\n${GOOD.replace('ext-1', 'ext-2').replace('700', 'x')},"'+49 30 1, ""x""","amount ""x"" has letters or a currency sign"\n`,
    )
    write('corrected.csv', rejects.replace(',x,', ',800,'))
    const second = await bench().runPay('--sandbox observability import corrected.csv --json -q')
    expect(second.exitCode).toBe(0)
    expect(JSON.parse(second.requests[0]?.body ?? '')).toMatchObject({
      paymentId: 'ext-2',
      amount: 800,
      metadata: { note: '+49 30 1, "x"' },
    })
  })
})
