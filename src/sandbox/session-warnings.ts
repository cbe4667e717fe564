import type { Session } from '../api/session.ts'
import { isThirdPartyDown } from './scenarios.ts'

/** What the answer of a create warns of: one thing, the first that applies (spec 2.6). */
export function warningsFor(session: Session): Session['warnings'] {
  if (isThirdPartyDown(session.metadata))
    return { type: 'PROCESSOR_UNAVAILABLE', code: 'THIRD_PARTY_UNAVAILABLE' }
  const missing = MISSING.find(([, isMissing]) => isMissing(session))
  return missing === undefined ? undefined : { type: missing[0], code: 'MISSING_DATA' }
}

const MISSING: readonly (readonly [type: string, isMissing: (session: Session) => boolean])[] = [
  ['MISSING_CURRENCY_CODE', ({ currencyCode }) => currencyCode === undefined],
  ['MISSING_ORDER_ID', ({ orderId = '' }) => orderId === ''],
  ['MISSING_AMOUNT', ({ amount }) => amount === undefined],
  [
    'MISSING_CUSTOMER_ID',
    ({ customerId = '', paymentMethod }) => customerId === '' && paymentMethod?.vaultOnSuccess === true,
  ],
]
