import { createPayment } from '../../api/operations/payment.ts'
import { toServiceDate } from '../domain/datetime.ts'
import { withBody } from '../request/endpoint.ts'
import { firstFree } from '../domain/identifiers.ts'
import { applyEvent, newSale } from '../domain/payment/payment-changes.ts'
import { findPayableSource, singleUseTokenOf } from '../domain/payment/payment-source.ts'
import type { PaymentSource } from '../domain/payment/payment-source.ts'
import { resolveTerms } from './payment-terms.ts'
import type { PaymentTerms } from './payment-terms.ts'
import { showPayment } from '../answers/payment-view.ts'
import { PROCESSORS } from '../domain/accounts.ts'
import { CLIENT_TOKEN_LIFETIME_MS, PROCESSING_DELAY_MS } from '../domain/clock.ts'
import type { CreateOutcome, PaymentScenario } from '../domain/scenarios/scenario.ts'
import type { PaymentEvent } from '../domain/payment/states.ts'
import type { Challenge, StoredMethod, StoredPayment } from '../domain/stored.ts'
import { initialThreeDSecure } from '../domain/payment/three-d-secure.ts'
import { vaultIfRequested } from '../domain/payment/vault.ts'
import { REQUIRED_ACTIONS } from '../domain/scenarios/required-actions.ts'
import { refuseSecondPayment } from '../domain/checkout/checkout-access.ts'
import { checkoutScenario, refuseUnlessOffered } from '../domain/checkout/checkout-scenario.ts'
import type { ClientSession, SandboxContext } from '../domain/context.ts'
import type { Store } from '../database/store.ts'

const EVENTS: Readonly<Record<CreateOutcome, PaymentEvent>> = {
  approve: 'approved',
  decline: 'declined',
  fault: 'faulted',
  wait: 'challenged',
  'auto-capture': 'auto-captured',
}

export const paymentCreate = withBody(createPayment, ({ body, version }, context) => {
  const { store, clientSession } = context
  if (clientSession !== undefined) refuseSecondPayment(clientSession, store)
  const source = findPayableSource(body.paymentMethodToken, store)
  const singleUse = singleUseTokenOf(source)
  const sessionIdHash = clientSession?.idHash ?? singleUse?.sessionIdHash
  const session = clientSession?.session ?? findSession(sessionIdHash, store)
  const terms = resolveTerms(body, session, source, version)
  const rules =
    clientSession === undefined
      ? { scenario: source.scenario, authorizationType: 'FINAL', sessionIdHash }
      : checkoutRules(source, clientSession, store)

  const pending = pendingPayment(terms, source, rules, context)
  const { onCreate } = rules.scenario
  const answered = applyEvent(pending, EVENTS[onCreate])
  if (singleUse !== undefined) store.singleUseTokens.save({ ...singleUse, spent: true })
  const succeeded = onCreate === 'approve' || onCreate === 'auto-capture'
  const payment = succeeded ? vaultIfRequested(answered, context) : answered
  store.payments.insert(payment)
  return showPayment(payment, context)
})

const findSession = (idHash: string | undefined, { sessions }: Store) =>
  idHash === undefined ? undefined : sessions.findByHash(idHash)

/** What determines the payment, besides its terms. */
interface PaymentRules {
  readonly scenario: PaymentScenario
  /** Used if neither the request nor the session names one. */
  readonly authorizationType: string
  /** The client session that it is for. */
  readonly sessionIdHash: string | undefined
}

function checkoutRules(
  { scenario }: PaymentSource,
  clientSession: ClientSession,
  store: Store,
): PaymentRules {
  const settings = store.settings.checkout()
  refuseUnlessOffered(scenario, settings, clientSession)
  return {
    scenario: checkoutScenario(scenario, settings),
    authorizationType: settings.authorizationType,
    sessionIdHash: clientSession.idHash,
  }
}

function pendingPayment(
  terms: PaymentTerms,
  source: PaymentSource,
  rules: PaymentRules,
  context: SandboxContext,
): StoredPayment {
  const { store, now, ids } = context
  const { request, metadata, orderId, currencyCode, amount, order, customerId } = terms
  const { scenario } = rules
  const id = firstFree(ids.paymentId, (taken) => store.records.isTaken(taken))
  const [processor] = PROCESSORS
  const payment = {
    id,
    date: toServiceDate(now),
    status: 'PENDING',
    orderId,
    currencyCode,
    amount,
    amountCaptured: scenario.onCreate === 'auto-capture' ? amount : 0,
    amountRefunded: 0,
    order,
    customerId,
    customer: request.customer,
    metadata,
    method: methodOf(request, source, rules),
    processor: { name: processor.name, processorMerchantId: processor.processorMerchantId },
    statusReason:
      scenario.onCreate === 'decline' || scenario.onCreate === 'fault' ? scenario.reason : undefined,
    challenge: scenario.onCreate === 'wait' ? newChallenge(context) : undefined,
    dueAtMs: completesByClock(scenario) ? now.getTime() + PROCESSING_DELAY_MS : undefined,
    transactions: [],
    sessionIdHash: rules.sessionIdHash,
  } as const
  return { ...payment, transactions: [newSale(payment, context)] }
}

function methodOf(
  request: PaymentTerms['request'],
  source: PaymentSource,
  rules: PaymentRules,
): StoredMethod {
  const { paymentType, descriptor, authorizationType, vaultOnSuccess } = request.paymentMethod ?? {}
  return {
    token: source.kind === 'saved' ? source.instrument.token : request.paymentMethodToken,
    scenario: source.scenario.token,
    analyticsId: source.analyticsId,
    isVaulted: source.kind === 'saved',
    vaultOnSuccess: vaultOnSuccess ?? false,
    paymentType,
    descriptor,
    authorizationType: authorizationType ?? rules.authorizationType,
    threeDSecure: initialThreeDSecure(rules.scenario),
  }
}

const completesByClock = ({ requiredAction }: PaymentScenario): boolean =>
  requiredAction !== undefined && REQUIRED_ACTIONS[requiredAction].completesByClock

const newChallenge = ({ now, ids }: SandboxContext): Challenge => ({
  id: ids.token(),
  expiresAtMs: now.getTime() + CLIENT_TOKEN_LIFETIME_MS,
})
