import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openRowFile } from '../../../src/rows/keep/row-files.ts'
import { useFolder } from '../../support/folder.ts'

const folder = useFolder()
const path = () => join(folder(), 'results.csv')

test('starts with the header, replaces the old file, and is readable by its owner only', () => {
  writeFileSync(path(), 'of another time, and longer than the new one', { mode: 0o600 })
  const file = openRowFile(path(), 'a,b\n')
  file.add('1,2\n')
  file.sync()
  file.close()
  expect(readFileSync(path(), 'utf8')).toBe('a,b\n1,2\n')
  expect(statSync(path()).mode & 0o777).toBe(0o600)
})

test('a file of the same kind keeps its header, which a power cut must not take away', () => {
  writeFileSync(path(), 'a,b\n9,9\n8,8\n')
  const file = openRowFile(path(), 'a,b\n')
  expect(readFileSync(path(), 'utf8')).toBe('a,b\n')
  file.add('1,2\n')
  file.close()
  expect(readFileSync(path(), 'utf8')).toBe('a,b\n1,2\n')
})

test('gives the reason why a file cannot be written', () => {
  const open = (name: string) => () => openRowFile(join(folder(), name), '')
  expect(open('none/results.csv')).toThrow(/there is no such folder/)
  expect(open('.')).toThrow(expect.objectContaining({ code: 'unwritable_file', exitCode: 2 }))
})

test.skipIf(process.platform !== 'linux')('reports a full disk and writes nothing after the gap', () => {
  const file = openRowFile('/dev/full', 'a,b\n')
  expect(() => file.sync()).toThrow(/the disk is full/)
  file.add('1,2\n')
  expect(() => file.sync()).toThrow(/the disk is full/)
  file.close()
})

test.skipIf(process.platform !== 'linux')('what is no file of a disk is written to as it is', () => {
  const file = openRowFile('/dev/null', 'a,b\n')
  file.add('1,2\n')
  expect(() => file.sync()).not.toThrow()
  file.close()
})

test('writes many lines completely', () => {
  const file = openRowFile(path(), '')
  const line = `${'x'.repeat(999)}\n`
  for (let row = 0; row < 300; row += 1) file.add(line)
  file.close()
  expect(statSync(path()).size).toBe(300_000)
})
