import { formatMoney } from '../../money/format.ts'
import type { StoredRecord } from './record.ts'

/** Describes a record in words. */

const ACTIONS: Readonly<Record<string, string>> = {
  'session.create': 'a session',
  'session.update': 'a change of a session',
  'payment.create': 'a payment',
  'payment.authorize': 'an authorization',
  'payment.capture': 'a capture',
  'payment.refund': 'a refund',
  'payment.adjust': 'an adjustment',
  'payment.resume': 'a resumption',
  'payment.cancel': 'a cancellation',
  'observability.push': 'a new record',
  'observability.update': 'a change of a record',
  'loyalty.create': 'a transaction',
  'instrument.default': 'the choice of a default',
  'instrument.delete': 'the deletion of a saved method',
  'instrument.vault': 'the saving of a payment method',
  api: 'a call of pay api',
}

const TARGETS: Readonly<Record<string, string>> = {
  payment: 'payment',
  order: 'order',
  record: 'record',
  points: 'order',
}

/** "a refund of 5.00 EUR on payment p1" */
export function describeWrite(record: StoredRecord): string {
  const { operation, amount } = record
  const deed = Object.hasOwn(ACTIONS, operation) ? ACTIONS[operation] : undefined
  const money = amount === null ? '' : `${operation === 'payment.adjust' ? ' to' : ' of'} ${figure(record)}`
  return `${deed ?? operation}${money} on ${describeTarget(record)}`
}

/** A target of kind `points` moves points, not money. */
const figure = ({ targetKind, amount, currencyCode }: StoredRecord): string =>
  targetKind === 'points' ? `${amount} points` : formatMoney(amount ?? 0, currencyCode ?? undefined)

function describeTarget({ target, targetKind }: StoredRecord): string {
  const noun = targetKind !== null && Object.hasOwn(TARGETS, targetKind) ? TARGETS[targetKind] : undefined
  return noun === undefined || target === null ? 'the same target' : `${noun} ${target}`
}

/** "3 minutes ago"; from one hour on, with the time. */
export function describeTime(at: string, now: Date): string {
  const minutes = Math.max(0, Math.floor((now.getTime() - Date.parse(at)) / 60_000))
  if (minutes === 0) return 'less than a minute ago'
  if (minutes < 60) return `${counted(minutes, 'minute')} ago`
  const hours = Math.floor(minutes / 60)
  const past = hours < 48 ? counted(hours, 'hour') : counted(Math.floor(hours / 24), 'day')
  return `${past} ago (${at.slice(0, 16).replace('T', ' ')} UTC)`
}

const counted = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`
