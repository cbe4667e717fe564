import { expect, test } from 'vitest'
import { bodyBudget, BODIES_PER_SECOND } from '../../../src/sandbox/log/body-budget.ts'

test('keeps the bodies of the first requests of each second', () => {
  let nowMs = Date.parse('2026-03-04T05:06:07.900Z')
  const mayKeepBodies = bodyBudget(() => new Date(nowMs))
  const kept = (requests: number) => Array.from({ length: requests }, mayKeepBodies).filter(Boolean).length
  expect(kept(15)).toBe(15)
  expect(kept(1000)).toBe(BODIES_PER_SECOND - 15)
  nowMs += 100
  expect(kept(1000)).toBe(BODIES_PER_SECOND)
})
