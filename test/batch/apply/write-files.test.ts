import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { writeFiles } from '../../../src/batch/apply/write-files.ts'
import type { PlanSource } from '../../../src/batch/plan.ts'
import { planRow } from '../../support/batch-plan.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pay-files-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const at = (name: string) => join(folder, name)
const rejectsOf = (source: PlanSource, cells: readonly string[]): string => {
  writeFiles(
    { results: undefined, rejects: at('x') },
    source,
    [planRow(1, 'p1', { cells })],
    new Map([[1, { outcome: 'skipped', message: 'it, changed' }]]),
  )
  return readFileSync(at('x'), 'utf8')
}

test('rejects have the columns of the input, its delimiter, and the reason', () => {
  const source = { format: 'csv', delimiter: ';', columns: ['id', 'total'] } as const

  expect(rejectsOf(source, ['p1', '5,00'])).toBe('id;total;rejected because\np1;5,00;it, changed\n')
})

test('the reason of an earlier run is replaced', () => {
  const source = { format: 'csv', delimiter: ',', columns: ['id', 'rejected because', 'total'] } as const

  expect(rejectsOf(source, ['p1', 'old', '5'])).toBe('id,total,rejected because\np1,5,"it, changed"\n')
})

test('a record of NDJSON keeps its digits and gets the reason', () => {
  expect(rejectsOf({ format: 'ndjson' }, ['{"paymentId":"p1","amount":12345678901234567890}'])).toBe(
    '{"paymentId":"p1","amount":12345678901234567890,"rejected because":"it, changed"}\n',
  )
})

test('formulas in the message are guarded', () => {
  writeFiles(
    { results: at('r'), rejects: undefined },
    { format: 'ndjson' },
    [planRow(1, 'p1')],
    new Map([[1, { outcome: 'failed', errorId: '=cmd()', message: '+1' }]]),
  )

  expect(readFileSync(at('r'), 'utf8')).toContain("1,p1,,ready,failed,500,EUR,'=cmd(),'+1")
})

test('rows without an outcome are left out', () => {
  writeFiles({ results: at('r'), rejects: at('x') }, { format: 'ndjson' }, [planRow(1, 'p1')], new Map())

  expect(readFileSync(at('r'), 'utf8').split('\n')).toHaveLength(2)
  expect(readFileSync(at('x'), 'utf8')).toBe('')
})
