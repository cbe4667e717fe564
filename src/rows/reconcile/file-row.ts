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
  readonly kind: RowKind
  /** The value that says so, if it is none of those that are known. */
  readonly unknownKind: string | undefined
  readonly paymentId: string | undefined
  readonly orderId: string | undefined
  readonly processorId: string | undefined
  /** The amount in minor units, without its sign. */
  readonly amount: number | undefined
  readonly currencyCode: string | undefined
  readonly timeMs: number | undefined
  readonly status: string | undefined
  /** Why the row can't be compared, in words. */
  readonly problem: string | undefined
}

/** Returns the function that tells the kind of a row by its value. The usual words count for the kinds that `values` doesn't name. */
export function kindReader(values: RowKinds['values']): (value: string) => RowKind | undefined {
  const kinds = new Map([...values].flatMap(([kind, cells]) => cells.map((cell) => [folded(cell), kind])))
  return (value) => {
    const usual = rowKindOf(value)
    return kinds.get(folded(value)) ?? (usual !== undefined && values.has(usual) ? undefined : usual)
  }
}

export interface FileRowOptions {
  /** Undefined if no column says the kind, and every row is a payment. */
  readonly kindOf: ReturnType<typeof kindReader> | undefined
  /** The value of that column in a row that can't be read. */
  readonly kindIn: (cells: readonly string[]) => string | undefined
  /** Makes text safe and masks secrets. */
  readonly clean: (text: string) => string
}

/** Reads a row as far as its kind needs. */
export function readFileRow(
  { id, prepared, problems, cells }: InputRow,
  { row, line }: Pick<FileRow, 'row' | 'line'>,
  { kindOf, kindIn, clean }: FileRowOptions,
): FileRow {
  const body = prepared?.body ?? {}
  const text = (...path: readonly string[]) => {
    const value = fieldAt(body, path)
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const { amount } = body
  const named = text('kind') ?? (prepared === undefined ? kindIn(cells) : undefined)
  const known = kindOf === undefined ? 'payment' : kindOf(named ?? '')
  // A row that can't be read and says no kind may be a payment.
  const isUnknown = known === undefined && (prepared !== undefined || named !== undefined)
  const kind = known ?? (isUnknown ? 'other' : 'payment')
  const currencyCode = text('currencyCode')?.toUpperCase()
  const isAmount = typeof amount === 'number' && Number.isSafeInteger(amount)
  const fault = (): string | undefined => {
    if (!isCompared(kind)) return undefined
    if (problems.length > 0) return problemsMessage(problems, clean)
    if (!isAmount) return 'the amount is empty'
    if (kindOf === undefined && amount < 0)
      return 'the amount is negative, and no column says what kind of row it is: name one with --map kind=COLUMN'
    return currencyCode === undefined || exponentOf(currencyCode) === undefined
      ? 'the currency is empty or unknown'
      : undefined
  }
  return {
    row,
    line,
    kind,
    unknownKind: isUnknown ? (named ?? '') : undefined,
    paymentId: text('paymentId') ?? (id === '' || prepared !== undefined ? undefined : id),
    orderId: text('orderId') ?? text('order', 'id'),
    processorId: text('processorTransactionId'),
    amount: isAmount ? Math.abs(amount) : undefined,
    currencyCode,
    timeMs: parseTimeMs(text('createdAt')),
    status: text('status')?.toUpperCase(),
    problem: shortMessage(fault(), clean),
  }
}

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
