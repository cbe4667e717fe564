import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { changeFeed } from '../../../src/sandbox/log/change-feed.ts'
import type { LoggedRequest } from '../../../src/sandbox/log/logged-request.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A folder whose revision and requests a test sets. */
function scripted() {
  const state = { revision: 1, looks: 0, mark: 'm0', log: [] as LoggedRequest[], fails: false }
  const position = (number: number) => ({ number, requestId: state.log[number - 1]?.requestId ?? '' })
  const feed = changeFeed({
    revision: () => {
      state.looks += 1
      if (state.fails) throw new Error('unreadable')
      return String(state.revision)
    },
    read: (work) =>
      work({
        settings: { changeMark: () => state.mark },
        requests: {
          append: () => undefined,
          find: () => undefined,
          details: () => [],
          list: () => [],
          clear: () => undefined,
          position: () => position(state.log.length),
          after: ({ number }, limit) => {
            const entries = state.log.slice(number, number + limit)
            return { entries, position: position(number + entries.length) }
          },
        },
      }),
  })
  const log = (requestId: string) => {
    state.revision += 1
    state.log.push({ at: '', requestId, method: 'GET', path: '/', applied: false })
  }
  return { state, feed, log }
}

test('looks at the folder only while there are listeners', () => {
  const { state, feed } = scripted()
  vi.advanceTimersByTime(10_000)
  feed.committed()
  vi.advanceTimersByTime(10_000)
  expect(state.looks).toBe(0)
  const listeners = [feed.listen(undefined, () => undefined), feed.listen(undefined, () => undefined)]
  vi.advanceTimersByTime(2_000)
  expect(state.looks).toBe(10)
  for (const listener of listeners) listener.close()
  vi.advanceTimersByTime(10_000)
  expect(state.looks).toBe(10)
  expect(vi.getTimerCount()).toBe(0)
})

test('tells listeners only after a commit, and many commits of this process once', () => {
  const { feed, log } = scripted()
  let told = 0
  const listener = feed.listen(undefined, () => (told += 1))
  vi.advanceTimersByTime(1_000)
  const before = told
  for (let count = 0; count < 100; count += 1) {
    log(`r${count}`)
    feed.committed()
  }
  vi.advanceTimersByTime(30)
  expect(told).toBe(before + 1)
  vi.advanceTimersByTime(5_000)
  expect(told).toBe(before + 1)
  listener.close()
})

test('starts with the present, then reports requests before changes without one', () => {
  const { state, feed, log } = scripted()
  log('r1')
  const listener = feed.listen(undefined, () => undefined)
  expect(listener.next()).toEqual({ kind: 'changed', position: '1.r1' })
  expect(listener.next()).toBeUndefined()
  state.mark = 'm1'
  log('r2')
  expect(listener.next()).toMatchObject({
    kind: 'requests',
    position: '2.r2',
    entries: [{ requestId: 'r2' }],
  })
  expect(listener.next()).toEqual({ kind: 'changed', position: '2.r2' })
  expect(listener.next()).toBeUndefined()
  listener.close()
})

test('reports at most 200 requests at a time', () => {
  const { feed, log } = scripted()
  const listener = feed.listen('0.', () => undefined)
  for (let count = 0; count < 450; count += 1) log(`r${count}`)
  const sizes = []
  for (let change = listener.next(); change?.kind === 'requests'; change = listener.next())
    sizes.push(change.entries.length)
  expect(sizes).toEqual([200, 200, 50])
  listener.close()
})

test('continues after a database that could not be read', () => {
  const { state, feed } = scripted()
  let told = 0
  const listener = feed.listen(undefined, () => (told += 1))
  vi.advanceTimersByTime(200)
  state.fails = true
  vi.advanceTimersByTime(1_000)
  state.fails = false
  const before = told
  vi.advanceTimersByTime(200)
  expect(told).toBe(before + 1)
  listener.close()
})
