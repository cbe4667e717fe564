import { Problem } from '../../problem.ts'
import { nextStatus, statusesFor } from './states.ts'
import type { PaymentEvent } from './states.ts'
import type { StoredPayment, StoredTransaction } from '../store/stored-payment.ts'
import type { SandboxContext } from '../store/context.ts'
import { toServiceDate } from '../datetime.ts'

/** The payment after an event, with its sale's step following; refused where the state machine forbids it. */
export function applyEvent(payment: StoredPayment, event: PaymentEvent): StoredPayment {
  const status = nextStatus(payment.status, event)
  if (status === undefined) throw forbidden(payment, event)
  // What was due belongs to the status before.
  const dueAtMs = status === payment.status ? payment.dueAtMs : undefined
  return updateLastSale({ ...payment, status, dueAtMs }, { processorStatus: status })
}

/** Changes the step that authorized the payment, or tried to last. */
export function updateLastSale(payment: StoredPayment, change: Partial<StoredTransaction>): StoredPayment {
  const last = payment.transactions.findLastIndex((step) => step.transactionType === 'SALE')
  const transactions = payment.transactions.map((step, index) =>
    index === last ? { ...step, ...change } : step,
  )
  return { ...payment, transactions }
}

export function refuseUnlessAllowed(payment: StoredPayment, event: PaymentEvent): void {
  if (nextStatus(payment.status, event) === undefined) throw forbidden(payment, event)
}

const forbidden = (payment: StoredPayment, event: PaymentEvent) =>
  new Problem(
    'InvalidPaymentStatus',
    `Payment ${payment.id} is ${payment.status}; this takes one that is ${statusesFor(event).join(', ')}.`,
  )

/** A new step at the payment's processor. */
export function newTransaction(
  payment: Pick<StoredPayment, 'currencyCode' | 'processor'>,
  step: Pick<StoredTransaction, 'amount' | 'transactionType' | 'processorStatus'> &
    Partial<StoredTransaction>,
  { now, ids }: SandboxContext,
): StoredTransaction {
  return {
    date: toServiceDate(now),
    currencyCode: payment.currencyCode,
    processorMerchantId: payment.processor.processorMerchantId,
    processorTransactionId: ids.uuid(),
    processorName: payment.processor.name,
    ...step,
  }
}

/** The step that asks for an authorization. */
export const newSale = (
  payment: Pick<StoredPayment, 'amount' | 'currencyCode' | 'processor' | 'statusReason'>,
  context: SandboxContext,
): StoredTransaction =>
  newTransaction(
    payment,
    {
      amount: payment.amount,
      transactionType: 'SALE',
      processorStatus: 'PENDING',
      processorStatusReason: payment.statusReason,
    },
    context,
  )

const MAX_FAILURES = 100

/** The payment that a call wants to change. */
export function findPaymentToChange(
  id: string,
  { store }: SandboxContext,
  errorIdIfUnknown: 'PaymentError' | 'EntityNotFound' = 'PaymentError',
): StoredPayment {
  const payment = store.payments.find(id)
  if (payment === undefined) throw new Problem(errorIdIfUnknown, `There is no payment ${id}.`)
  if (store.payments.failures(id) >= MAX_FAILURES) {
    throw new Problem('PaymentRequestLimitExceeded', `Payment ${id} has had ${MAX_FAILURES} refused calls.`, {
      recoverySuggestion: 'Create another payment.',
    })
  }
  return payment
}

export const unknownPayment = (id: string): Problem =>
  new Problem('PaymentError', `There is no payment ${id}.`)
