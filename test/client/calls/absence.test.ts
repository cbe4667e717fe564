import { describe, expect, test } from 'vitest'
import { absenceCountsInMs, isKeyOld } from '../../../src/client/calls/absence.ts'
import type { Moment } from '../../../src/client/ledger/moment.ts'

const HOUR = 3_600_000
const at = (wallMs: number, upMs?: number): Moment => ({ wallMs, machine: 'desk', boot: 'b', upMs })
const sent = (mode: 'test' | 'live', more = {}) => ({
  timing: { last: at(0, 0), timeoutMs: 30_000 },
  mode,
  isEmbedded: false,
  ...more,
})

describe('a write that a payment does not show counts as not done', () => {
  test.each([
    ['live', 0, 330_000],
    ['live', 329_999, 1],
    ['live', 330_000, 0],
    ['test', 0, 60_000],
    ['test', 60_000, 0],
  ] as const)('after its timeout and the time to arrive: %s, %i ms', (mode, ageMs, leftMs) => {
    expect(absenceCountsInMs(sent(mode), at(ageMs, ageMs))).toBe(leftMs)
  })

  test('by the clock that makes it youngest', () => {
    expect(absenceCountsInMs(sent('test'), at(HOUR, 1_000))).toBe(59_000)
    expect(absenceCountsInMs(sent('test'), at(1_000, HOUR))).toBe(59_000)
    expect(absenceCountsInMs(sent('test'), at(-HOUR, HOUR))).toBe(60_000)
  })

  test('never without a clock that knows both moments', () => {
    expect(absenceCountsInMs(sent('test'), { wallMs: HOUR, machine: 'another' })).toBeUndefined()
  })

  test('at once on the embedded sandbox, whose process has ended', () => {
    expect(absenceCountsInMs(sent('test', { isEmbedded: true }), at(0, 0))).toBe(0)
  })

  test('later with a longer timeout', () => {
    const timing = { last: at(0, 0), timeoutMs: 120_000 }
    expect(absenceCountsInMs(sent('live', { timing }), at(330_000, 330_000))).toBe(90_000)
  })
})

describe('a key may be forgotten', () => {
  test.each([
    ['23 hours', at(23 * HOUR, 23 * HOUR), false],
    ['more by one clock', at(23 * HOUR + 1, 0), true],
    ['more by a wall clock that was set back: the other one tells', at(-HOUR, 23 * HOUR + 1), true],
    ['no clock knows', { wallMs: 0, machine: 'another' }, true],
  ])('%s', (_, now, isOld) => {
    expect(isKeyOld({ first: at(0, 0), keySince: [] }, now)).toBe(isOld)
  })

  test('by the oldest write that used it', () => {
    expect(isKeyOld({ first: at(0, 0), keySince: [at(-24 * HOUR, 0)] }, at(0, 0))).toBe(true)
  })
})
