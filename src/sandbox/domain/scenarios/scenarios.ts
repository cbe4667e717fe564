import { LOYALTY_CONNECTIONS, PROCESSORS, SANDBOX_KEYS } from '../accounts.ts'
import { CHECKOUT_METHODS } from './checkout-methods.ts'
import { PAYMENT_SCENARIOS } from './payment-scenarios.ts'

/** The metadata of a session that gets the warning of a processor that is down. */
const THIRD_PARTY_DOWN = { key: 'sandbox', value: 'third-party-unavailable' } as const

export const isThirdPartyDown = (metadata: Readonly<Record<string, unknown>> | undefined): boolean =>
  metadata?.[THIRD_PARTY_DOWN.key] === THIRD_PARTY_DOWN.value

export type Scenarios = typeof SCENARIOS

/** The scenarios as `pay sandbox scenarios` prints them. */
export const SCENARIOS = {
  paymentMethods: PAYMENT_SCENARIOS.map(({ card: number, token, outcome, what }) => ({
    card: number,
    token,
    outcome,
    what,
  })),
  checkoutMethods: CHECKOUT_METHODS,
  methodTypes:
    'The set of method types is open: records of external payments may have any, IDEAL and BOLETO are names of this sandbox, and another service has others.',
  processors: PROCESSORS,
  loyaltyConnections: LOYALTY_CONNECTIONS,
  sessions: [
    {
      metadata: `${THIRD_PARTY_DOWN.key}=${THIRD_PARTY_DOWN.value}`,
      what: 'session create returns the warning THIRD_PARTY_UNAVAILABLE',
    },
  ],
  keys: SANDBOX_KEYS,
  clock: [
    { event: 'client token', after: '24h', what: 'expires' },
    { event: 'SETTLING payment', after: '1h', what: 'becomes SETTLED' },
    {
      event: 'PENDING payment',
      after: '1h',
      what: 'becomes AUTHORIZED, for tok_voucher, tok_ideal and tok_processor_3ds',
    },
    { event: 'PENDING refund', after: '1h', what: 'becomes SETTLED, or FAILED for tok_refund_fails' },
  ],
} as const
