import type { PaymentScenario } from '../scenarios/payment-scenarios.ts'
import type { StoredMethod } from '../stored.ts'

const UNAVAILABLE = {
  reasonCode: 'GATEWAY_UNAVAILABLE',
  reasonText: 'The 3DS gateway did not answer.',
} as const
const NOT_PASSED = {
  reasonCode: 'CARD_AUTHENTICATION_FAILED',
  reasonText: 'The customer did not pass the challenge.',
} as const

const PROTOCOL = { protocolVersion: '2.2.0' } as const

/** The 3DS result of a new payment; undefined if the method isn't a card. */
export function initialThreeDSecure({
  paymentMethodType,
  threeDSecure,
}: PaymentScenario): StoredMethod['threeDSecure'] {
  if (paymentMethodType !== 'PAYMENT_CARD') return undefined
  if (threeDSecure === undefined) return { responseCode: 'NOT_PERFORMED' }
  if (threeDSecure === 'unavailable') return { responseCode: 'NOT_PERFORMED', ...UNAVAILABLE }
  if (threeDSecure === 'skipped') return { responseCode: 'SKIPPED' }
  const isChallenge = threeDSecure === 'challenge'
  return {
    responseCode: isChallenge ? 'CHALLENGE' : 'AUTH_SUCCESS',
    ...PROTOCOL,
    challengeIssued: isChallenge,
  }
}

export const threeDSecureAfterChallenge = (outcome: 'pass' | 'fail'): StoredMethod['threeDSecure'] => ({
  responseCode: outcome === 'pass' ? 'AUTH_SUCCESS' : 'AUTH_FAILED',
  ...PROTOCOL,
  challengeIssued: true,
  ...(outcome === 'pass' ? {} : NOT_PASSED),
})
