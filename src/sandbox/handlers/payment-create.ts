import { createPayment } from '../../api/operations/payment.ts'
import { CLIENT_TOKEN_LIFETIME_MS } from '../domain/client-token.ts'
import { toServiceDate } from '../domain/datetime.ts'
import { withBody } from '../request/endpoint.ts'
import { firstFree } from '../domain/identifiers.ts'
import { applyEvent, newSale } from '../domain/payment/payment-changes.ts'
import { findPayableSource } from '../domain/payment/payment-source.ts'
import type { PaymentSource } from '../domain/payment/payment-source.ts'
import { resolveTerms } from './payment-terms.ts'
import type { PaymentTerms } from './payment-terms.ts'
import { showPayment } from '../answers/payment-view.ts'
import { PROCESSORS } from '../domain/accounts.ts'
import { PROCESSING_DELAY_MS } from '../domain/clock.ts'
import type { CreateOutcome, PaymentScenario } from '../domain/scenarios/scenario.ts'
import type { PaymentEvent } from '../domain/payment/states.ts'
import type { Challenge, StoredMethod, StoredPayment } from '../domain/store/stored-payment.ts'
import { initialThreeDSecure } from '../domain/payment/three-d-secure.ts'
import { vaultIfRequested } from '../domain/payment/vault.ts'
import { REQUIRED_ACTIONS } from '../domain/scenarios/required-actions.ts'
import type { SandboxContext } from '../domain/store/context.ts'

const EVENTS: Readonly<Record<CreateOutcome, PaymentEvent>> = {
  approve: 'approved',
  decline: 'declined',
  fault: 'faulted',
  wait: 'challenged',
  'auto-capture': 'auto-captured',
}

export const paymentCreate = withBody(createPayment, ({ body, version }, context) => {
  const { store } = context
  const source = findPayableSource(body.paymentMethodToken, store)
  const idHash = source.kind === 'single-use' ? source.token.sessionIdHash : undefined
  const session = idHash === undefined ? undefined : store.sessions.findByHash(idHash)
  const terms = resolveTerms(body, session, source, version)

  const pending = pendingPayment(terms, source, context)
  const { onCreate } = source.scenario
  const answered = applyEvent(pending, EVENTS[onCreate])
  if (source.kind === 'single-use') store.singleUseTokens.save({ ...source.token, spent: true })
  const succeeded = onCreate === 'approve' || onCreate === 'auto-capture'
  const payment = succeeded ? vaultIfRequested(answered, context) : answered
  store.payments.insert(payment)
  return showPayment(payment, context)
})

function pendingPayment(terms: PaymentTerms, source: PaymentSource, context: SandboxContext): StoredPayment {
  const { store, now, ids } = context
  const { request, metadata, orderId, currencyCode, amount, order, customerId } = terms
  const { scenario } = source
  const id = firstFree(ids.paymentId, (taken) => store.payments.find(taken) !== undefined)
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
    method: methodOf(request, source),
    processor: { name: processor.name, processorMerchantId: processor.processorMerchantId },
    statusReason:
      scenario.onCreate === 'decline' || scenario.onCreate === 'fault' ? scenario.reason : undefined,
    challenge: scenario.onCreate === 'wait' ? newChallenge(context) : undefined,
    dueAtMs: completesByClock(scenario) ? now.getTime() + PROCESSING_DELAY_MS : undefined,
    transactions: [],
  } as const
  return { ...payment, transactions: [newSale(payment, context)] }
}

function methodOf(request: PaymentTerms['request'], source: PaymentSource): StoredMethod {
  const { paymentType, descriptor, authorizationType, vaultOnSuccess } = request.paymentMethod ?? {}
  return {
    token: request.paymentMethodToken,
    scenario: source.scenario.token,
    analyticsId: source.analyticsId,
    isVaulted: source.kind === 'saved',
    vaultOnSuccess: vaultOnSuccess ?? false,
    paymentType,
    descriptor,
    authorizationType: authorizationType ?? 'FINAL',
    threeDSecure: initialThreeDSecure(source.scenario),
  }
}

const completesByClock = ({ requiredAction }: PaymentScenario): boolean =>
  requiredAction !== undefined && REQUIRED_ACTIONS[requiredAction].completesByClock

const newChallenge = ({ now, ids }: SandboxContext): Challenge => ({
  id: ids.token(),
  expiresAtMs: now.getTime() + CLIENT_TOKEN_LIFETIME_MS,
})
