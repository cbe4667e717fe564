import { PAYMENT_STATUSES } from '../../api/sets.ts'
import type { PaymentStatus } from '../../api/sets.ts'
import type { Meaning } from './query.ts'

const SPELLINGS: Readonly<Record<string, PaymentStatus>> = {
  AUTHORISED: 'AUTHORIZED',
  CANCELED: 'CANCELLED',
  PARTLY_SETTLED: 'PARTIALLY_SETTLED',
}

/** The status that a text names. */
export const statusNamed = (text: string): PaymentStatus | undefined => {
  const name = text.toUpperCase().replaceAll(/[\s-]/g, '_')
  return PAYMENT_STATUSES.find((known) => known === (SPELLINGS[name] ?? name))
}

/** What people call states that aren't one status of the service. */
const STATES: readonly (readonly [name: RegExp, state: Meaning])[] = [
  [/^refunded$/, { kind: 'refunds', values: ['partial', 'full'] }],
  [/^(?:part(?:ial)?ly refunded|partial refunds?)$/, { kind: 'refunds', values: ['partial'] }],
  [/^(?:fully refunded|full refunds?)$/, { kind: 'refunds', values: ['full'] }],
  [
    /^(?:refunds? (?:failed|declined)|(?:failed|declined) refunds?)$/,
    { kind: 'refunds', values: ['failed'] },
  ],
  [/^(?:refunds? pending|pending refunds?)$/, { kind: 'refunds', values: ['pending'] }],
  [/^captured$/, { kind: 'status', values: ['SETTLING', 'PARTIALLY_SETTLED', 'SETTLED'] }],
  [/^(?:refused|rejected)$/, { kind: 'status', values: ['DECLINED'] }],
  [/^voided$/, { kind: 'status', values: ['CANCELLED'] }],
]

/** Another state that a text names: `refunded`, `refund failed`, `captured`. */
export const stateNamed = (text: string): Meaning | undefined =>
  STATES.find(([name]) => name.test(text.toLowerCase().replaceAll(/[\s-]/g, ' ')))?.[1]
