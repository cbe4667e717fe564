import type { SqlValue } from '../sqlite.ts'

/** SQL conditions that must all hold, and the values for their parameters. */
export interface Conditions {
  readonly conditions: readonly string[]
  readonly values: readonly SqlValue[]
}

export const NO_CONDITIONS: Conditions = { conditions: [], values: [] }

/** A field of the stored document. */
export const docField = (path: string): string => `json_extract(doc, '$.${path}')`

/** Binds a list as one JSON value: otherwise every list length would prepare and cache its own statement. */
export const inList = (column: string, value = 'value'): string =>
  `${column} IN (SELECT ${value} FROM json_each(?))`

/** Collects the conditions of a search. The filters that it doesn't have add none. */
export function collectConditions() {
  const conditions: string[] = []
  const values: SqlValue[] = []
  const add = (condition: string, ...bound: readonly SqlValue[]): void => {
    conditions.push(condition)
    values.push(...bound)
  }
  return {
    conditions,
    values,
    add,
    addBound: (condition: string, value: SqlValue | undefined): void => {
      if (value !== undefined) add(condition, value)
    },
    addAnyOf: (column: string, wanted: readonly string[] | undefined, value?: string): void => {
      if (wanted !== undefined) add(inList(column, value), JSON.stringify(wanted))
    },
  }
}

/** The WHERE clause of all conditions, and their values. */
export function joinConditions(...parts: readonly Conditions[]): {
  where: string
  values: readonly SqlValue[]
} {
  const conditions = parts.flatMap((part) => part.conditions)
  return {
    where: conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`,
    values: parts.flatMap((part) => part.values),
  }
}
