import type { Identifiers } from '../../domain/identifiers.ts'
import type { Store } from '../../domain/store/store.ts'
import type { FaultStore } from '../../faults/fault.ts'
import type { RequestLogStore } from '../../log/logged-request.ts'
import type { Database } from '../../../store/database.ts'
import { externalPaymentsIn } from './external-payments.ts'
import { faultsIn } from './faults.ts'
import { idempotencyKeysIn } from './idempotency-keys.ts'
import { instrumentsIn } from './instruments.ts'
import { loyaltyIn } from './loyalty.ts'
import { paymentsIn } from './payments.ts'
import { recordsIn } from './records.ts'
import { requestsIn } from './requests.ts'
import { sessionsIn } from './sessions.ts'
import { settingsIn } from './settings.ts'
import { singleUseTokensIn } from './tokens.ts'

/** The domain's store, plus what only the request pipeline and the controls use. */
export interface ServiceStore extends Store {
  readonly faults: FaultStore
  readonly requests: RequestLogStore
}

export const storeIn = (database: Database, ids: Pick<Identifiers, 'token'>): ServiceStore => ({
  settings: settingsIn(database, ids.token),
  sessions: sessionsIn(database),
  payments: paymentsIn(database),
  singleUseTokens: singleUseTokensIn(database),
  instruments: instrumentsIn(database),
  externalPayments: externalPaymentsIn(database),
  records: recordsIn(database),
  loyalty: loyaltyIn(database),
  idempotencyKeys: idempotencyKeysIn(database),
  faults: faultsIn(database),
  requests: requestsIn(database),
})
