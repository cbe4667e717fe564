import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SETS } from '../../../src/api/sets.ts'
import { readTime } from '../../../src/rows/map/time-cell.ts'

test.each([
  ['2026-01-31T09:30:00Z', '2026-01-31T09:30:00Z'],
  ['2026-01-31 09:30:00Z', '2026-01-31T09:30:00Z'],
  ['2026-01-31T09:30Z', '2026-01-31T09:30:00Z'],
  ['2026-01-31T09:30:00.5Z', '2026-01-31T09:30:00.5Z'],
  ['2026-01-31T09:30:00.123456789Z', '2026-01-31T09:30:00.123456789Z'],
  ['2026-01-31T09:30:00+01:00', '2026-01-31T08:30:00Z'],
  ['2026-01-31T09:30:00+0100', '2026-01-31T08:30:00Z'],
  ['2026-01-31T09:30:00+01', '2026-01-31T08:30:00Z'],
  ['2026-01-31T09:30:00.123456+05:45', '2026-01-31T03:45:00.123456Z'],
  ['2026-01-31T20:00:00-05:00', '2026-02-01T01:00:00Z'],
  ['2026-01-01T00:30:00+14:00', '2025-12-31T10:30:00Z'],
  ['2026-01-31T09:30:00-00:00', '2026-01-31T09:30:00Z'],
  ['2024-02-29T12:00:00Z', '2024-02-29T12:00:00Z'],
  ['2000-02-29T12:00:00Z', '2000-02-29T12:00:00Z'],
  ['2026-01-31T24:00:00Z', '2026-02-01T00:00:00Z'],
  ['2026-12-31T24:00:00+00:00', '2027-01-01T00:00:00Z'],
  ['2026-01-31T24:00:00.000+01:00', '2026-01-31T23:00:00.000Z'],
  ['0026-01-31T09:30:00+01:00', '0026-01-31T08:30:00Z'],
])('a time with a zone is converted to UTC: %s', (text, utc) =>
  expect(readTime(text, { assumesUtc: false })).toBe(utc),
)

describe('a time without a zone', () => {
  test('is rejected', () =>
    expect(readTime('2026-01-31 09:30:00', { assumesUtc: false })).toEqual({
      kind: 'has no time zone',
      hint: 'Add Z or an offset, or use --timezone or --assume-utc',
    }))

  test.each([
    ['2026-01-31 09:30:00', '2026-01-31T09:30:00Z'],
    ['2026-01-31T24:00', '2026-02-01T00:00:00Z'],
  ])('is UTC with --assume-utc: %s', (text, utc) => expect(readTime(text, { assumesUtc: true })).toBe(utc))
})

describe('rejects', () => {
  test.each([
    ['2026-02-29T12:00:00Z', 'is a date or time that does not exist'],
    ['1900-02-29T12:00:00Z', 'is a date or time that does not exist'],
    ['2026-02-31T12:00:00Z', 'is a date or time that does not exist'],
    ['2026-04-31T12:00:00Z', 'is a date or time that does not exist'],
    ['2026-00-10T12:00:00Z', 'is a date or time that does not exist'],
    ['2026-13-10T12:00:00Z', 'is a date or time that does not exist'],
    ['2026-01-00T12:00:00Z', 'is a date or time that does not exist'],
    ['2026-01-31T25:00:00Z', 'is a date or time that does not exist'],
    ['2026-01-31T24:00:01Z', 'is a date or time that does not exist'],
    ['2026-01-31T24:00:00.1Z', 'is a date or time that does not exist'],
    ['2026-01-31T09:60:00Z', 'is a date or time that does not exist'],
    ['2026-01-31T23:59:60Z', 'is a date or time that does not exist'],
    ['0000-01-01T00:00:00+01:00', 'is a date or time that does not exist'],
    ['9999-12-31T23:59:59Z', 'is a time that stands for none (the year 9999)'],
    ['0001-01-01 00:00:00Z', 'is a time that stands for none (the year 0001)'],
    ['1899-12-30T00:00:00Z', 'is a time that stands for none (the year 1899)'],
    ['1900-01-00 00:00:00Z', 'is a date or time that does not exist'],
    ['1970-01-01T00:00:00Z', 'is a time that stands for none (the first second of 1970)'],
    ['2026-01-31T09:30:00+15:00', 'has an offset that does not exist'],
    ['2026-01-31T09:30:00+01:60', 'has an offset that does not exist'],
    ['46053.39583', "is a spreadsheet's day number"],
    ['46053,39583', "is a spreadsheet's day number"],
    ['46053', "is a spreadsheet's day number"],
    ['1769851800', 'is a Unix timestamp'],
    ['1769851800000', 'is a Unix timestamp'],
    ['31/01/2026', 'does not show which number is the month'],
    ['01/31/2026 09:30', 'does not show which number is the month'],
    ['31.01.2026 09:30:00', 'does not show which number is the month'],
    ['2026-01-31', 'has no time of day'],
    ['2026-1-31T09:30:00Z', 'is not a time'],
    ['2026-01-31T09:30:00.1234567890Z', 'is not a time'],
    ['2026-01-31T09:30:00z', 'is not a time'],
    ['20260131T093000Z', 'is not a time'],
    ['yesterday', 'is not a time'],
    ['２０２６-01-31T09:30:00Z', 'is not a time'],
  ])('%s', (text, kind) => {
    for (const assumesUtc of [false, true]) expect(readTime(text, { assumesUtc })).toMatchObject({ kind })
  })
})

test('converts every offset as JavaScript does', () =>
  fc.assert(
    fc.property(
      fc.date({ min: new Date('0001-01-02'), max: new Date('9999-12-30'), noInvalidDate: true }),
      fc.integer({ min: -14 * 60, max: 14 * 60 }),
      (date, offset) => {
        const whole = date.toISOString().slice(0, 19)
        fc.pre(!/^(?:0001|1899|9999|1970-01-01T00:00:00)/.test(whole))
        const hours = String(Math.trunc(Math.abs(offset) / 60)).padStart(2, '0')
        const minutes = String(Math.abs(offset) % 60).padStart(2, '0')
        const text = `${whole}${offset < 0 ? '-' : '+'}${hours}:${minutes}`
        const read = readTime(text, { assumesUtc: false })
        expect(read).toBe(new Date(text).toISOString().replace('.000', ''))
        expect(read).toMatch(SETS.utcDatetime.form.pattern)
      },
    ),
  ))
