import { describe, expect, test } from 'vitest'
import { agesBetween, doClocksAgree, oldestAgeMs, youngestAgeMs } from '../../../src/client/ledger/moment.ts'
import type { Moment } from '../../../src/client/ledger/moment.ts'

const SECOND = 1_000
const DAY = 86_400_000
const here = (wallMs: number, upMs?: number): Moment => ({ wallMs, machine: 'desk', boot: 'boot-1', upMs })

const CASES: Readonly<
  Record<string, { earlier: Moment; now: Moment; youngest?: number; oldest?: number; agree: boolean }>
> = {
  'one machine, one boot': {
    earlier: here(0, 0),
    now: here(5 * SECOND, 5 * SECOND),
    youngest: 5 * SECOND,
    oldest: 5 * SECOND,
    agree: true,
  },
  'a wall clock that was two days behind when it was sent': {
    earlier: here(0, 0),
    now: here(2 * DAY + 5 * SECOND, 5 * SECOND),
    youngest: 5 * SECOND,
    oldest: 2 * DAY + 5 * SECOND,
    agree: false,
  },
  'a wall clock that was set back since: it says nothing': {
    earlier: here(2 * DAY, 0),
    now: here(0, 5 * SECOND),
    youngest: 0,
    oldest: 5 * SECOND,
    agree: false,
  },
  'a reboot: the time since then does not compare': {
    earlier: { ...here(0, DAY), boot: 'boot-0' },
    now: here(60 * SECOND, SECOND),
    youngest: 60 * SECOND,
    oldest: 60 * SECOND,
    agree: true,
  },
  'another machine, with the service alone between them': {
    earlier: { wallMs: 0, machine: 'laptop', serviceMs: 0 },
    now: { ...here(DAY, 5), serviceMs: 7 * SECOND },
    youngest: 7 * SECOND,
    oldest: 7 * SECOND,
    agree: true,
  },
  'another machine without anything between them': {
    earlier: { wallMs: 0, machine: 'laptop' },
    now: here(DAY, 5),
    agree: false,
  },
  'another name of the same boot: a container': {
    earlier: { ...here(0, 0), machine: 'c1' },
    now: { ...here(9, 9), machine: 'c2' },
    youngest: 9,
    oldest: 9,
    agree: true,
  },
  "a team's database": {
    earlier: { databaseMs: 0, machine: 'laptop', wallMs: DAY },
    now: { ...here(0, 0), databaseMs: 3 * SECOND },
    youngest: 3 * SECOND,
    oldest: 3 * SECOND,
    agree: true,
  },
  'a constant offset between clocks is no difference': {
    earlier: { ...here(0, 0), serviceMs: DAY },
    now: { ...here(4 * SECOND, 4 * SECOND), serviceMs: DAY + 4 * SECOND },
    youngest: 4 * SECOND,
    oldest: 4 * SECOND,
    agree: true,
  },
}

describe('the age of a write', () => {
  test.each(Object.entries(CASES))('%s', (_, { earlier, now, youngest, oldest, agree }) => {
    expect(youngestAgeMs(earlier, now)).toBe(youngest)
    expect(oldestAgeMs(earlier, now)).toBe(oldest)
    expect(doClocksAgree(earlier, now)).toBe(agree)
  })

  test('is given by each clock that knows both moments, and no other', () => {
    expect(agesBetween({ serviceMs: 1 }, { databaseMs: 2 })).toEqual([])
    expect(agesBetween({ wallMs: 1 }, { wallMs: 2 })).toEqual([])
  })
})
