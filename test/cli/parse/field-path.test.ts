import { describe, expect, test } from 'vitest'
import { parseFieldPath, setField } from '../../../src/cli/parse/field-path.ts'

const set = (body: unknown, path: string, value: unknown, own?: Set<unknown>): unknown =>
  setField(body, parseFieldPath(path, '--set'), value, '--set', own)

describe('setField', () => {
  const BODY = { order: { lineItems: [{ amount: 1 }] }, metadata: { a: 'x' } }

  test('leaves the body as it was', () => {
    const before = structuredClone(BODY)
    expect(set(BODY, 'order.lineItems[0].amount', 2)).toEqual({
      order: { lineItems: [{ amount: 2 }] },
      metadata: { a: 'x' },
    })
    expect(BODY).toEqual(before)
  })

  test('copies each object and list of many fields once', () => {
    const before = structuredClone(BODY)
    const own = new Set<unknown>()
    const first = set(BODY, 'order.lineItems[0].amount', 2, own)
    const given = { b: 1 }
    const second = set(set(first, 'metadata', given, own), 'metadata.c', 3, own)
    expect(second).toBe(first)
    expect(set(second, 'order.lineItems[1].amount', 4, own)).toBe(first)
    expect(first).toEqual({
      order: { lineItems: [{ amount: 2 }, { amount: 4 }] },
      metadata: { b: 1, c: 3 },
    })
    expect([BODY, given]).toEqual([before, { b: 1 }])
  })

  test('sets a field that every object inherits', () => {
    const body = set(set({}, 'metadata.toString', 'x'), 'metadata.valueOf.y', 'z')
    expect(JSON.stringify(body)).toBe('{"metadata":{"toString":"x","valueOf":{"y":"z"}}}')
  })
})
