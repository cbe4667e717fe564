import { isRecord } from '../is-record.ts'

/** Which of a payment's transactions is the refund of a call. */

type Fields = Readonly<Record<string, unknown>>

/** The refund transactions that can be the one of this call: those of the asked amount. */
export function refundsOfAmount(request: Fields, payment: Fields): readonly Fields[] {
  const transactions: readonly unknown[] = Array.isArray(payment['transactions'])
    ? payment['transactions']
    : []
  return transactions
    .filter(isRecord)
    .filter((entry) => entry['transactionType'] === 'REFUND')
    .filter((entry) => request['amount'] === undefined || entry['amount'] === request['amount'])
}

/** Ours is the latest, where their dates tell which that is; or the only one with its words. */
export function likelyOwnRefunds(request: Fields, refunds: readonly Fields[]): readonly Fields[] {
  const latest = latestOf(refunds)
  if (latest !== undefined) return [latest]
  const asked = REFUND_WORDS.filter((field) => typeof request[field] === 'string')
  const ofWords = refunds.filter((entry) => asked.every((field) => entry[field] === request[field]))
  return ofWords.length === 1 ? ofWords : refunds
}

/** What a refund's transaction keeps as it was asked for. */
const REFUND_WORDS = ['orderId', 'reason'] as const

/** The one with the latest date; undefined when a date is missing, or when several are the latest. */
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
