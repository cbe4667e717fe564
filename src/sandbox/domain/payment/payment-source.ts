import { Problem } from '../../problem.ts'
import { scenarioOfToken } from '../scenarios/payment-scenarios.ts'
import type { PaymentScenario } from '../scenarios/payment-scenarios.ts'
import type { StoredInstrument, SingleUseToken, StoredPayment } from '../stored.ts'
import type { Store } from '../../database/store.ts'
import { toServiceDate } from '../datetime.ts'
import { firstFree } from '../identifiers.ts'
import type { SandboxContext } from '../context.ts'

/** The source that a payment method token refers to. */
export type PaymentSource = { readonly scenario: PaymentScenario; readonly analyticsId: string } & (
  | { readonly kind: 'fixed' }
  | { readonly kind: 'single-use'; readonly token: SingleUseToken }
  /** A saved method, with a token if it was tokenized for one payment. */
  | { readonly kind: 'saved'; readonly instrument: StoredInstrument; readonly token?: SingleUseToken }
)

/** Finds the source of a token, even a spent one, but not a deleted one. */
export function findSource(token: string, store: Store): PaymentSource | undefined {
  const fixed = scenarioOfToken(token)
  if (fixed !== undefined) return { kind: 'fixed', scenario: fixed, analyticsId: `analytics-${token}` }
  const instrument = store.instruments.find(token)
  if (instrument !== undefined) {
    const scenario = scenarioOfToken(instrument.scenario)
    if (scenario === undefined || instrument.deletedAt !== undefined) return undefined
    return { kind: 'saved', scenario, analyticsId: instrument.analyticsId, instrument }
  }
  const single = store.singleUseTokens.find(token)
  if (single?.savedMethod !== undefined) {
    const saved = findSource(single.savedMethod, store)
    return saved?.kind === 'saved' ? { ...saved, token: single } : undefined
  }
  const scenario = single === undefined ? undefined : scenarioOfToken(single.scenario)
  if (single === undefined || scenario === undefined) return undefined
  return { kind: 'single-use', scenario, analyticsId: single.analyticsId, token: single }
}

/** The token for one payment; undefined for tokens that pay any number of times. */
export const singleUseTokenOf = (source: PaymentSource): SingleUseToken | undefined =>
  source.kind === 'fixed' ? undefined : source.token

/** @throws {Problem} `PaymentError` if the token is unknown or spent */
export function findPayableSource(token: string, store: Store): PaymentSource {
  const source = findSource(token, store)
  if (source === undefined) throw new Problem('PaymentError', 'The payment method token is unknown.')
  if (singleUseTokenOf(source)?.spent === true)
    throw new Problem('PaymentError', 'The payment method token has already been used.')
  return source
}

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
