import { createPayment } from '../../api/operations/payment.ts'
import { toServiceDate } from '../domain/datetime.ts'
import { withBody } from '../request/endpoint.ts'
import { firstFree } from '../domain/identifiers.ts'
import { applyEvent, newSale } from '../domain/payment/payment-changes.ts'
import { findPayableSource, singleUseTokenOf, vaultIfRequested } from '../domain/payment/payment-source.ts'
import type { PaymentSource } from '../domain/payment/payment-source.ts'
import { showPayment } from '../answers/payment-view.ts'
import { PROCESSORS } from '../domain/accounts.ts'
import { CLIENT_TOKEN_LIFETIME_MS, PROCESSING_DELAY_MS } from '../domain/clock.ts'
import type { CreateOutcome, PaymentScenario } from '../domain/scenarios/payment-scenarios.ts'
import type { PaymentEvent } from '../domain/payment/states.ts'
import type { Challenge, StoredMethod, StoredPayment, StoredSession } from '../domain/stored.ts'
import { initialThreeDSecure } from '../domain/payment/three-d-secure.ts'
import { REQUIRED_ACTIONS } from '../domain/scenarios/required-actions.ts'
import { refuseSecondPayment } from '../domain/checkout/checkout-access.ts'
import { checkoutScenario, refuseUnlessOffered } from '../domain/checkout/offered-methods.ts'
import type { ClientSession, SandboxContext } from '../domain/context.ts'
import type { Store } from '../database/store.ts'
import type { Order } from '../../api/models/order.ts'
import { createPaymentRequest } from '../../api/models/payment.ts'
import type { CreatePaymentRequest } from '../../api/models/payment.ts'
import { isVersion21OrLater } from '../../api/versions.ts'
import { priceFor } from '../domain/checkout/price.ts'
import { mergeDeep } from '../../json/fields.ts'
import { orderOf } from '../domain/order-amount.ts'
import { invalid, Problem } from '../problem.ts'
import { isRecord } from '../../json/is-record.ts'
import { matchesSchema } from '../request/validation.ts'
import type { ApiVersion } from '../request/versions.ts'

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

/** The rules that determine the payment, besides its terms. */
interface PaymentRules {
  readonly scenario: PaymentScenario
  /** The type to use if neither the request nor the session names one. */
  readonly authorizationType: string
  /** The client session that the payment is for. */
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

/** The terms of a payment, once session and request are merged and complete. */
interface PaymentTerms {
  /** The request without its metadata. */
  readonly request: CreatePaymentRequest
  /** The metadata. From an updated session, it can exceed the limits of a create request. */
  readonly metadata: StoredPayment['metadata']
  readonly orderId: string
  readonly currencyCode: string
  readonly amount: number
  readonly order: Order | undefined
  readonly customerId: string | undefined
}

/**
 * Merges a request with the session that its token belongs to; values in the request win (spec 4.3.3).
 * @throws {Problem} if a required value is in neither, or the token belongs to another customer
 */
function resolveTerms(
  body: CreatePaymentRequest,
  session: StoredSession | undefined,
  source: PaymentSource,
  version: ApiVersion,
): PaymentTerms {
  // Rules for vaulted tokens since 2.1 (spec 4.3.5).
  const isStrict = source.kind === 'saved' && isVersion21OrLater(version)
  const { request, metadata } = mergeRequest(body, session)
  const { paymentMethodType, display } = source.scenario
  const { order, amount } = priceFor(request, { paymentMethodType, network: display?.network })
  const { currencyCode } = request
  const [orderId, customerId] = [nonEmpty(request.orderId), nonEmpty(request.customerId)]
  const needsCustomer = isStrict || request.paymentMethod?.vaultOnSuccess === true
  if (
    orderId === undefined ||
    currencyCode === undefined ||
    amount === undefined ||
    (needsCustomer && customerId === undefined)
  ) {
    const needed = { amount, currencyCode, orderId, ...(needsCustomer ? { customerId } : {}) }
    throw invalid(missingFields(needed, isStrict))
  }
  // Don't reveal which customer owns the token.
  if (isStrict && source.instrument.customerId !== customerId)
    throw new Problem('PaymentError', "The payment method token doesn't belong to this customer.")
  return { request, metadata, orderId, currencyCode, amount, order, customerId }
}

function mergeRequest(
  body: CreatePaymentRequest,
  session: StoredSession | undefined,
): Pick<PaymentTerms, 'request' | 'metadata'> {
  const { orderDetails: _details, lineItems: _lines, metadata: given, ...rest } = body
  const own = { ...rest, order: orderOf(body) }
  if (session === undefined) return { request: own, metadata: given }
  const { expiresAtMs: _, metadata: before, ...earlier } = session
  const [request, metadata] = [mergeDeep(earlier, own), mergeDeep(before, given)]
  if (matchesSchema(createPaymentRequest, request))
    return { request, metadata: isRecord(metadata) ? metadata : undefined }
  throw new Error('Merging a valid session and a valid request gave an invalid one')
}

/** Returns a text, or undefined for an empty one, which counts as missing. */
const nonEmpty = (text: string | undefined): string | undefined => (text === '' ? undefined : text)

function missingFields(needed: Readonly<Record<string, unknown>>, isStrict: boolean) {
  const why = isStrict ? 'is required with a vaulted token' : 'is required'
  return Object.keys(needed)
    .filter((name) => needed[name] === undefined)
    .map((name) => ({ path: `$.${name}`, description: why }))
}
