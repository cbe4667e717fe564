import { capturePayment, refundPayment } from '../../api/operations/payment.ts'
import { order } from '../../api/models/order.ts'
import type { Order } from '../../api/models/order.ts'
import { withBody } from '../request/endpoint.ts'
import { mergeDeep } from '../domain/merge.ts'
import { orderOf } from '../domain/order-amount.ts'
import {
  applyEvent,
  newTransaction,
  findPaymentToChange,
  refuseUnlessAllowed,
} from '../domain/payment/payment-changes.ts'
import { saveAndShow } from '../answers/payment-view.ts'
import { Problem } from '../problem.ts'
import { scenarioOfToken } from '../domain/scenarios/find-scenario.ts'
import { PROCESSING_DELAY_MS } from '../domain/clock.ts'
import type { StoredPayment } from '../domain/store/stored-payment.ts'
import { matchesSchema } from '../request/validation.ts'

export const paymentCapture = withBody(capturePayment, ({ params, body }, context) => {
  const payment = findPaymentToChange(params['id'] ?? '', context)
  refuseUnlessAllowed(payment, 'all captured')
  const left = payment.amount - payment.amountCaptured
  const amount = body.amount ?? left
  refuseCapture(payment, amount, left)
  const isLast = (body.final ?? true) || amount === left
  const settlesLater = isLast && scenarioOfToken(payment.method.scenario)?.settles === 'later'
  const event = settlesLater ? 'all captured, settles later' : isLast ? 'all captured' : 'part captured'
  const captured: StoredPayment = {
    ...applyEvent(payment, event),
    amountCaptured: payment.amountCaptured + amount,
    order: mergedOrder(payment.order, orderOf(body)),
    dueAtMs: settlesLater ? context.now.getTime() + PROCESSING_DELAY_MS : undefined,
  }
  return saveAndShow(captured, context)
})

function refuseCapture(payment: StoredPayment, amount: number, left: number): void {
  if (amount > left) {
    throw new Problem(
      'UnprocessableCaptureAmount',
      `${amount} is more than the ${left} that is left of the authorization.`,
    )
  }
  if (amount < left && scenarioOfToken(payment.method.scenario)?.partialCapture === false)
    throw new Problem(
      'PartialCaptureNotSupported',
      'The processor captures all of the authorization or nothing.',
    )
}

/** An order with what is given merged into it, field by field; lists are replaced (as spec 4.3.3 has it). */
function mergedOrder(before: Order | undefined, given: Order | undefined): Order | undefined {
  if (given === undefined) return before
  const merged = mergeDeep(before, given)
  if (matchesSchema(order, merged)) return merged
  throw new Error('Two orders that were both accepted do not go together')
}

export const paymentRefund = withBody(refundPayment, ({ params, body }, context) => {
  const payment = findPaymentToChange(params['id'] ?? '', context)
  refuseUnlessAllowed(payment, 'refunded')
  const left = payment.amountCaptured - payment.amountRefunded
  const amount = body.amount ?? left
  if (left === 0) throw new Problem('PaymentAlreadyRefunded', 'There is nothing left to refund.')
  if (amount > left)
    throw new Problem(
      'UnprocessableRefundAmount',
      `${amount} is more than the ${left} that is left to refund.`,
    )
  const refund = newTransaction(
    payment,
    {
      amount,
      transactionType: 'REFUND',
      processorStatus: 'PENDING',
      orderId: body.orderId ?? payment.orderId,
      reason: body.reason,
      dueAtMs: context.now.getTime() + PROCESSING_DELAY_MS,
    },
    context,
  )
  const refunded: StoredPayment = {
    ...payment,
    amountRefunded: payment.amountRefunded + amount,
    transactions: [...payment.transactions, refund],
  }
  return saveAndShow(refunded, context)
})
