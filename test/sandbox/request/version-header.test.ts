import { describe, expect, test } from 'vitest'
import { openService } from '../service.ts'

describe('version', () => {
  test.each([
    ['2.1', 200],
    ['2021-09-27', 200],
    ['2021-09-08', 200],
    ['2021-09-20', 200],
    ['2021-10-19', 200],
    ['2026-02-28', 200],
    ['2.2', 200],
    ['2.3', 200],
    ['2.4', 200],
    ['2.9', 200],
    ['2021-09-07', 400],
    ['2020-01-01', 400],
    ['2026-02-30', 400],
    ['2021-10-19T00:00:00Z', 400],
    ['2.10', 400],
    ['2.2.0', 400],
    ['3.0', 400],
    ['v2.2', 400],
    ['latest', 400],
    ['2.0', 400],
    ['', 400],
    ['2.1.0', 400],
  ])('%j', async (version, status) => {
    const answer = await (
      await openService()
    ).call('GET', '/payments', undefined, { headers: { 'x-api-version': version } })
    expect(answer.status).toBe(status)
  })
})
