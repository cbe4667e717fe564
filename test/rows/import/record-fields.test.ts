import { expect, test } from 'vitest'
import { createExternalPaymentRequest } from '../../../src/api/models/external-payment.ts'
import { setRegistry } from '../../../src/api/schema.ts'
import type { z } from '../../../src/api/schema.ts'
import { kindOf } from '../../../src/rows/map/field-schema.ts'
import type { FieldKind } from '../../../src/rows/map/field-schema.ts'
import { FIELD_SETS, RECORD, RECORD_FIELDS, REQUIRED_FIELDS } from '../../../src/rows/import/record-fields.ts'

interface Leaf {
  readonly path: string
  readonly type: string
  readonly set: string | undefined
  readonly isRequired: boolean
}

/** Every leaf of a schema, by path. */
function leavesOf(node: z.core.$ZodType, path: string, isRequired: boolean): readonly Leaf[] {
  const { def } = node._zod
  if (isOptional(def)) return leavesOf(def.innerType, path, false)
  if (isObject(def))
    return Object.entries(def.shape).flatMap(([name, field]) =>
      leavesOf(field, path === '' ? name : `${path}.${name}`, isRequired),
    )
  return [{ path, type: def.type, set: setRegistry.get(node)?.set, isRequired }]
}

const isOptional = (def: z.core.$ZodTypeDef): def is z.core.$ZodOptionalDef => 'innerType' in def
const isObject = (def: z.core.$ZodTypeDef): def is z.core.$ZodObjectDef => def.type === 'object'

const leaves = leavesOf(createExternalPaymentRequest(), '', true)
const fields = leaves.filter(({ path }) => path !== 'metadata')

test('the fields of a record are those of the request', () => {
  expect(fields.length).toBeGreaterThan(30)
  expect(Object.keys(RECORD_FIELDS).toSorted()).toEqual(fields.map(({ path }) => path).toSorted())
  expect(leaves.find(({ path }) => path === 'metadata')?.type).toBe('record')
})

test.each(fields)('$path has the kind of its schema', ({ path, type, set }) => {
  const kinds: Readonly<Record<string, readonly FieldKind[]>> = {
    string: ['id', 'text', 'code'],
    number: ['amount'],
    boolean: ['flag'],
  }
  const special = { currencyCode: 'currency', utcDatetime: 'datetime' }[set ?? '']
  expect(special === undefined ? kinds[type] : [special]).toContain(kindOf(RECORD, path))
  expect(FIELD_SETS[path]).toBe(special === undefined ? set : undefined)
})

test('the required fields are those of the request', () =>
  expect([...REQUIRED_FIELDS].toSorted()).toEqual(
    fields.flatMap(({ path, isRequired }) => (isRequired ? [path] : [])).toSorted(),
  ))

test.each(['metadata', 'metadata.', 'constructor', '__proto__', 'toString', 'processor', 'order.id.x', ''])(
  '%j is not a field',
  (path) => expect(kindOf(RECORD, path)).toBeUndefined(),
)

test.each(['metadata.store', 'metadata.a.b', 'metadata.__proto__', 'paymentMethod.data.first6Digits'])(
  '%j is a field',
  (path) => expect(kindOf(RECORD, path)).toBeDefined(),
)
