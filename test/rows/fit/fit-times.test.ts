import { expect, test } from 'vitest'
import { readingsOf } from '../../../src/rows/fit/fit-times.ts'

const patternsOf = (...cells: readonly string[]) => readingsOf(cells).map(({ pattern }) => pattern)

test.each([
  [['2026-01-31T09:30:00Z'], undefined],
  [['2026-01-31 09:30', '2026-02-01 10:00:05'], undefined],
  [['25/10/2026 10:00', '05/10/2026 10:00'], 'dd/MM/yyyy HH:mm'],
  [['10/25/2026 10:00', '05/10/2026 10:00'], 'MM/dd/yyyy HH:mm'],
  [['28.11.2026 9:30', '05.10.2026 10:00'], 'dd.MM.yyyy H:mm'],
  [['28.11.2026 9:30', '5.10.2026 10:00'], 'd.M.yyyy H:mm'],
  [['28.11.26 09:30:00'], 'dd.MM.yy HH:mm:ss'],
  [['31.01.2026 09:30 Uhr'], "dd.MM.yyyy HH:mm 'Uhr'"],
  [['28.11.2026, 09.30'], 'dd.MM.yyyy, HH.mm'],
  [['5. 1. 2026 9:30', '28. 11. 2026 10:00'], 'd. M. yyyy H:mm'],
  [['2026. 11. 28. 09:30'], 'yyyy. MM. dd. HH:mm'],
  [['28/11/2026 à 09h30'], "dd/MM/yyyy 'à' HH'h'mm"],
  [['28.11.2026 um 09:30'], "dd.MM.yyyy 'um' HH:mm"],
  [['2026-11-28 kl. 09:30'], "yyyy-MM-dd 'kl.' HH:mm"],
  [['11/28/2026 9:30 PM', '1/5/2026 10:00 AM'], 'M/d/yyyy h:mm a'],
  [['11/28/2026 09:30:00PM'], 'MM/dd/yyyy hh:mm:ssa'],
  [['Nov 28, 2026 9:30 PM'], 'MMM d, yyyy h:mm a'],
  [['28 November 2026 21:30'], 'd MMMM yyyy HH:mm'],
  [['Jan 31, 2026 at 9:30 AM'], "MMM d, yyyy 'at' h:mm a"],
  [['Sat, 28 Nov 2026 21:30:05 +0100'], 'EEE, d MMM yyyy HH:mm:ss XXX'],
  [['31/01/2026 09:30:00 CET'], 'dd/MM/yyyy HH:mm:ss z'],
  [['31/01/2026 09:30:00 Europe/Berlin'], 'dd/MM/yyyy HH:mm:ss z'],
  [['2026/01/31 09:30:00.123'], 'yyyy/MM/dd HH:mm:ss.SSS'],
  [['20261128 21:30:05', '20261201 08:00:00'], 'yyyyMMdd HH:mm:ss'],
  [['20260105102233', '20260116120000'], 'yyyyMMddHHmmss'],
  [['1767000000', '1767000000.5'], 'unix'],
  [['1767000000000'], 'unix-ms'],
  [['25/10/2026 10:00', '', 'nan'], 'dd/MM/yyyy HH:mm'],
])('%j: %s', (cells, pattern) => expect(patternsOf(...cells)).toEqual([pattern]))

test.each([
  [
    ['03/04/2026 10:00', '05/10/2026 10:00'],
    ['dd/MM/yyyy HH:mm', 'MM/dd/yyyy HH:mm'],
  ],
  [['soon', 'later'], []],
  [['25/10/2026 10:00', 'soon'], []],
  [['45000.5'], []],
])('%j leaves the format open', (cells, patterns) => expect(patternsOf(...cells)).toEqual(patterns))

test('a few cells that fit no format leave the others their format', () => {
  const days = Array.from({ length: 20 }, (_, day) => `${String(day + 1).padStart(2, '0')}/10/2026 10:00`)
  expect(readingsOf([...days, 'soon'])).toMatchObject([{ pattern: 'dd/MM/yyyy HH:mm', misfit: 'soon' }])
})

test('the same day and month tell nothing, and leave nothing open', () =>
  expect(patternsOf('05/05/2026 10:00')).toEqual(['dd/MM/yyyy HH:mm']))

test.each([
  ['2026-01-31 09:30', true],
  ['31/01/2026 09:30', true],
  ['31/01/2026 09:30 +01:00', false],
  ['1767000000', false],
])('%s lacks a zone: %s', (cell, isLocal) => expect(readingsOf([cell])[0]?.local !== undefined).toBe(isLocal))

test('one cell rules out an order of day and month that fits all the others', () => {
  const days = Array.from({ length: 12 }, (_, day) => `${String(day + 1).padStart(2, '0')}/10/2026 10:00`)
  expect(patternsOf(...days, '25/10/2026 10:00')).toEqual(['dd/MM/yyyy HH:mm'])
})
