import { describe, expect, test } from 'vitest'
import { jsonAnswer } from '../../../support/run-pay.ts'
import { readTable, csvOf } from '../../../support/import-bench.ts'
import { errorOf } from '../../../support/run-result.ts'
import { useImportBench } from './import-bench.ts'

const { bench, write, importing, withService, stateFiles } = useImportBench()
const later = (content: string) => content.replaceAll('2026-01-31T09:30:00Z', '2026-01-31T10:30:00+01:00')
const otherTime = (content: string) => content.replaceAll('2026-01-31T09:30:00Z', '2026-01-31T08:30:00Z')

describe('records whose createdAt the service keeps', () => {
  test('are counted, named in the results and end with 14', async () => {
    write('rows.csv', csvOf(3))
    await importing('rows.csv')
    write('again.csv', otherTime(csvOf(4)))
    const ran = await importing('again.csv --results results.csv --json')
    expect(ran).toMatchObject({ exitCode: 14 })
    expect(JSON.parse(ran.stdout)).toMatchObject({ rows: 4, created: 1, updated: 3, createdAtKept: 3 })
    expect(errorOf(ran)).toMatchObject({
      code: 'created_at_kept',
      hint: 'Their other fields are updated. If that is what you want, add --on-exists update.',
    })
    expect(readTable(bench().folder, 'results.csv')).toEqual([
      ['1', 'ext-1', 'updated', 'created_at_kept', 'the record keeps its createdAt, 2026-01-31T09:30:00Z'],
      ['2', 'ext-2', 'updated', 'created_at_kept', expect.any(String)],
      ['3', 'ext-3', 'updated', 'created_at_kept', expect.any(String)],
      ['4', 'ext-4', 'created', '', ''],
    ])
    expect(ran.stderr).toContain('3 updated records keep another createdAt than their rows')
    expect(ran.stderr).toContain('row 1 (ext-1)')
    expect(ran.stderr).toContain('row 2 (ext-2)')
    expect(ran.stderr).not.toContain('row 3 (ext-3)')
  })

  test('end with 0 where updates were asked for', async () => {
    write('rows.csv', csvOf(1))
    await importing('rows.csv')
    write('again.csv', otherTime(csvOf(1)))
    const ran = await importing('again.csv --on-exists update --json')
    expect(ran).toMatchObject({ exitCode: 0 })
    expect(JSON.parse(ran.stdout)).toMatchObject({ updated: 1, createdAtKept: 1 })
    expect(ran.stderr).toContain('keeps another createdAt')
  })

  test.each([
    ['the same time in another zone', later(csvOf(1))],
    ['the same time with more decimals', csvOf(1).replace('09:30:00Z', '09:30:00.250Z')],
  ])('are none with %s', async (_, content) => {
    write('rows.csv', csvOf(1))
    await importing('rows.csv')
    write('again.csv', content)
    const ran = await importing('again.csv --json')
    expect(ran).toMatchObject({ exitCode: 0 })
    expect(JSON.parse(ran.stdout)).not.toHaveProperty('createdAtKept')
  })

  test('are unknown if the response has no createdAt', async () => {
    write('rows.csv', csvOf(1))
    const exists = jsonAnswer(409, { error: { errorId: 'EntityAlreadyExists', description: 'is there' } })
    const ran = await withService('rows.csv --json', ({ method }) =>
      method === 'POST' ? exists : jsonAnswer(200, { paymentId: 'ext-1' }),
    )
    expect(ran).toMatchObject({ exitCode: 0 })
    expect(JSON.parse(ran.stdout)).not.toHaveProperty('createdAtKept')
  })

  test('are counted over all runs of an import', async () => {
    write('rows.csv', csvOf(3))
    await importing('rows.csv')
    write('again.csv', otherTime(csvOf(3)))
    expect(await importing('again.csv --canary 1')).toMatchObject({ exitCode: 14 })
    expect(stateFiles()).not.toEqual([])
    const ran = await importing('again.csv --json')
    expect(JSON.parse(ran.stdout)).toMatchObject({ rows: 3, updated: 3, createdAtKept: 3 })
  })
})
