import type { PaymentStatus } from '../../../api/sets.ts'

/** Events that can change a payment's status. */
export type PaymentEvent =
  | 'approved'
  | 'declined'
  | 'faulted'
  | 'challenged'
  | 'auto-captured'
  | 'challenge passed'
  | 'challenge failed'
  | 'third party agreed'
  | 'third party refused'
  | 'manually approved'
  | 'manually declined'
  | 'part captured'
  | 'all captured'
  | 'all captured, settles later'
  | 'processor confirmed'
  | 'cancelled'
  | 'refunded'
  | 'adjusted'

type Transitions = Readonly<Record<PaymentStatus, Readonly<Partial<Record<PaymentEvent, PaymentStatus>>>>>

const MANUAL = { 'manually approved': 'AUTHORIZED', 'manually declined': 'DECLINED' } as const
const CAPTURES = {
  'part captured': 'PARTIALLY_SETTLED',
  'all captured': 'SETTLED',
  'all captured, settles later': 'SETTLING',
} as const

/** The state machine. An event that isn't listed for a status is not allowed. A new payment is PENDING. */
const TRANSITIONS: Transitions = {
  PENDING: {
    approved: 'AUTHORIZED',
    declined: 'DECLINED',
    faulted: 'FAILED',
    challenged: 'PENDING',
    'auto-captured': 'SETTLED',
    'challenge passed': 'AUTHORIZED',
    'challenge failed': 'DECLINED',
    'third party agreed': 'AUTHORIZED',
    'third party refused': 'DECLINED',
    cancelled: 'CANCELLED',
    ...MANUAL,
  },
  AUTHORIZED: { ...CAPTURES, cancelled: 'CANCELLED', adjusted: 'AUTHORIZED' },
  PARTIALLY_SETTLED: { ...CAPTURES, refunded: 'PARTIALLY_SETTLED' },
  SETTLING: { 'processor confirmed': 'SETTLED', refunded: 'SETTLING' },
  SETTLED: { refunded: 'SETTLED' },
  DECLINED: MANUAL,
  FAILED: MANUAL,
  CANCELLED: {},
}

export const nextStatus = (status: PaymentStatus, event: PaymentEvent): PaymentStatus | undefined =>
  TRANSITIONS[status][event]

/** The statuses that allow an event, for error messages. */
export function statusesFor(event: PaymentEvent): readonly string[] {
  return Object.entries(TRANSITIONS).flatMap(([status, events]) => (event in events ? [status] : []))
}
