import { expect, test } from 'vitest'
import { at } from '../sandbox/service.ts'
import { expectTruth } from './verdict.ts'
import type { HttpClient } from './http-client.ts'
import { nothingTold } from './writer.ts'

/** A service with one loyalty customer who has that many points left. */
function pointsService(balance: number): HttpClient {
  let left = balance
  return {
    send: async (_method, _path, body) => {
      const value = Number(at(body, 'value'))
      if (value > left) return { status: 400, body: { error: { errorId: 'InsufficientPoints' } } }
      left -= value
      return { status: 200, body: {} }
    },
    close: () => undefined,
  }
}

/** The verdict when 300 points were acknowledged and these calls had no response. */
function judge(balance: number, { unheard = [], spent = 300 }: { unheard?: number[]; spent?: number }) {
  const told = nothingTold()
  if (spent > 0) told.points.set('ada', spent)
  told.unheard.push(...unheard.map((amount) => ({ verb: 'points', id: 'ada', amount })))
  return expectTruth(pointsService(balance), told)
}

test.each([
  ['what was answered is charged', 9_700, {}],
  ['all is spent', 0, { spent: 10_000 }],
  ['a call without an answer is not charged', 9_700, { unheard: [50] }],
  ['a call without an answer is charged', 9_650, { unheard: [50] }],
  ['one of two calls without an answer is charged', 9_680, { unheard: [50, 20] }],
  ['nothing was answered, and what was sent is charged', 9_950, { unheard: [50], spent: 0 }],
])('points match when %s', async (_, balance, told) => {
  await expect(judge(balance, told)).resolves.toBeUndefined()
})

test.each([
  ['an answered call is charged twice', 9_400, {}],
  ['one point too many is charged', 9_699, {}],
  ['one point too few is charged', 9_701, {}],
  ['an answered call is not charged', 10_000, {}],
  ['all is spent and one point is left', 1, { spent: 10_000 }],
  ['a call without an answer is charged twice', 9_600, { unheard: [50] }],
  ['a call without an answer is charged in part', 9_675, { unheard: [50] }],
  ['nothing was answered, and what was sent is charged twice', 9_900, { unheard: [50], spent: 0 }],
])('points do not match when %s', async (_, balance, told) => {
  await expect(judge(balance, told)).rejects.toThrow(/points/)
})
