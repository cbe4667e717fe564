import { describe, expect, test } from 'vitest'
import { scanLine } from '../../../src/cli/parse/scan-line.ts'
import { formatOfError } from '../../../src/cli/parse/settings.ts'
import { wordsOf } from './read-words.ts'

describe('a line is sorted into flags, their values and other words', () => {
  test.each([
    ['', {}, [], undefined],
    ['payment get p1', {}, [0, 1, 2], undefined],
    ['--profile shop payment -q get', { profile: 'shop', quiet: '' }, [2, 4], undefined],
    ['-p shop -ojson --query=a=b', { profile: 'shop', output: 'json', query: 'a=b' }, [], undefined],
    ['payment get --output', { output: '' }, [0, 1], 'output'],
    ['--reason --json x', { reason: '', json: '' }, [2], undefined],
    ['--reason -ojson', { reason: '-ojson' }, [], undefined],
    ['--reason -- --json', { reason: '--', json: '' }, [], undefined],
    ['--unknown x --other=y', { unknown: '', other: 'y' }, [1], undefined],
    ['- -- --json --', {}, [0, 2, 3], undefined],
  ])('pay %s', (line, given, positions, pending) => {
    const scanned = scanLine(wordsOf(line))
    expect(Object.fromEntries(scanned.given)).toEqual(given)
    expect(scanned.positions).toEqual(positions)
    expect(scanned.pending?.name).toBe(pending)
  })

  test.each([
    ['payment get', undefined],
    ['-h payment', 'short'],
    ['-h payment --help', 'whole'],
    ['--help -h', 'whole'],
    ['--reason --help', 'whole'],
    ['--unknown -h', 'short'],
    ['--help=x', undefined],
    ['-- --help', undefined],
  ])('pay %s asks for help: %s', (line, help) => {
    expect(scanLine(wordsOf(line)).help).toBe(help)
  })
})

test.each([
  ['payment gett', {}, 'table'],
  ['payment gett', { PAY_OUTPUT: 'yaml' }, 'yaml'],
  ['payment gett --json', { PAY_OUTPUT: 'yaml' }, 'json'],
  ['payment gett -o', { PAY_OUTPUT: 'yaml' }, 'yaml'],
  ['payment gett -o nothing', { PAY_OUTPUT: 'yaml' }, 'table'],
  ['payment gett --output=csv', {}, 'csv'],
  ['payment gett -ocsv', {}, 'csv'],
  ['--amount -o json', {}, 'json'],
  ['--query x', {}, 'json'],
  ['payment gett -- --json', {}, 'table'],
])('the error of "pay %s" with %o is for %s', (line, env, format) => {
  expect(formatOfError(scanLine(wordsOf(line)), env)).toBe(format)
})
