import { createPayment } from '../../api/operations/payment.ts'
import { CLIENT_TOKEN_LIFETIME_MS } from '../domain/client-token.ts'
import { toServiceDate } from '../domain/datetime.ts'
import { withBody } from '../request/endpoint.ts'
import { firstFree } from '../domain/identifiers.ts'
import { moved, newSale } from '../domain/payment-changes.ts'
import { sourceToPay } from '../domain/payment-source.ts'
import type { PaymentSource } from '../domain/payment-source.ts'
import { settleTerms } from '../domain/payment-terms.ts'
import type { PaymentTerms } from '../domain/payment-terms.ts'
import { showPayment } from '../answers/payment-view.ts'
import { PROCESSORS } from '../domain/accounts.ts'
import { SETTLING_MS } from '../domain/scenarios.ts'
import type { CreateOutcome, PaymentScenario } from '../domain/scenarios.ts'
import type { PaymentEvent } from '../domain/states.ts'
import type { Challenge, StoredMethod, StoredPayment } from '../domain/stored-payment.ts'
import { threeDSecureOf } from '../domain/three-d-secure.ts'
import { vaultIfAsked } from '../domain/vault.ts'
import { WAITS } from '../domain/waits.ts'
import type { World } from '../domain/world.ts'

const EVENTS: Readonly<Record<CreateOutcome, PaymentEvent>> = {
  approve: 'approved',
  decline: 'declined',
  fault: 'faulted',
  wait: 'challenged',
  'auto-capture': 'auto-captured',
}

export const paymentCreate = withBody(createPayment, ({ body, version }, world) => {
  const { store } = world
  const source = sourceToPay(body.paymentMethodToken, store)
  const idHash = source.kind === 'single-use' ? source.token.sessionIdHash : undefined
  const session = idHash === undefined ? undefined : store.sessions.findByHash(idHash)
  const terms = settleTerms(body, session, source, version)

  const pending = pendingPayment(terms, source, world)
  const { onCreate } = source.scenario
  const asked = moved(pending, EVENTS[onCreate])
  if (source.kind === 'single-use') store.singleUseTokens.save({ ...source.token, spent: true })
  const succeeded = onCreate === 'approve' || onCreate === 'auto-capture'
  const payment = succeeded ? vaultIfAsked(asked, world) : asked
  store.payments.insert(payment)
  return showPayment(payment, world)
})

function pendingPayment(terms: PaymentTerms, source: PaymentSource, world: World): StoredPayment {
  const { store, now, ids } = world
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
    challenge: scenario.onCreate === 'wait' ? newChallenge(world) : undefined,
    dueAtMs: endsByClock(scenario) ? now.getTime() + SETTLING_MS : undefined,
    transactions: [],
  } as const
  return { ...payment, transactions: [newSale(payment, world)] }
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
    threeDSecure: threeDSecureOf(source.scenario),
  }
}

const endsByClock = ({ waitsFor }: PaymentScenario): boolean =>
  waitsFor !== undefined && WAITS[waitsFor].endsByClock

const newChallenge = ({ now, ids }: World): Challenge => ({
  id: ids.token(),
  expiresAtMs: now.getTime() + CLIENT_TOKEN_LIFETIME_MS,
})
