import type { SetName } from '../../api/sets.ts'

/** A named set for the values of a field; values outside it are refused or cause a warning (see `NamedSet`). */
export type FieldSet = Exclude<SetName, 'currencyCode' | 'utcDatetime' | 'creationTime'>

/**
 * The kinds of cells. `id` and `code` are text, but spreadsheets tend to turn them into numbers. `amount-or-all` is an amount,
 * or the word {@link ALL}; a `signed-amount` may be negative.
 */
export type FieldKind =
  | 'id'
  | 'text'
  | 'code'
  | 'amount'
  | 'amount-or-all'
  | 'signed-amount'
  | 'currency'
  | 'datetime'
  | 'flag'

/** Whether cells of a kind are amounts, whose reading depends on their row's currency. */
export const isAmountKind = (kind: FieldKind): boolean =>
  kind === 'amount' || kind === 'amount-or-all' || kind === 'signed-amount'

/** The word for all that is left. */
export const ALL = 'all'

/** The fields of the bodies that rows become. Paths are dotted: `order.id`. */
export interface FieldSchema {
  /** The noun for a row in messages, such as `record`. */
  readonly noun: string
  /** The leaves of a body by path. */
  readonly kinds: Readonly<Record<string, FieldKind>>
  /** Whether `metadata.KEY` is a field, too. */
  readonly hasMetadata: boolean
  readonly required: readonly string[]
  /** The fields whose values come from a known set. Currencies and times have their own kinds. */
  readonly sets: Readonly<Record<string, FieldSet>>
  /** The field that identifies a row. Rows with the same ID are sent in the order of the input. */
  readonly id: string
  /** The field that names a row by an order, if there is one. Kept for rows that can't be read. */
  readonly order?: string
  /** The field with the currency of the row's amount. */
  readonly currency: string
  /** The column of rejects with the reason. Corrected rejects may keep it: it is never a field. */
  readonly reasonColumn: string
  readonly hints: {
    /** The hint for a file without a header. */
    readonly header: string
    /** The hint for columns and constants that do not fit. */
    readonly mapping: string
  }
}

export const METADATA = 'metadata.'

export const kindOf = ({ kinds, hasMetadata }: FieldSchema, path: string): FieldKind | undefined =>
  hasMetadata && path.startsWith(METADATA) && path.length > METADATA.length
    ? 'text'
    : Object.hasOwn(kinds, path)
      ? kinds[path]
      : undefined
