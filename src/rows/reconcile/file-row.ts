import { rowKindOf } from '../map/mapping-file.ts'
import type { RowKind, RowKinds } from '../map/mapping-file.ts'
import { folded } from '../map/mapping.ts'
import type { InputRow } from '../map/row.ts'
import type { CheckBody } from '../read/ndjson.ts'
import { problemsMessage, shortMessage } from '../send/row-message.ts'
import { fieldAt } from '../../json/fields.ts'
import { isRecord } from '../../json/is-record.ts'
import { exponentOf } from '../../money/currencies.ts'
import { parseTimeMs } from '../../text/local-time.ts'

/** The fields that rows are compared by. Others in a mapping are for records. */
export const COMPARED_FIELDS = {
  paymentId: 'id',
  'order.id': 'id',
  orderId: 'id',
  processorTransactionId: 'id',
  kind: 'text',
  amount: 'signed-amount',
  currencyCode: 'currency',
  createdAt: 'datetime',
  status: 'code',
} as const

/** A row of a provider's file. */
export interface FileRow {
  readonly row: number
  readonly line: number
  readonly cells: readonly string[]
  readonly kind: RowKind
  /** The value that says so, if it is none of those that are known. */
  readonly unknownKind: string | undefined
  readonly paymentId: string | undefined
  readonly orderId: string | undefined
  readonly processorId: string | undefined
  /** The amount in minor units, without its sign. */
  readonly amount: number | undefined
  readonly isNegative: boolean
  /** Whether its kind says that it takes back a chargeback. */
  readonly isReversal: boolean
  readonly currencyCode: string | undefined
  readonly timeMs: number | undefined
  readonly status: string | undefined
  /** Why the row can't be compared, in words. */
  readonly problem: string | undefined
}

export interface FileRowOptions {
  /** The kinds of rows by value; undefined if no column says the kind, and every row is a payment. */
  readonly kinds: RowKinds['values'] | undefined
  /** The column of kinds, for rows that can't be read; -1 if there is none. */
  readonly kindColumn: number
  /** The column of amounts that are debits, if debits and credits have a column each; otherwise -1. */
  readonly debitColumn: number
  /** Makes text safe and masks secrets. */
  readonly clean: (text: string) => string
}

/** Returns the function that reads a row as far as its kind needs. */
export function createFileRowReader({ kinds, kindColumn, debitColumn, clean }: FileRowOptions) {
  const byValue = new Map(
    [...(kinds ?? [])].flatMap(([kind, all]) => all.map((cell) => [folded(cell), kind])),
  )
  /** The usual words count for the kinds that the user doesn't name. */
  const kindOf = (value: string): RowKind | undefined => {
    const usual = rowKindOf(value)
    return (
      byValue.get(folded(value)) ?? (usual !== undefined && kinds?.has(usual) === true ? undefined : usual)
    )
  }
  return ({ id, prepared, problems }: InputRow, place: Pick<FileRow, 'row' | 'line' | 'cells'>): FileRow => {
    const body = prepared?.body ?? {}
    const text = (...path: readonly string[]) => {
      const value = fieldAt(body, path)
      return typeof value === 'string' && value !== '' ? value : undefined
    }
    const named = text('kind') ?? (prepared === undefined ? place.cells[kindColumn]?.trim() : undefined)
    const known = kinds === undefined ? 'payment' : kindOf(named ?? '')
    // A row that can't be read and says no kind may be a payment.
    const isUnknown = known === undefined && (prepared !== undefined || named !== undefined)
    const kind = known ?? (isUnknown ? 'other' : 'payment')
    const amount = Number.isSafeInteger(body['amount']) ? Number(body['amount']) : undefined
    const isNegative = (amount ?? 0) < 0 || /[1-9]/.test(place.cells[debitColumn] ?? '')
    const names = {
      paymentId: text('paymentId') ?? (id === '' || prepared !== undefined ? undefined : id),
      orderId: text('orderId') ?? text('order', 'id'),
      processorId: text('processorTransactionId'),
    }
    const currencyCode = text('currencyCode')?.toUpperCase()
    const fault = (): string | undefined => {
      if (!isCompared(kind)) return undefined
      if (problems.length > 0) return problemsMessage(problems, clean)
      if (Object.values(names).some((name) => name !== undefined && OF_TOTALS.test(name)))
        return 'the row looks like a total'
      if (amount === undefined) return 'the amount is empty'
      if (kinds === undefined && isNegative)
        return 'the amount is negative, and no column says what kind of row it is: name one with --map kind=COLUMN'
      return exponentOf(currencyCode ?? '') === undefined ? 'the currency is empty or unknown' : undefined
    }
    return {
      ...place,
      ...names,
      kind,
      unknownKind: isUnknown ? (named ?? '') : undefined,
      amount: amount === undefined ? undefined : Math.abs(amount),
      isNegative,
      isReversal: kind === 'chargeback' && TAKES_BACK.test(named ?? ''),
      currencyCode,
      timeMs: parseTimeMs(text('createdAt')),
      status: text('status')?.toUpperCase(),
      problem: shortMessage(fault(), clean),
    }
  }
}

const TAKES_BACK = /^(?=.*(?:charge.?back|dispute|r\u00FCckbuch)).*(?:revers|storn|won$)/i
const OF_TOTALS = /^(?:sub|grand )?total(?:e|s)?:?$|^(?:sum|summe|gesamt|gesamtsumme|totaal|suma|somme):?$/i

/** Whether rows of a kind are compared with payments; others are only counted. */
export const isCompared = (kind: RowKind): boolean =>
  kind === 'payment' || kind === 'refund' || kind === 'chargeback'

/** Checks the fields of a row in NDJSON that are compared. */
export const checkFileRow: CheckBody = (body) => ({
  problems: Object.entries(isRecord(body) ? body : {}).flatMap(([name, value]) =>
    Object.hasOwn(COMPARED_FIELDS, name) &&
    typeof value !== 'string' &&
    value !== null &&
    !(name === 'amount' && typeof value === 'number')
      ? [{ path: `$.${name}`, description: name === 'amount' ? 'is not an amount' : 'must be text' }]
      : [],
  ),
  warnings: [],
})
