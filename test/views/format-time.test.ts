import { expect, test } from 'vitest'
import { formatMinute, formatTime, formatTimeForTable } from '../../src/views/format-time.ts'

test.each([
  ['2026-11-20T15:36:16.367687', undefined, '2026-11-20 15:36:16 UTC'],
  ['2026-11-20T15:36:16Z', undefined, '2026-11-20 15:36:16 UTC'],
  ['2026-11-20T15:36:16+02:00', undefined, '2026-11-20 13:36:16 UTC'],
  ['2026-11-20T15:36:16-0500', undefined, '2026-11-20 20:36:16 UTC'],
  ['2026-11-20T15:36:16', 'UTC', '2026-11-20 15:36:16 UTC'],
  ['2026-11-20T15:36:16', 'Etc/UTC', '2026-11-20 15:36:16 UTC'],
  ['2026-11-20 15:36:16', 'Europe/Berlin', '2026-11-20 16:36:16 CET'],
  ['2026-11-20', undefined, '2026-11-20'],
  ['2026-11-20', 'America/New_York', '2026-11-20'],
  ['2026-11-20T15:36:16.367687', 'Europe/Berlin', '2026-11-20 16:36:16 CET'],
  ['2026-07-01T23:30:00', 'Europe/Berlin', '2026-07-02 01:30:00 CEST'],
  ['2026-11-20T00:00:00', 'Asia/Tokyo', '2026-11-20 09:00:00 GMT+9'],
  ['2026-11-20T15:36:16', 'America/New_York', '2026-11-20 10:36:16 GMT-5'],
  ['2026-11-20T23:05:07', 'Asia/Kolkata', '2026-11-21 04:35:07 GMT+5:30'],
  ['2026-10-25T00:59:59Z', 'Europe/Berlin', '2026-10-25 02:59:59 CEST'],
  ['2026-10-25T01:00:00Z', 'Europe/Berlin', '2026-10-25 02:00:00 CET'],
  ['2026-03-29T00:59:59Z', 'Europe/Berlin', '2026-03-29 01:59:59 CET'],
  ['2026-03-29T01:00:00Z', 'Europe/Berlin', '2026-03-29 03:00:00 CEST'],
  ['2026-03-29T00:14:59Z', 'Asia/Kathmandu', '2026-03-29 05:59:59 GMT+5:45'],
  ['1880-01-01T00:00:00Z', 'Europe/Berlin', '1880-01-01 00:53:28 GMT+0:53:28'],
  ['2026-11-20T15:36:16Z', 'No/Such_Zone', '2026-11-20 15:36:16 UTC'],
  ['+275760-09-13T00:00:00Z', 'Europe/Berlin', '275760-09-13 02:00:00 GMT+2'],
  ['soon\u001B', 'Europe/Berlin', 'soon\\u001b'],
  ['', undefined, ''],
  [undefined, 'Europe/Berlin', undefined],
])('%s in %s is %s', (wire, timeZone, shown) => {
  expect(formatTime(wire, timeZone)).toBe(shown)
})

test.each([
  ['2026-11-20T15:36:16.367687', 'Europe/Berlin', '2026-11-20 16:36'],
  ['2026-11-20T15:36:16', undefined, '2026-11-20 15:36'],
  ['2026-11-20', 'America/New_York', '2026-11-20'],
  ['soon', undefined, 'soon'],
  [undefined, undefined, undefined],
])('%s in %s is %s in the short form', (wire, timeZone, shown) => {
  expect(formatMinute(wire, timeZone)).toBe(shown)
  expect(formatTimeForTable(wire, { width: 80, timeZone })).toBe(shown)
  expect(formatTimeForTable(wire, { width: undefined, timeZone })).toBe(formatTime(wire, timeZone))
})
