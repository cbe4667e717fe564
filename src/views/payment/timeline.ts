import { transactionTypeOf } from '../../api/payment-states.ts'
import type { Payment, Transaction } from '../../api/models/payment.ts'
import { formatMethod } from '../payment-method.ts'
import { joinParts, formatField, formatAmount, formatFreeText, addNote } from '../format-fields.ts'
import { formatReason, formatStatus } from './status.ts'
import { describeRefundReason, hasFailed, isPending, mayHaveReturned, refundsOf } from './refunds.ts'

/** One event in the life of a payment. */
export interface TimelineEntry {
  /** The service's date; null where it gives none. */
  readonly at: string | null
  readonly event: 'created' | '3ds' | 'fraud-check' | 'authorization' | 'capture' | 'refund' | 'waits'
  readonly status: string | null
  /** Minor units. */
  readonly amount: number | null
  readonly words: string
}

/** Events in the order in which they happened, as far as known: captures and checks have no date. */
export function buildTimeline(payment: Payment): readonly TimelineEntry[] {
  const { transactions = [] } = payment
  const refunds = refundsOf(payment)
  const others = transactions.filter((entry) => !refunds.includes(entry))
  return [
    created(payment),
    ...threeDSecure(payment),
    ...fraudCheck(payment),
    ...byDate(others).map((entry) => authorization(entry, payment)),
    ...captured(payment),
    ...byDate(refunds).map((entry) => refund(entry, payment)),
    ...requiredActionEntries(payment),
  ]
}

/** An event that the service does not date. */
const undatedEntry = (
  event: TimelineEntry['event'],
  words: string,
  { status = null, amount = null }: Partial<Pick<TimelineEntry, 'status' | 'amount'>> = {},
): TimelineEntry => ({ at: null, event, status, amount, words })

/** Sorts by date, as text, which suits the dates of one service. If any is missing, the order stays as it is. */
const byDate = (entries: readonly Transaction[]): readonly Transaction[] =>
  entries.every(({ date }) => date !== undefined)
    ? entries.toSorted((a, b) => ((a.date ?? '') < (b.date ?? '') ? -1 : a.date === b.date ? 0 : 1))
    : entries

function created({ date, amount, currencyCode, orderId, customerId, paymentMethod }: Payment): TimelineEntry {
  const details = joinParts([
    formatAmount(amount, currencyCode),
    orderId === undefined ? undefined : `order ${formatField(orderId)}`,
    customerId === undefined ? undefined : `customer ${formatField(customerId)}`,
    formatMethod(paymentMethod),
  ])
  return {
    at: date ?? null,
    event: 'created',
    status: null,
    amount: amount ?? null,
    words: details === '' ? 'Created' : `Created: ${details}`,
  }
}

const THREE_D_SECURE_RESULTS: Readonly<Record<string, string>> = {
  NOT_PERFORMED: 'was not requested',
  SKIPPED: 'was skipped',
  AUTH_SUCCESS: 'succeeded',
  AUTH_FAILED: 'failed: the customer was not authenticated',
  CHALLENGE: 'requires a challenge',
  METHOD: 'is collecting device data',
}

function threeDSecure({ paymentMethod }: Payment): readonly TimelineEntry[] {
  const check = paymentMethod?.threeDSecureAuthentication
  const code = check?.responseCode
  if (check === undefined || code === undefined) return []
  const known = Object.hasOwn(THREE_D_SECURE_RESULTS, code) ? THREE_D_SECURE_RESULTS[code] : undefined
  const passed = code !== 'AUTH_SUCCESS' || check.challengeIssued === undefined
  const challenge = passed
    ? ''
    : check.challengeIssued === true
      ? ' with a challenge'
      : ' without a challenge'
  const why = joinParts([formatField(check.reasonCode), formatFreeText(check.reasonText)], ': ')
  const words = `3-D Secure ${known ?? `returned ${formatField(code)}`}${challenge}${why === '' ? '' : ` (${why})`}`
  return [undatedEntry('3ds', words, { status: code })]
}

