import { factsOf } from '../../api/facts/facts.ts'
import { formatMoney } from '../../money/format.ts'
import type { StoredRecord } from './record.ts'

/** Describes a record in words. */

const TARGETS: Readonly<Record<string, string>> = {
  payment: 'payment',
  order: 'order',
  record: 'record',
  points: 'order',
}

/** "a refund of 5.00 EUR on payment p1" */
export function describeWrite(record: StoredRecord): string {
  const { operation, amount } = record
  const facts = factsOf(operation)
  const money = amount === null ? '' : `${facts?.amount === 'total' ? ' to' : ' of'} ${figure(record)}`
  const deed = facts?.words?.deed ?? (operation === 'api' ? 'a call of pay api' : operation)
  return `${deed}${money} on ${describeTarget(record)}`
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
