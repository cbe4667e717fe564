import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readTime } from '../../../src/rows/map/time-cell.ts'
import { timeZoneNames, timeZoneOf, zoneInCell } from '../../../src/rows/map/time-zone.ts'

const readIn = (zone: string, text: string) =>
  readTime(text, { assumesUtc: false, timezone: timeZoneOf(zone) })

describe('a time without a zone', () => {
  test.each([
    ['Europe/Berlin', '2026-01-31 09:30', '2026-01-31T08:30:00Z'],
    ['Europe/Berlin', '2026-07-31 09:30', '2026-07-31T07:30:00Z'],
    ['europe/berlin', '2026-07-31 00:30:15.25', '2026-07-30T22:30:15.25Z'],
    ['America/New_York', '2026-12-31 23:30', '2027-01-01T04:30:00Z'],
    ['Asia/Kathmandu', '2026-01-31 00:00', '2026-01-30T18:15:00Z'],
    ['Australia/Lord_Howe', '2026-04-05 03:00', '2026-04-04T16:30:00Z'],
    ['Pacific/Kiritimati', '2026-01-01 00:00', '2025-12-31T10:00:00Z'],
    ['UTC', '2026-01-31 24:00', '2026-02-01T00:00:00Z'],
    // The last minutes before and the first after the clocks change.
    ['Europe/Berlin', '2026-03-29 01:59:59', '2026-03-29T00:59:59Z'],
    ['Europe/Berlin', '2026-03-29 03:00:00', '2026-03-29T01:00:00Z'],
    ['Europe/Berlin', '2026-10-25 01:59:59', '2026-10-24T23:59:59Z'],
    ['Europe/Berlin', '2026-10-25 03:00:00', '2026-10-25T02:00:00Z'],
  ])('is read in %s: %s', (zone, text, utc) => expect(readIn(zone, text)).toBe(utc))

  test.each([
    ['Europe/Berlin', '2026-03-29 02:00:00'],
    ['Europe/Berlin', '2026-03-29 02:59:59'],
    ['America/New_York', '2026-03-08 02:30'],
    ['Australia/Lord_Howe', '2026-10-04 02:15'],
    ['Pacific/Apia', '2011-12-30 12:00'],
  ])('in the hour that %s skips is refused: %s', (zone, text) =>
    expect(readIn(zone, text)).toMatchObject({ kind: expect.stringMatching(/^does not exist in .*forward/) }),
  )

  test.each([
    ['Europe/Berlin', '2026-10-25 02:00:00', '2026-10-25T02:00:00+02:00 or 2026-10-25T02:00:00+01:00'],
    ['Europe/Berlin', '2026-10-25 02:59:59', '2026-10-25T02:59:59+02:00 or 2026-10-25T02:59:59+01:00'],
    ['America/New_York', '2026-11-01 01:30', '2026-11-01T01:30:00-04:00 or 2026-11-01T01:30:00-05:00'],
    ['Australia/Lord_Howe', '2026-04-05 01:45', '2026-04-05T01:45:00+11:00 or 2026-04-05T01:45:00+10:30'],
  ])('in the hour that repeats in %s is refused, with both: %s', (zone, text, both) =>
    expect(readIn(zone, text)).toMatchObject({
      kind: expect.stringMatching(/^exists twice in .*back/),
      hint: `Write it in ISO 8601 with an offset: ${both}`,
    }),
  )

  test('in both ways of writing it with an offset is accepted', () => {
    expect(readIn('Europe/Berlin', '2026-10-25T02:30:00+02:00')).toBe('2026-10-25T00:30:00Z')
    expect(readIn('Europe/Berlin', '2026-10-25T02:30:00+01:00')).toBe('2026-10-25T01:30:00Z')
  })
})

test.each(['+01:00', 'Berlin', 'Europe/Berlln', '', 'Z+1'])('%s is no zone', (name) =>
  expect(timeZoneOf(name)).toBeUndefined(),
)

test('every instant is among the meanings of its local time', () => {
  const zones = 'Europe/Berlin America/New_York Australia/Lord_Howe Africa/Casablanca Asia/Tehran'.split(' ')
  const property = fc.property(
    fc.constantFrom(...zones),
    fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2037, 0) }),
    (name, ms) => {
      const second = Math.floor(ms / 1000) * 1000
      const format = new Intl.DateTimeFormat('sv-SE', {
        timeZone: name,
        dateStyle: 'short',
        timeStyle: 'medium',
      })
      const localMs = Date.parse(`${format.format(second).replace(' ', 'T')}Z`)
      expect(timeZoneOf(name)?.instantsOf(localMs)).toContain(second)
    },
  )
  fc.assert(property, { numRuns: 200 })
})

test('suggests the names of the database', () => expect(timeZoneNames()).toContain('Europe/Berlin'))

test.each([
  ['Europe/Berlin', '2026-07-01T07:30:00Z'],
  ['+02:00', '2026-07-01T07:30:00Z'],
  ['+0200', '2026-07-01T07:30:00Z'],
  ['UTC+2', '2026-07-01T07:30:00Z'],
  ['GMT-05:30', '2026-07-01T15:00:00Z'],
  ['UTC', '2026-07-01T09:30:00Z'],
  ['cest', '2026-07-01T07:30:00Z'],
  ['Berlin', '2026-07-01T07:30:00Z'],
  ['new york', '2026-07-01T13:30:00Z'],
  ['Eastern Time (US & Canada)', '2026-07-01T13:30:00Z'],
])('the zone %s in a cell', (zone, utc) =>
  expect(readTime('2026-07-01T09:30:00', { assumesUtc: false, timezone: zoneInCell(zone) })).toBe(utc),
)

test.each(['CST', 'shop 7', '+15:00', '+02:75', 'Berlin/Mitte', '7'])('%s names no zone', (text) =>
  expect(zoneInCell(text)).toBeUndefined(),
)
