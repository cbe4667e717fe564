import type { QueryParameterType } from '../query-parameter.ts'
import { SETS } from '../sets.ts'
import type { NamedSet, SetName } from '../sets.ts'
import type { JsonSchema } from './conversion.ts'

export interface NamedSetOptions {
  readonly isOpen: boolean
  readonly currencies: readonly string[] | undefined
}

/** JSON Schema of a named set: an enum or pattern in requests, examples in responses. */
export function namedSetSchema(name: SetName, { isOpen, currencies }: NamedSetOptions): JsonSchema {
  const set: NamedSet = SETS[name]
  const values = name === 'currencyCode' && !isOpen ? currencies : set.values
  const description = set.form === undefined ? {} : { description: capitalize(set.form.words) }
  // A set with a described pattern has too many values for examples.
  if (isOpen) return values === undefined || set.form !== undefined ? description : { examples: [...values] }
  const closed = values === undefined ? { pattern: set.form?.pattern.source ?? '' } : { enum: [...values] }
  return { ...description, ...closed, 'x-model': capitalize(name) }
}

/** JSON Schema of a query parameter; lists are comma-separated arrays. */
export function queryParameterSchema(
  form: QueryParameterType,
  currencies: readonly string[] | undefined,
): JsonSchema {
  switch (form.kind) {
    case 'whole': {
      const { kind: _, ...bounds } = form
      return { type: 'integer', format: 'int64', maximum: Number.MAX_SAFE_INTEGER, ...bounds }
    }
    case 'list':
      return {
        type: 'array',
        minItems: 1,
        items: {
          type: 'string',
          ...(form.of === undefined ? {} : namedSetSchema(form.of, { isOpen: false, currencies })),
        },
      }
    case 'date':
      return {
        type: 'string',
        description: 'An ISO 8601 date with or without a time; UTC unless it names a zone',
        examples: ['2026-01-31', '2026-01-31T09:30:00Z'],
      }
  }
}

const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
