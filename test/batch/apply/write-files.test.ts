import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { writeFiles } from '../../../src/batch/apply/write-files.ts'
import type { PlanSource } from '../../../src/batch/plan.ts'
import { safeText } from '../../../src/output/safe-text.ts'
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
    safeText,
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
    safeText,
  )

  expect(readFileSync(at('r'), 'utf8')).toContain("1,p1,,ready,failed,500,EUR,'=cmd(),'+1")
})

test('rows without an outcome are left out', () => {
  writeFiles(
    { results: at('r'), rejects: at('x') },
    { format: 'ndjson' },
    [planRow(1, 'p1')],
    new Map(),
    safeText,
  )

  expect(readFileSync(at('r'), 'utf8').split('\n')).toHaveLength(2)
  expect(readFileSync(at('x'), 'utf8')).toBe('')
})

test('text of a service or an input cannot control a terminal', () => {
  const hostile = 'a\u001b[2J\u009b\u202e\0z'
  const shown = String.raw`a\u001b[2J\u009b\u202e\u0000z`
  writeFiles(
    { results: at('r'), rejects: at('x') },
    { format: 'csv', delimiter: ',', columns: ['id'] },
    [
      planRow(1, hostile, { orderId: hostile, cells: ['p1'] }),
      planRow(2, 'p2', { verdict: 'bad_row', message: hostile, currencyCode: hostile }),
    ],
    new Map([[1, { outcome: 'failed', errorId: hostile, message: hostile }]]),
    safeText,
  )

  expect(readFileSync(at('r'), 'utf8').split('\n').slice(1)).toEqual([
    `1,${shown},${shown},ready,failed,500,EUR,${shown},${shown}`,
    `2,p2,,bad_row,not_ready,500,${shown},,${shown}`,
    '',
  ])
  expect(readFileSync(at('x'), 'utf8')).toBe(`id,rejected because\np1,${shown}\n`)
})
