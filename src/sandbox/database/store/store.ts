import type { Database } from '../database.ts'
import { externalPaymentsIn } from './external-payments.ts'
import { faultsIn } from './faults.ts'
import { idempotencyKeysIn } from './idempotency-keys.ts'
import { instrumentsIn } from './instruments.ts'
import { loyaltyIn } from './loyalty.ts'
import { paymentsIn } from './payments.ts'
import { requestsIn } from './requests.ts'
import { sessionsIn } from './sessions.ts'
import { settingsIn } from './settings.ts'
import { singleUseTokensIn } from './tokens.ts'

/** What the handlers know of the database. */
export type Store = Readonly<ReturnType<typeof storeIn>>

export const storeIn = (database: Database) => ({
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
