import { isRecord } from '../is-record.ts'

/** Finds the refund of a call among a payment's transactions. */

type Fields = Readonly<Record<string, unknown>>

/** The refunds of the requested amount: one of them may be this call's. */
export function refundsOfAmount(request: Fields, payment: Fields): readonly Fields[] {
  const transactions: readonly unknown[] = Array.isArray(payment['transactions'])
    ? payment['transactions']
    : []
  return transactions
    .filter(isRecord)
    .filter((entry) => entry['transactionType'] === 'REFUND')
    .filter((entry) => request['amount'] === undefined || entry['amount'] === request['amount'])
}

/**
 * Narrows the refunds down to the latest one, if their dates tell, or to the only one with the requested `orderId` and
 * `reason`. Returns all of them if neither works.
 */
export function likelyOwnRefunds(request: Fields, refunds: readonly Fields[]): readonly Fields[] {
  const latest = latestOf(refunds)
  if (latest !== undefined) return [latest]
  const requested = REPEATED_FIELDS.filter((field) => typeof request[field] === 'string')
  const matching = refunds.filter((entry) => requested.every((field) => entry[field] === request[field]))
  return matching.length === 1 ? matching : refunds
}

/** Request fields that a refund's transaction repeats. */
const REPEATED_FIELDS = ['orderId', 'reason'] as const

/** The refund with the latest date; undefined when a date is missing or several share it. */
const latestOf = (refunds: readonly Fields[]): Fields | undefined =>
  refunds.find((refund) => refunds.every((other) => other === refund || isLater(refund, other)))

function isLater(refund: Fields, other: Fields): boolean {
  const [date, before] = [textOf(refund, 'date'), textOf(other, 'date')]
  return date !== undefined && before !== undefined && date > before
}

const textOf = (record: Fields, key: string): string | undefined => {
  const value = record[key]
  return typeof value === 'string' ? value : undefined
}
