import { expect, test } from 'vitest'
import type { LoggedRequest } from '../../../src/sandbox/log/logged-request.ts'
import { viewLog } from '../../../src/sandbox/log/log-view.ts'

/** A log that counts how many of its paths are read. */
function countedLog(paths: readonly string[]) {
  const seen: string[] = []
  const entries = paths.map((path): LoggedRequest => ({
    at: '',
    requestId: '',
    method: 'GET',
    applied: false,
    get path() {
      seen.push(path)
      return path
    },
  }))
  return { seen, requests: { list: (limit: number) => entries.slice(0, limit) } }
}

test('reads no more entries than requested', () => {
  const { seen, requests } = countedLog(['/a/1', '/b/1', '/a/2', '/a/3', '/b/2'])
  const found = viewLog(requests, { limit: 2, on: '* /a/*' })
  expect(seen).toEqual(['/a/1', '/b/1', '/a/2'])
  expect(found.map(({ path }) => path)).toEqual(['/a/1', '/a/2'])
})

test('finds every entry if there are fewer than requested', () => {
  const { requests } = countedLog(['/a/1', '/b/1', '/a/2'])
  expect(viewLog(requests, { limit: 9, on: '* /a/*' })).toMatchObject([{ path: '/a/1' }, { path: '/a/2' }])
})
