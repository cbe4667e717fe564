import type { QueryParameterType } from '../query-parameter.ts'
import { SETS } from '../sets.ts'
import type { NamedSet, SetName } from '../sets.ts'
import type { JsonSchema } from './conversion.ts'

export interface NamedSetOptions {
  readonly isOpen: boolean
  readonly currencies: readonly string[] | undefined
}

/** A set: only its values where it is closed, some of them as examples where it is open. */
export function namedSetSchema(name: SetName, { isOpen, currencies }: NamedSetOptions): JsonSchema {
  const set: NamedSet = SETS[name]
  const values = name === 'currencyCode' && !isOpen ? currencies : set.values
  const description = set.form === undefined ? {} : { description: capitalize(set.form.words) }
  // A list that has a form in words is too long for examples.
  if (isOpen) return values === undefined || set.form !== undefined ? description : { examples: [...values] }
  const closed = values === undefined ? { pattern: set.form?.pattern.source ?? '' } : { enum: [...values] }
  return { ...description, ...closed, 'x-model': capitalize(name) }
}

/** What the text of a query parameter stands for; lists are arrays, written with commas. */
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
        description: 'A date in ISO 8601, with or without a time; UTC unless it says otherwise',
        examples: ['2026-01-31', '2026-01-31T09:30:00Z'],
      }
  }
}

const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
