import { readFileSync, readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parseMappingFile } from '../../../src/rows/map/mapping-file.ts'
import { READY_MAPPINGS } from '../../../src/rows/import/ready-mappings.ts'
import { RECORD } from '../../../src/rows/import/record-fields.ts'

const EXAMPLES = new URL('../../../examples/mappings/', import.meta.url)

describe.each(Object.entries(READY_MAPPINGS))('%s', (name, text) => {
  test('is a mapping without problems', () =>
    expect(parseMappingFile(RECORD, text, name).map.size).toBeGreaterThan(0))

  test('has a sample', () =>
    expect(readFileSync(new URL(`../../fixtures/exports/${name}.csv`, import.meta.url), 'utf8')).not.toBe(''))
})

test('no example is out of date', () =>
  expect(readdirSync(EXAMPLES).toSorted()).toEqual(
    Object.keys(READY_MAPPINGS)
      .map((name) => `${name}.yaml`)
      .toSorted(),
  ))

test('every status that Stripe documents, of payments in the dashboard, charges and payment intents, is kept or left out', () => {
  const { where, leaveOut } = parseMappingFile(RECORD, READY_MAPPINGS['stripe-payments'] ?? '', 'stripe')
  const named = [where, leaveOut].flatMap((some) => [...(some?.get('Status') ?? [])])
  expect(named).toEqual(
    expect.arrayContaining([
      'Succeeded',
      'Pending',
      'Failed',
      'Canceled',
      'Blocked',
      'Expired',
      'Incomplete',
      'Uncaptured',
      'Refunded',
      'Partially refunded',
      'Refund pending',
      'Disputed',
      'Early fraud warning',
      'succeeded',
      'pending',
      'failed',
      'requires_payment_method',
      'requires_confirmation',
      'requires_action',
      'requires_capture',
      'processing',
      'canceled',
    ]),
  )
})
