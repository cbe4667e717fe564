import { linkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { refuseEqualFiles } from '../../../src/rows/keep/equal-files.ts'
import { refuseOwnFolders } from '../../../src/rows/keep/output-files.ts'
import { useFolder } from '../../support/folder.ts'

const folder = useFolder()

const refuse = (results: string, rejects: string) => () =>
  refuseEqualFiles(
    [
      ['--results', results],
      ['--rejects', rejects],
    ],
    folder(),
  )
const REFUSED = expect.objectContaining({ code: 'two_sources', exitCode: 2 })

test.each([
  ['the same name', 'out.csv', './out.csv'],
  ['names that differ in case', 'Out.csv', 'OUT.CSV'],
  ['names that differ in the normal form', 'caf\u00e9.csv', 'cafe\u0301.csv'],
  ['folders that differ in case', 'New/out.csv', 'new/out.csv'],
])('%s are one file', (_, results, rejects) => {
  expect(refuse(results, rejects)).toThrow(REFUSED)
})

test('files that exist are told apart by the system, whatever their names', () => {
  writeFileSync(join(folder(), 'one.csv'), '')
  linkSync(join(folder(), 'one.csv'), join(folder(), 'two.csv'))
  expect(refuse('one.csv', 'two.csv')).toThrow(REFUSED)
  expect(refuse('one.csv', 'three.csv')).not.toThrow()
})

test("pay's own folders are refused however they are spelled", () => {
  const own = { cwd: folder(), configFolder: join(folder(), 'config'), stateFolder: join(folder(), 'state') }
  expect(() => refuseOwnFolders({ '--results': 'STATE/out.csv' }, own)).toThrow(
    expect.objectContaining({ code: 'unwritable_file' }),
  )
})
