import { describe, expect, test } from 'vitest'
import { parseDateFormat } from '../../../src/rows/map/date-format.ts'
import type { DateFormat } from '../../../src/rows/map/date-format.ts'
import { readTime } from '../../../src/rows/map/time-cell.ts'

function formatOf(pattern: string): DateFormat {
  const format = parseDateFormat(pattern)
  if (!('read' in format)) throw new Error(`${pattern} ${format.kind}`)
  return format
}
const utcOf = (pattern: string, text: string) =>
  readTime(text, { assumesUtc: true, dateFormat: formatOf(pattern) })

describe('a time in a format', () => {
  test.each([
    ['dd.MM.yyyy HH:mm', '31.01.2026 09:30', '2026-01-31T09:30:00Z'],
    ['dd.MM.yyyy HH:mm:ss', '31.01.2026 09:30:15', '2026-01-31T09:30:15Z'],
    ['d.M.yyyy H:mm', '1.2.2026 9:05', '2026-02-01T09:05:00Z'],
    ['d.M.yyyy H:mm', '31.12.2026 23:05', '2026-12-31T23:05:00Z'],
    ['dd.MM.yy HH:mm', '31.01.26 09:30', '2026-01-31T09:30:00Z'],
    ['M/d/yyyy h:mm a', '1/31/2026 9:30 PM', '2026-01-31T21:30:00Z'],
    ['M/d/yyyy h:mm a', '1/31/2026 9:30\u202Fpm', '2026-01-31T21:30:00Z'],
    ['M/d/yyyy h:mm a', '1/31/2026 12:30 a.m.', '2026-01-31T00:30:00Z'],
    ['M/d/yyyy h:mm a', '1/31/2026 12:30 PM', '2026-01-31T12:30:00Z'],
    ['MMM d, yyyy HH:mm', 'Jan 5, 2026 09:30', '2026-01-05T09:30:00Z'],
    ['d MMMM yyyy HH:mm', '5 september 2026 09:30', '2026-09-05T09:30:00Z'],
    ['EEE, dd MMM yyyy HH:mm:ss Z', 'Sat, 31 Jan 2026 09:30:00 +0100', '2026-01-31T08:30:00Z'],
    ["yyyy-MM-dd'T'HH:mm:ss.SSSXXX", '2026-01-31T09:30:00.125+05:30', '2026-01-31T04:00:00.125Z'],
    ["yyyy-MM-dd HH 'o''clock'", "2026-01-31 09 o'clock", '2026-01-31T09:00:00Z'],
    ['yyyyMMddHHmmss', '20260131093000', '2026-01-31T09:30:00Z'],
    ['yyyy-MM-dd HH:mm xx', '2026-01-31 09:30 -0500', '2026-01-31T14:30:00Z'],
    ['yyyy-MM-dd HH:mm z', '2026-10-25 02:30 CEST', '2026-10-25T00:30:00Z'],
    ['yyyy-MM-dd HH:mm z', '2026-10-25 02:30 cet', '2026-10-25T01:30:00Z'],
    ['yyyy-MM-dd HH:mm z', '2026-07-01 09:30 Europe/Berlin', '2026-07-01T07:30:00Z'],
    ['yyyy-MM-dd HH:mm z', '2026-01-31 09:30 America/Argentina/Salta', '2026-01-31T12:30:00Z'],
    ['dd.MM.yyyy', '31.01.2026', '2026-01-31T00:00:00Z'],
    ["yyyy-MM-dd HH:mm 'CST'", '2026-01-31 09:30 CST', '2026-01-31T09:30:00Z'],
    ['EEEE, MMMM d, yyyy', 'Saturday, January 31, 2026', '2026-01-31T00:00:00Z'],
    ['EEE dd/MM/yyyy', 'Fri 01/05/2026', '2026-05-01T00:00:00Z'],
    ['unix', '1769851800', '2026-01-31T09:30:00Z'],
    ['unix', '1769851800.125', '2026-01-31T09:30:00.125Z'],
    ['unix-ms', '1769851800125', '2026-01-31T09:30:00.125Z'],
    ['unix-ms', '1769851800000', '2026-01-31T09:30:00Z'],
    ['dd.MM.yyyy HH:mm', '31.01.2026 24:00', '2026-02-01T00:00:00Z'],
  ])('%s: %s', (pattern, text, utc) => expect(utcOf(pattern, text)).toBe(utc))

  test.each([
    ['dd.MM.yyyy HH:mm', '2026-01-31T09:30:00+01:00', '2026-01-31T08:30:00Z'],
    ['dd.MM.yyyy HH:mm', '2026-01-31 09:30Z', '2026-01-31T09:30:00Z'],
  ])('%s: a complete ISO 8601 time is accepted, too: %s', (pattern, text, utc) =>
    expect(utcOf(pattern, text)).toBe(utc),
  )

  test.each([
    ['dd.MM.yyyy HH:mm', '1.2.2026 09:30', 'does not match dd.MM.yyyy HH:mm'],
    ['dd.MM.yyyy HH:mm', '31.01.2026 09:30:00', 'does not match dd.MM.yyyy HH:mm'],
    ['dd.MM.yyyy HH:mm', '31x01x2026 09:30', 'does not match dd.MM.yyyy HH:mm'],
    ['dd.MM.yyyy HH:mm', '2026-01-31T09:30:00', 'does not match dd.MM.yyyy HH:mm'],
    ['dd.MM.yyyy HH:mm', '46053.4', 'does not match dd.MM.yyyy HH:mm'],
    ['dd.MM.yyyy HH:mm', '31.13.2026 09:30', 'is a date or time that does not exist'],
    ['dd.MM.yyyy HH:mm', '29.02.2026 09:30', 'is a date or time that does not exist'],
    ['dd.MM.yyyy HH:mm', '28.02.2026 25:30', 'is a date or time that does not exist'],
    ['hh:mm a dd.MM.yyyy', '13:00 PM 28.02.2026', 'is a date or time that does not exist'],
    ['hh:mm a dd.MM.yyyy', '00:00 AM 28.02.2026', 'is a date or time that does not exist'],
    ['MMM d, yyyy', 'Jum 5, 2026', 'has a month that does not exist'],
    ['EEE, dd MMM yyyy', 'Xyz, 31 Jan 2026', 'has a weekday that does not exist'],
    ['EEE, dd MMM yyyy', 'Sun, 31 Jan 2026', 'names another day of the week than its date has'],
    ['EEE MM/dd/yyyy', 'Fri 01/05/2026', 'names another day of the week than its date has'],
    ['unix', '0', 'is a time that stands for none (the first second of 1970)'],
    ['unix', '1769851800000', 'does not match unix'],
    ['unix-ms', '2026-01-31', 'does not match unix-ms'],
    ['yyyy-MM-dd HH:mm z', '2026-01-31 09:30 CST', 'has a time zone that is unknown or may mean several'],
    [
      'yyyy-MM-dd HH:mm z',
      '2026-01-31 09:30 Europe/Berlln',
      'has a time zone that is unknown or may mean several',
    ],
    ['yyyy-MM-dd HH:mm Z', '2026-01-31 09:30 +2500', 'has an offset that does not exist'],
  ])('%s: %s is refused', (pattern, text, kind) => expect(utcOf(pattern, text)).toMatchObject({ kind }))

  test('needs a zone like any other', () =>
    expect(
      readTime('31.01.2026 09:30', { assumesUtc: false, dateFormat: formatOf('dd.MM.yyyy HH:mm') }),
    ).toMatchObject({ kind: 'has no time zone' }))
})

