import { describe, expect, test } from 'vitest'
import { SETS } from '../../src/api/sets.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** The days of a year by JavaScript's own calendar. */
function daysOf(year: number): ReadonlySet<string> {
  const first = Date.parse(`${String(year).padStart(4, '0')}-01-01T00:00:00Z`)
  const days = Array.from({ length: 366 }, (_, at) =>
    new Date(first + at * DAY_MS).toISOString().slice(0, 10),
  )
  return new Set(days.filter((day) => Number(day.slice(0, 4)) === year))
}

const two = (number: number) => String(number).padStart(2, '0')

describe.each(['utcDatetime', 'creationTime'] as const)('%s', (name) => {
  const { pattern } = SETS[name].form

  test('has the days of the calendar and no others', () => {
    for (const year of [
      0, 1, 4, 100, 400, 1900, 1970, 1999, 2000, 2023, 2024, 2026, 2096, 2100, 2400, 9999,
    ]) {
      const days = daysOf(year)
      for (let month = 0; month <= 13; month += 1)
        for (let date = 0; date <= 32; date += 1) {
          const day = `${String(year).padStart(4, '0')}-${two(month)}-${two(date)}`
          expect([day, pattern.test(`${day}T09:30:00Z`)]).toEqual([day, days.has(day)])
        }
    }
  })

  test.each([
    '2026-01-31T24:00:00Z',
    '2026-01-31T09:60:00Z',
    '2026-01-31T09:30:60Z',
    'x2026-01-31T09:30:00Z',
  ])('does not have %s', (text) => expect(pattern.test(text)).toBe(false))
})
