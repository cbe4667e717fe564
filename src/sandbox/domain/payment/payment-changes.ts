import { Problem } from '../../problem.ts'
import { nextStatus, statusesFor } from './states.ts'
import type { PaymentEvent } from './states.ts'
import type { StoredPayment, StoredTransaction } from '../stored.ts'
import type { SandboxContext } from '../context.ts'
import { toServiceDate } from '../datetime.ts'

/**
 * Moves a payment to its next status and updates its latest sale to match.
 * @throws {Problem} `InvalidPaymentStatus` if the state machine doesn't allow the event
 */
export function applyEvent(payment: StoredPayment, event: PaymentEvent): StoredPayment {
  const status = nextStatus(payment.status, event)
  if (status === undefined) throw forbidden(payment, event)
  // A due time belongs to the previous status.
  const dueAtMs = status === payment.status ? payment.dueAtMs : undefined
  return updateLastSale({ ...payment, status, dueAtMs }, { processorStatus: status })
}

/** Changes the latest transaction that authorized the payment, or tried to. */
export function updateLastSale(payment: StoredPayment, change: Partial<StoredTransaction>): StoredPayment {
  const last = payment.transactions.findLastIndex((transaction) => transaction.transactionType === 'SALE')
  const transactions = payment.transactions.map((transaction, index) =>
    index === last ? { ...transaction, ...change } : transaction,
  )
  return { ...payment, transactions }
}

/** @throws {Problem} `InvalidPaymentStatus` if the state machine doesn't allow the event */
export function refuseUnlessAllowed(payment: StoredPayment, event: PaymentEvent): void {
  if (nextStatus(payment.status, event) === undefined) throw forbidden(payment, event)
}

const forbidden = (payment: StoredPayment, event: PaymentEvent) =>
  new Problem(
    'InvalidPaymentStatus',
    `Payment ${payment.id} is ${payment.status}; this call needs a payment that is ${statusesFor(event).join(' or ')}.`,
  )

/** A new transaction at the payment's processor. */
export function newTransaction(
  payment: Pick<StoredPayment, 'currencyCode' | 'processor'>,
  transaction: Pick<StoredTransaction, 'amount' | 'transactionType' | 'processorStatus'> &
    Partial<StoredTransaction>,
  { now, ids }: SandboxContext,
): StoredTransaction {
  return {
    date: toServiceDate(now),
    currencyCode: payment.currencyCode,
    processorMerchantId: payment.processor.processorMerchantId,
    processorTransactionId: ids.uuid(),
    processorName: payment.processor.name,
    ...transaction,
  }
}

/** The transaction that requests an authorization. */
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

/**
 * Finds the payment that a call wants to change.
 * @throws {Problem} if it is unknown, or has had a hundred refused calls
 */
export function findPaymentToChange(
  id: string,
  { store }: SandboxContext,
  errorIdIfUnknown: 'PaymentError' | 'EntityNotFound' = 'PaymentError',
): StoredPayment {
  const payment = store.payments.find(id)
  if (payment === undefined) throw new Problem(errorIdIfUnknown, `Payment ${id} doesn't exist.`)
  if (store.payments.failures(id) >= MAX_FAILURES) {
    throw new Problem(
      'PaymentRequestLimitExceeded',
      `Payment ${id} has reached the limit of ${MAX_FAILURES} refused calls.`,
      {
        recoverySuggestion: 'Create another payment.',
      },
    )
  }
  return payment
}

export const unknownPayment = (id: string): Problem =>
  new Problem('PaymentError', `Payment ${id} doesn't exist.`)
