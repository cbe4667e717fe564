import { Problem } from '../../problem.ts'
import { scenarioOfToken } from '../scenarios/find-scenario.ts'
import type { PaymentScenario } from '../scenarios/scenario.ts'
import type { StoredInstrument, SingleUseToken } from '../stored.ts'
import type { Store } from '../../database/store.ts'

/** What a payment method token refers to. */
export type PaymentSource = { readonly scenario: PaymentScenario; readonly analyticsId: string } & (
  | { readonly kind: 'fixed' }
  | { readonly kind: 'single-use'; readonly token: SingleUseToken }
  /** With a token if the method was tokenized for one payment. */
  | { readonly kind: 'saved'; readonly instrument: StoredInstrument; readonly token?: SingleUseToken }
)

/** Also finds spent tokens, but not deleted ones. */
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

/** Undefined for tokens that pay any number of times. */
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
