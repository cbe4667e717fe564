import { expect } from 'vitest'
import { ERROR_STATUS } from '../../src/api/error-ids.ts'
import { at } from '../sandbox/service.ts'
import type { RawAnswer } from './raw-responses.ts'

/** Expects a response of the service: below 500, JSON with a request id and, if it is an error, a documented errorId. */
export function expectServiceResponse({ status, headers, body }: RawAnswer): void {
  expect(status).toBeLessThan(500)
  expect(headers).toMatchObject({ 'x-request-id': expect.any(String) })
  if (status === 204) return
  expect(headers).toMatchObject({ 'content-type': 'application/json' })
  const parsed: unknown = JSON.parse(body)
  if (status === 200) return
  const errorId = at(parsed, 'error', 'errorId')
  expect(Object.entries(ERROR_STATUS)).toContainEqual([errorId, status])
  expect(at(parsed, 'error', 'description')).toBeTypeOf('string')
}
