import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { posixWord, windowsWord, withheldNote } from '../../src/text/shell-word.ts'
import { HOSTILE_WORDS, readPowerShell } from '../support/shells.ts'

test.each([
  ['A-1', 'A-1', 'A-1'],
  ['--order', '--order', '--order'],
  ['amount=5.00', 'amount=5.00', 'amount=5.00'],
  ['', '""', '""'],
  ['5.00 EUR', '"5.00 EUR"', '"5.00 EUR"'],
  ['a,b', '"a,b"', '"a,b"'],
  ['-a.b', '"-a.b"', '"-a.b"'],
  ['=ls', '"=ls"', '"=ls"'],
  ['@body.json', '"@body.json"', '"@body.json"'],
  ["l'été", `"l'été"`, `"l'été"`],
  ['a & b', '"a & b"', '"a & b"'],
  ['A-$(touch x)', "'A-$(touch x)'", '…'],
  ['A-$x', "'A-$x'", "'A-$x'"],
  ["A-$x's", String.raw`'A-$x'\''s'`, "'A-$x''s'"],
  ['50 %', "'50 %'", '…'],
  ['%PATH%', "'%PATH%'", '…'],
  ['say "hi"', `'say "hi"'`, '…'],
  ['„x“', "'„x“'", "'„x“'"],
  [String.raw`C:\a b\c.csv`, String.raw`'C:'\\'a b'\\'c.csv'`, String.raw`"C:\a b\c.csv"`],
  [String.raw`C:\a\c.csv`, String.raw`'C:'\\'a'\\'c.csv'`, String.raw`C:\a\c.csv`],
  ['C:\\a b\\', String.raw`'C:'\\'a b'\\''`, "'C:\\a b\\'"],
  ['a\nb', '…', '…'],
])('%j is %s in POSIX shells and %s on Windows', (text, posix, windows) => {
  expect([posixWord(text), windowsWord(text)]).toEqual([posix, windows])
})

test.each(HOSTILE_WORDS)('a POSIX shell reads %j as it was meant, and runs none of it', (text) => {
  const line = posixWord(text)
  if (line === '…') return
  expect(execFileSync('sh', ['-c', `printf '%s' ${line}`], { encoding: 'utf8' })).toBe(text)
})

test.each(HOSTILE_WORDS)('PowerShell reads %j as it was meant, and runs none of it', (text) => {
  const line = windowsWord(text)
  if (line !== '…') expect(readPowerShell(line)).toEqual([text])
})

test.each(HOSTILE_WORDS)('cmd.exe runs no part of %j', (text) => {
  const outside = windowsWord(text).replaceAll(/"[^"]*"/g, '')
  expect(outside).not.toMatch(/[&|<>^()"%]/)
})

test('says what to do about a word that is left out', () => {
  expect(withheldNote(['pay find A-1'])).toBe('')
  expect(withheldNote(['pay find …'])).toContain('Type the value yourself in place of …')
})