test.each([
  ['', 'has no year'],
  ['dd.MM HH:mm', 'has no year'],
  ['MM.yyyy', 'has no day'],
  ['dd.mm.yyyy', 'has no month', 'The month is MM; mm are the minutes'],
  [
    'DD.MM.YYYY',
    'has "DD", which is not a token',
    'The year is yyyy and the day dd; Y is the year that a week belongs to, D the day of the year',
  ],
  [
    'DD.MM.yyyy',
    'has "DD", which is not a token',
    'The year is yyyy and the day dd; Y is the year that a week belongs to, D the day of the year',
  ],
  ['%d.%m.%Y', 'has "Y", which is not a token', 'Use Unicode tokens: dd.MM.yyyy HH:mm'],
  ['dd.MM.yyyyy', 'has "yyyyy", which is not a token'],
  ['dd.MM.yyyy hh:mm', 'has hours up to 12 without AM or PM'],
  ['dd.MM.yyyy HH:mm a', 'has AM or PM with hours up to 24'],
  ['dd.MM.yyyy mm', 'has no hour'],
  ['dd.MM.yyyy HH:ss', 'has no minute'],
  ['dd.MM.yyyy HH:mm.SSS', 'has no second'],
  ['dd.dd.MM.yyyy', 'has two tokens for the day'],
  ['dMyyyy', 'has digits that run into each other'],
  ["dd.MM.yyyy 'at HH:mm", 'has an unclosed quote'],
  [
    'dd.MM.yyyy HH:mm zzzz',
    'has "zzzz", which is not a token',
    'Use XXX for an offset such as +01:00, z for CET or Europe/Berlin',
  ],
])('a format is refused: %s', (pattern, kind, hint?: string) => {
  const problem = parseDateFormat(pattern)
  expect(problem).toMatchObject({ hint: hint ?? expect.any(String) })
  expect('kind' in problem ? problem.kind : '').toContain(kind)
})
