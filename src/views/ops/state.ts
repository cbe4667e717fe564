import { factsOf } from '../../api/facts.ts'
import type { OperationRecord } from '../../client/ledger/record.ts'
import { formatPoints } from '../../money/format.ts'
import type { Tone } from '../../output/paint.ts'
import type { RenderOptions } from '../../output/view.ts'
import { formatField, formatAmount } from '../format-fields.ts'

export const OPERATION_FIELDS = [
  'id',
  'operation',
  'profile',
  'target',
  'amount',
  'currencyCode',
  'idempotencyKey',
  'createdAt',
  'updatedAt',
  'state',
  'exitCode',
  'reason',
  'user',
  'host',
  'version',
  'orderId',
] as const satisfies readonly (keyof OperationRecord)[]

interface StateStyle {
  /** A mark and words, so that colour is never the only sign. */
  readonly text: string
  readonly tone: Tone | undefined
}

const STATE_STYLES: Readonly<Record<OperationRecord['state'], StateStyle>> = {
  sending: { text: '… sending', tone: 'warn' },
  'in-doubt': { text: '? IN DOUBT', tone: 'bad' },
  confirmed: { text: '✓ confirmed', tone: 'good' },
  rejected: { text: '✗ rejected', tone: undefined },
  abandoned: { text: '– abandoned', tone: 'dim' },
}

/** Whether the outcome is still unknown. */
export const isOpen = ({ state }: Pick<OperationRecord, 'state'>): boolean =>
  state === 'sending' || state === 'in-doubt'

/** The exit code of an operation that the service processed, whose payment was declined or failed. */
const DECLINED_EXIT = 13

export function describeState({
  state,
  exitCode,
  earlierSandbox,
}: Pick<OperationRecord, 'state' | 'exitCode' | 'earlierSandbox'>): StateStyle {
  if (earlierSandbox === true)
    return { text: `${STATE_STYLES[state].text.charAt(0)} earlier sandbox`, tone: 'dim' }
  return state === 'confirmed' && exitCode === DECLINED_EXIT
    ? { text: '✗ declined', tone: 'warn' }
    : STATE_STYLES[state]
}

/** `5.00 EUR`, `500 points` or `500 points returned`. */
export function formatOperationAmount({
  operation,
  amount,
  currencyCode,
}: OperationRecord): string | undefined {
  if (amount === null) return undefined
  return factsOf(operation)?.amount === 'points'
    ? formatPoints(amount)
    : formatAmount(amount, currencyCode ?? undefined)
}

/** Below 100 columns, times have no year and operations on payments no noun. */
export const isNarrow = ({ width }: Pick<RenderOptions, 'width'>): boolean =>
  width !== undefined && width < 100

export const nameOperation = (
  { operation }: Pick<OperationRecord, 'operation'>,
  options: Pick<RenderOptions, 'width'>,
): string => formatField(isNarrow(options) ? operation.replace(/^payment\./, '') : operation)

/** `payment.refund of 5.00 EUR on Kx7pQ2mRt`. */
export function describeOperation(operation: OperationRecord): string {
  const amount = formatOperationAmount(operation)
  const preposition = factsOf(operation.operation)?.amount === 'total' ? 'to' : 'of'
  return [
    formatField(operation.operation),
    ...(amount === undefined ? [] : [`${preposition} ${amount}`]),
    ...(operation.target === null ? [] : [`on ${formatTarget(operation.target)}`]),
  ].join(' ')
}

const HASH = /^(sha256:[\da-f]{8})[\da-f]{56}$/

/** The target, with a hash cut to eight digits: tokens are stored as hashes, and eight digits tell them apart. */
export const formatTarget = (target: string): string => formatField(target.replace(HASH, '$1…'))

type KnownPayment = Pick<OperationRecord, 'orderId' | 'currencyCode'>

/** Fills in the order and the currency of a payment that another of its records knows. `keyOf` says which payment a record is of. */
export function withKnownPayments<T extends KnownPayment>(
  records: readonly T[],
  keyOf: (record: T) => string | null,
): readonly T[] {
  const known = new Map<string, KnownPayment>()
  const completed = (record: T, { orderId, currencyCode }: KnownPayment) => ({
    orderId: record.orderId ?? orderId ?? null,
    currencyCode: record.currencyCode ?? currencyCode,
  })
  for (const record of records) {
    const key = keyOf(record)
    if (key !== null) known.set(key, completed(record, known.get(key) ?? record))
  }
  return records.map((record) => ({
    ...record,
    ...completed(record, known.get(keyOf(record) ?? '') ?? record),
  }))
}
