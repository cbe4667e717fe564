import { toServiceDate } from '../datetime.ts'
import { firstFree } from '../identifiers.ts'
import { findSource } from './payment-source.ts'
import type { PaymentSource } from './payment-source.ts'
import type { StoredInstrument, StoredPayment } from '../stored.ts'
import type { SandboxContext } from '../context.ts'

/** Saves the method behind a token. A fixed token stays valid; a single-use token is spent. */
export function saveInstrument(
  source: Exclude<PaymentSource, { kind: 'saved' }>,
  { customerId, isVerified }: { readonly customerId: string; readonly isVerified: boolean },
  { store, now, ids }: SandboxContext,
): StoredInstrument {
  const instrument: StoredInstrument = {
    token: firstFree(ids.token, (taken) => store.instruments.find(taken) !== undefined),
    scenario: source.scenario.token,
    analyticsId: source.analyticsId,
    customerId,
    createdAt: toServiceDate(now),
    isDefault: false,
    isVerified,
  }
  store.instruments.insert(instrument)
  if (source.kind === 'single-use')
    store.singleUseTokens.save({ ...source.token, spent: true, vaultedAs: instrument.token })
  return instrument
}

/** Applies `vaultOnSuccess` to a successful payment: it then shows the new token and counts as a first payment (spec 2.5). */
export function vaultIfRequested(payment: StoredPayment, context: SandboxContext): StoredPayment {
  const { method, customerId } = payment
  if (!method.vaultOnSuccess || method.isVaulted || customerId === undefined) return payment
  const source = findSource(method.token, context.store)
  if (source === undefined || source.kind === 'saved') return payment
  const { token } = saveInstrument(source, { customerId, isVerified: true }, context)
  return { ...payment, method: { ...method, token, isVaulted: true, paymentType: 'FIRST_PAYMENT' } }
}
