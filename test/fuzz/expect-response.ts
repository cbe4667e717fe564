import { expect } from 'vitest'
import { ERROR_STATUS } from '../../src/api/error-ids.ts'
import { at } from '../sandbox/service.ts'
import type { RawAnswer } from './raw-responses.ts'

/** An answer of the service: JSON with a request id, and the envelope with an id of the list where it is a refusal below 500. */
export function expectOwnWords({ status, headers, body }: RawAnswer): void {
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
