import { expect, test } from 'vitest'
import { Patience } from '../../../src/rows/send/patience.ts'

function createPatience(maxWaitMs: number) {
  let nowMs = 0
  const patience = new Patience(maxWaitMs, () => new Date(nowMs))
  return {
    patience,
    later: (ms: number) => {
      nowMs += ms
    },
  }
}

test('bears waits up to its time without the end of a row', () => {
  const { patience, later } = createPatience(5_000)
  for (let second = 0; second < 5; second += 1) {
    expect(patience.bears(1_000)).toBe(true)
    later(1_000)
  }
  expect(patience.bears(1_000)).toBe(false)
  expect(patience.over).toMatchObject({ code: 'rate_limited', exitCode: 7 })
  expect(patience.over?.message).toContain('no row has ended for 5 s')
})

test('begins again when a row ends', () => {
  const { patience, later } = createPatience(5_000)
  for (let second = 0; second < 50; second += 1) {
    expect(patience.bears(1_000)).toBe(true)
    later(1_000)
    if (second % 4 === 0) patience.noteEnded()
  }
})

test('does not bear one wait that is too long', () => {
  const { patience } = createPatience(300_000)
  expect(patience.bears(999_999_999_000)).toBe(false)
  expect(patience.over?.message).toContain('to wait 11575 days, longer than the 5 min')
})

test('a streak is too long with ten while another row ends', () => {
  const { patience } = createPatience(60_000)
  const streak = patience.startStreak()
  for (let count = 1; count < 10; count += 1) {
    expect(streak.isTooLong()).toBe(false)
    patience.noteEnded()
  }
  expect(streak.isTooLong()).toBe(true)
})

test('a streak is never too long while no row ends', () => {
  const { patience } = createPatience(60_000)
  const streak = patience.startStreak()
  for (let count = 1; count < 50; count += 1) expect(streak.isTooLong()).toBe(false)
  patience.noteEnded()
  expect(streak.isTooLong()).toBe(true)
})

test('a streak begins again after an outage', () => {
  const { patience } = createPatience(60_000)
  const streak = patience.startStreak()
  for (let count = 1; count < 20; count += 1) {
    expect(patience.bears(1_000)).toBe(true)
    expect(streak.isTooLong()).toBe(false)
  }
  patience.noteEnded()
  expect(streak.isTooLong()).toBe(false)
})