function fraudCheck({ riskData }: Payment): readonly TimelineEntry[] {
  const {
    source,
    preAuthorizationResult: before,
    postAuthorizationResult: after,
  } = riskData?.fraudCheck ?? {}
  const results = joinParts([
    before === undefined ? undefined : `${formatField(before)} before authorization`,
    after === undefined ? undefined : `${formatField(after)} after authorization`,
  ])
  if (results === '') return []
  const words = `Fraud check${source === undefined ? '' : ` by ${formatField(source)}`}: ${results}`
  return [undatedEntry('fraud-check', words, { status: after ?? before ?? null })]
}

function authorization(entry: Transaction, payment: Payment): TimelineEntry {
  const kind = transactionTypeOf(entry)
  const what = kind === 'SALE' ? 'Authorization' : (formatField(kind) ?? 'Transaction')
  return {
    at: entry.date ?? null,
    event: 'authorization',
    status: entry.processorStatus ?? null,
    amount: entry.amount ?? null,
    words: [
      `${what}${ofAmount(entry, payment)}${atProcessor(entry)}`,
      statusWords(entry),
      formatReasonSuffix(describeTransactionReason(entry, payment)),
    ].join(''),
  }
}

/** The reason of a transaction; only its code if the payment was declined with the same one, which another section explains. */
function describeTransactionReason(
  { processorStatusReason: reason }: Transaction,
  { statusReason }: Payment,
): string | undefined {
  const isAlreadyExplained = reason?.code !== undefined && reason.code === statusReason?.code
  return isAlreadyExplained ? formatField(reason.code) : formatReason(reason)
}

/** The captures. They are not transactions, so only their sum is known. */
function captured({ processor, currencyCode }: Payment): readonly TimelineEntry[] {
  const amount = processor?.amountCaptured
  if (amount === undefined || amount === 0) return []
  return [undatedEntry('capture', `Captured: ${formatAmount(amount, currencyCode)} in total`, { amount })]
}

function refund(entry: Transaction, payment: Payment): TimelineEntry {
  const { processorStatus: status } = entry
  const order = entry.orderId === payment.orderId ? undefined : entry.orderId
  const consequence = mayHaveReturned(entry)
    ? '; the processor never responded, so the money may have been returned'
    : hasFailed(entry)
      ? '; no money was returned, so you can refund again'
      : isPending(entry)
        ? ', not final yet'
        : ''
  return {
    at: entry.date ?? null,
    event: 'refund',
    status: status ?? null,
    amount: entry.amount ?? null,
    words: [
      `Refund${ofAmount(entry, payment)}${atProcessor(entry)}${order === undefined ? '' : ` as order ${formatField(order)}`}`,
      statusWords(entry),
      consequence,
      formatReasonSuffix(describeRefundReason(entry)),
    ].join(''),
  }
}

function requiredActionEntries({ requiredAction }: Payment): readonly TimelineEntry[] {
  if (requiredAction === undefined) return []
  const what = addNote(formatFreeText(requiredAction.description), formatField(requiredAction.name))
  return [
    undatedEntry(
      'waits',
      `Waiting for the customer or a third party${what === undefined ? '' : `: ${what}`}`,
    ),
  ]
}

const ofAmount = ({ amount, currencyCode }: Transaction, payment: Payment): string => {
  const money = formatAmount(amount, currencyCode ?? payment.currencyCode)
  return money === undefined ? '' : ` of ${money}`
}

const atProcessor = ({ processorName }: Transaction): string =>
  processorName === undefined ? '' : ` at ${formatField(processorName)}`

const statusWords = ({ processorStatus }: Transaction): string =>
  processorStatus === undefined ? '' : `: ${formatStatus(processorStatus)}`

/** Puts a reason in parentheses, or after a semicolon if it has parentheses itself. */
function formatReasonSuffix(why: string | undefined): string {
  if (why === undefined || why === '') return ''
  return why.includes('(') ? `; ${why}` : ` (${why})`
}
