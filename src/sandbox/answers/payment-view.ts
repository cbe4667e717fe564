import type { Payment, PaymentSummary } from '../../api/models/payment.ts'
import type { PaymentMethod } from '../../api/models/payment-method.ts'
import { writeClientToken } from '../domain/client-token.ts'
import { displayedMethod } from './method-view.ts'
import { scenarioOfToken } from '../domain/scenarios/payment-scenarios.ts'
import type { Store } from '../database/store.ts'
import type { StoredPayment, StoredTransaction } from '../domain/stored.ts'
import { REQUIRED_ACTIONS } from '../domain/scenarios/required-actions.ts'
import type { SandboxContext } from '../domain/context.ts'

/** A payment as responses show it, with fields in the order of the spec's table. */
export function showPayment(payment: StoredPayment, { store }: SandboxContext): Payment {
  return {
    id: payment.id,
    date: payment.date,
    status: payment.status,
    orderId: payment.orderId,
    currencyCode: payment.currencyCode,
    amount: payment.amount,
    order: payment.order,
    customerId: payment.customerId,
    customer: payment.customer,
    metadata: payment.metadata === undefined ? undefined : { ...payment.metadata },
    paymentMethod: showPaymentMethod(payment),
    processor: showProcessor(payment),
    requiredAction: requiredAction(payment, store),
    statusReason: payment.statusReason,
    transactions: payment.transactions.map(showTransaction),
    riskData: riskData(payment),
  }
}

/** Saves a changed payment and returns its response body. */
export function saveAndShow(payment: StoredPayment, context: SandboxContext): Payment {
  context.store.payments.save(payment)
  return showPayment(payment, context)
}

/** A payment as lists show it. */
export function summarize(payment: StoredPayment): PaymentSummary {
  return {
    id: payment.id,
    date: payment.date,
    status: payment.status,
    orderId: payment.orderId,
    currencyCode: payment.currencyCode,
    amount: payment.amount,
    customerId: payment.customerId,
    metadata: payment.metadata === undefined ? undefined : { ...payment.metadata },
    processor: showProcessor(payment),
    paymentMethod: showPaymentMethod(payment),
  }
}

const showProcessor = ({ processor, amountCaptured, amountRefunded }: StoredPayment) => ({
  name: processor.name,
  processorMerchantId: processor.processorMerchantId,
  amountCaptured,
  amountRefunded,
})

export function showPaymentMethod({ method }: StoredPayment): PaymentMethod {
  return {
    descriptor: method.descriptor,
    paymentType: method.paymentType,
    paymentMethodToken: method.token,
    isVaulted: method.isVaulted,
    analyticsId: method.analyticsId,
    ...displayedMethod(method.scenario),
    threeDSecureAuthentication: method.threeDSecure === undefined ? undefined : { ...method.threeDSecure },
    authorizationType: method.authorizationType,
  }
}

function requiredAction({ id: paymentId, status, challenge, method }: StoredPayment, { settings }: Store) {
  if (challenge === undefined || status !== 'PENDING') return undefined
  const action = REQUIRED_ACTIONS[scenarioOfToken(method.scenario)?.requiredAction ?? '3DS_AUTHENTICATION']
  const { id, expiresAtMs } = challenge
  return {
    name: action.name,
    description: action.description,
    clientToken: writeClientToken(settings.secret(), { id, expiresAtMs, paymentId }),
  }
}

function riskData({ method }: StoredPayment): Payment['riskData'] {
  const check = scenarioOfToken(method.scenario)?.fraudCheck
  return check === undefined
    ? undefined
    : {
        fraudCheck: {
          source: 'SANDBOX_FRAUD_CHECK',
          preAuthorizationResult: check.before,
          postAuthorizationResult: check.after,
        },
      }
}

function showTransaction({ dueAtMs: _, ...shown }: StoredTransaction) {
  return shown
}
