import type { Database } from '../database.ts'
import { externalPaymentsIn } from './external-payments.ts'
import type { ExternalPayments } from './external-payments.ts'
import { faultsIn } from './faults.ts'
import type { Faults } from './faults.ts'
import { idempotencyKeysIn } from './idempotency-keys.ts'
import type { IdempotencyKeys } from './idempotency-keys.ts'
import { instrumentsIn } from './instruments.ts'
import type { Instruments } from './instruments.ts'
import { loyaltyIn } from './loyalty.ts'
import type { Loyalty } from './loyalty.ts'
import { paymentsIn } from './payments.ts'
import type { Payments } from './payments.ts'
import { requestsIn } from './requests.ts'
import type { Requests } from './requests.ts'
import { sessionsIn } from './sessions.ts'
import type { Sessions } from './sessions.ts'
import { settingsIn } from './settings.ts'
import type { Settings } from './settings.ts'
import { singleUseTokensIn } from './tokens.ts'
import type { SingleUseTokens } from './tokens.ts'

/** What the handlers know of the database. */
export interface Store {
  readonly settings: Settings
  readonly sessions: Sessions
  readonly payments: Payments
  readonly singleUseTokens: SingleUseTokens
  readonly instruments: Instruments
  readonly externalPayments: ExternalPayments
  readonly loyalty: Loyalty
  readonly idempotencyKeys: IdempotencyKeys
  readonly faults: Faults
  readonly requests: Requests
}

export const storeIn = (database: Database): Store => ({
  settings: settingsIn(database),
  sessions: sessionsIn(database),
  payments: paymentsIn(database),
  singleUseTokens: singleUseTokensIn(database),
  instruments: instrumentsIn(database),
  externalPayments: externalPaymentsIn(database),
  loyalty: loyaltyIn(database),
  idempotencyKeys: idempotencyKeysIn(database),
  faults: faultsIn(database),
  requests: requestsIn(database),
})
