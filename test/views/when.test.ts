import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyTime, shownTime } from '../../src/views/when.ts'

test.each([
  ['2026-11-20T15:36:16.367687', undefined, '2026-11-20 15:36:16 UTC'],
  ['2026-11-20T15:36:16Z', undefined, '2026-11-20 15:36:16 UTC'],
  ['2026-11-20T15:36:16+02:00', undefined, '2026-11-20 13:36:16 UTC'],
  ['2026-11-20T15:36:16-0500', undefined, '2026-11-20 20:36:16 UTC'],
  ['2026-11-20T15:36:16', 'UTC', '2026-11-20 15:36:16 UTC'],
  ['2026-11-20T15:36:16', 'Etc/UTC', '2026-11-20 15:36:16 UTC'],
  ['2026-11-20', undefined, '2026-11-20 00:00:00 UTC'],
  ['2026-11-20T15:36:16.367687', 'Europe/Berlin', '2026-11-20 16:36:16 CET'],
  ['2026-07-01T23:30:00', 'Europe/Berlin', '2026-07-02 01:30:00 CEST'],
  ['2026-11-20T00:00:00', 'Asia/Tokyo', '2026-11-20 09:00:00 GMT+9'],
  ['2026-03-29T00:59:59Z', 'Europe/Berlin', '2026-03-29 01:59:59 CET'],
  ['2026-03-29T01:00:00Z', 'Europe/Berlin', '2026-03-29 03:00:00 CEST'],
  ['2026-03-29T00:14:59Z', 'Asia/Kathmandu', '2026-03-29 05:59:59 GMT+5:45'],
  ['1880-01-01T00:00:00Z', 'Europe/Berlin', '1880-01-01 00:53:28 GMT+0:53:28'],
  ['2026-11-20T15:36:16Z', 'No/Such_Zone', '2026-11-20 15:36:16 UTC'],
  ['+275760-09-13T00:00:00Z', 'Europe/Berlin', '+275760-09-13 00:00:00 UTC'],
  ['soon\u001B', 'Europe/Berlin', 'soon\\u001b'],
  ['', undefined, ''],
  [undefined, 'Europe/Berlin', undefined],
])('%s in %s is %s', (wire, timeZone, shown) => {
  expect(shownTime(wire, timeZone)).toBe(shown)
})

test('times of one hour are shown as each would be alone', () => {
  const zones = [
    undefined,
    'UTC',
    'Europe/Berlin',
    'Asia/Kolkata',
    'Australia/Lord_Howe',
    'America/St_Johns',
    'No/Such_Zone',
  ]
  // The hours in which clocks are changed, and any other.
  const hour = fc.oneof(
    fc.constantFrom('2026-03-29T00', '2026-03-29T01', '2026-10-25T00', '2026-10-25T01', '2026-02-30T10'),
    fc.constantFrom('2026-04-04T14', '2026-04-04T15', '1880-01-01T00', '2026-13-01T10', '2026-01-01T24'),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 13)),
  )
  const two = fc.integer({ min: 0, max: 60 }).map((number) => String(number).padStart(2, '0'))
  const rest = fc.tuple(two, two, fc.constantFrom('', '.367687', '.000Z', 'Z', '+02:00'))
  fc.assert(
    fc.property(fc.constantFrom(...zones), hour, fc.array(rest, { minLength: 3 }), (zone, start, rests) => {
      for (const [minutes, seconds, end] of rests) {
        const wire = `${start}:${minutes}:${seconds}${end}`
        expect(shownTime(wire, zone)).toBe(anyTime(wire, zone))
      }
    }),
    { numRuns: 300 },
  )
})
