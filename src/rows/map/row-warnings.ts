import { PLACEHOLDER } from './placeholder.ts'

/** Warnings about rows that are sent anyway, each kept once with the number of its rows. */
export interface RowWarnings {
  /** Counts a row for the warning `key`. Calls `describe` only for a new key. `unknown`: the value that it is about. */
  readonly note: (key: string, describe: () => string, unknown?: UnknownValue) => void
  /** The warnings, the most frequent first. */
  readonly all: () => readonly RowWarning[]
  /** The warnings so far, by their key. */
  readonly saved: () => SavedWarnings
  /** Takes over the warnings of an earlier run. */
  readonly restore: (warnings: SavedWarnings) => void
}

/** A value of a cell outside the API's set for its field, which the service may refuse. */
export interface UnknownValue {
  readonly field: string
  readonly value: string
}

export interface RowWarning {
  readonly text: string
  readonly count: number
  readonly unknown?: UnknownValue | undefined
}

export type SavedWarnings = readonly (readonly [key: string, warning: RowWarning])[]

/** The most warnings: a column with more unknown values has free text, not codes. */
const MAX_WARNINGS = 100
const OTHERS = 'other unknown values'

export function createRowWarnings(): RowWarnings {
  const byKey = new Map<string, RowWarning & { count: number }>()
  return {
    note: (key, describe, unknown) => {
      const isFull = byKey.size >= MAX_WARNINGS
      const known = byKey.get(key) ?? (isFull ? byKey.get(OTHERS) : undefined)
      if (known !== undefined) known.count += 1
      else if (isFull) byKey.set(OTHERS, { text: OTHERS, count: 1 })
      else byKey.set(key, { text: describe(), count: 1, unknown })
    },
    all: () =>
      [...byKey]
        .toSorted(
          ([oneKey, one], [key, other]) =>
            Number(oneKey === OTHERS) - Number(key === OTHERS) || other.count - one.count,
        )
        .map(([, warning]) => warning),
    saved: () => [...byKey].map(([key, warning]) => [key, { ...warning }]),
    restore: (warnings) => {
      for (const [key, warning] of warnings) byKey.set(key, { ...warning })
    },
  }
}

/** Whether a text needs no quotes in YAML. */
const PLAIN = /^[\p{L}\d](?:[\p{L}\d _-]*[\p{L}\d])?$/u

const yamlWord = (text: string): string => (PLAIN.test(text) ? text : JSON.stringify(text))

/** Lists by name, as YAML: `{Type: [refund, fee]}`. */
export const yamlLists = (
  lists: readonly { readonly name: string; readonly values: readonly string[] }[],
): string =>
  `{${lists.map(({ name, values }) => `${yamlWord(name)}: [${values.map(yamlWord).join(', ')}]`).join(', ')}}`

/** The `values:` line of a mapping file that maps unknown values, once you fill it in; undefined if there are none. */
export function valuesLine(warnings: readonly RowWarning[]): string | undefined {
  const fields = new Map<string, string[]>()
  for (const { unknown } of warnings) {
    if (unknown === undefined) continue
    const value = `${yamlWord(unknown.value)}: ${PLACEHOLDER}`
    fields.set(unknown.field, [...(fields.get(unknown.field) ?? []), value])
  }
  const all = [...fields].map(([field, values]) => `${field}: {${values.join(', ')}}`)
  return all.length === 0 ? undefined : `values: {${all.join(', ')}}`
}
