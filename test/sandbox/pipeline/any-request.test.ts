import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { knownKeys } from '../../../src/api/unknown-fields.ts'
import type { Operation } from '../../../src/api/operation.ts'
import { OPERATIONS } from '../../../src/api/table.ts'
import { ERROR_STATUS } from '../../../src/api/error-ids.ts'
import { at, createPayment, openService, textAt } from '../service.ts'
import { scaledRuns } from '../../support/test-effort.ts'

const operations: readonly Operation[] = OPERATIONS
const STATUSES: ReadonlySet<number> = new Set([200, ...Object.values(ERROR_STATUS)])

const word = fc.constantFrom(
  'tok_visa',
  'EUR',
  'points-1',
  'alpha-1',
  '',
  '__proto__',
  'constructor',
  '2026-01-31T09:30:00Z',
)
const value: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: word },
  { weight: 1, arbitrary: fc.integer({ min: -1, max: 2000 }) },
  { weight: 1, arbitrary: fc.constantFrom(2 ** 53 - 1, true, null, [], {}) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.dictionary(word, fc.jsonValue({ maxDepth: 1 })) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      { lineItems: [{ amount: 5, quantity: 2 }] },
      { processorMerchantId: 'shared-1' },
    ),
  },
)

test.each(operations.map((operation) => ({ id: operation.id, operation })))(
  '$id answers any body with its own shape or a known error',
  async ({ operation }) => {
    const service = await openService()
    const id = textAt(await createPayment(service, 'tok_visa'), 'id')
    const path = operation.path.replace(/\{\w+\}/, operation.path.startsWith('/payments') ? id : 'tok_visa')
    const keys = operation.request === undefined ? [] : (knownKeys(operation.request(), []) ?? [])
    const body = fc.record(Object.fromEntries([...keys, 'extra'].map((key) => [key, value])), {
      requiredKeys: [],
    })
    const property = fc.asyncProperty(fc.oneof(body, fc.jsonValue()), async (given) => {
      const answer = await service.call(operation.method, path, given)
      expect(STATUSES).toContain(answer.status)
      if (answer.status !== 200)
        expect(Object.keys(ERROR_STATUS)).toContain(at(answer.body, 'error', 'errorId'))
    })
    await fc.assert(property, { numRuns: scaledRuns(50), seed: 11 })
  },
)
