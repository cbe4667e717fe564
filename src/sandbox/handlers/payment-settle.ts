import { capturePayment, refundPayment } from '../../api/operations/payment.ts'
import { order } from '../../api/models/order.ts'
import type { Order } from '../../api/models/order.ts'
import { withBody } from '../request/endpoint.ts'
import { mergeDeep } from '../../json/fields.ts'
import { orderOf } from '../domain/order-amount.ts'
import {
  applyEvent,
  newTransaction,
  findPaymentToChange,
  refuseUnlessAllowed,
} from '../domain/payment/payment-changes.ts'
import { saveAndShow } from '../answers/payment-view.ts'
import { Problem } from '../problem.ts'
import { scenarioOfToken } from '../domain/scenarios/payment-scenarios.ts'
import { PROCESSING_DELAY_MS } from '../domain/clock.ts'
import type { StoredPayment } from '../domain/stored.ts'
import { matchesSchema } from '../request/validation.ts'

export const paymentCapture = withBody(capturePayment, ({ params, body }, context) => {
  const payment = findPaymentToChange(params['id'] ?? '', context)
  refuseUnlessAllowed(payment, 'all captured')
  const remaining = payment.amount - payment.amountCaptured
  const amount = body.amount ?? remaining
  checkCaptureAmount(payment, amount, remaining)
  const isLast = (body.final ?? true) || amount === remaining
  const isDelayed = isLast && scenarioOfToken(payment.method.scenario)?.settles === 'later'
  const event = isDelayed ? 'all captured, settles later' : isLast ? 'all captured' : 'part captured'
  const captured: StoredPayment = {
    ...applyEvent(payment, event),
    amountCaptured: payment.amountCaptured + amount,
    order: mergedOrder(payment.order, orderOf(body)),
    dueAtMs: isDelayed ? context.now.getTime() + PROCESSING_DELAY_MS : undefined,
  }
  return saveAndShow(captured, context)
})

function checkCaptureAmount(payment: StoredPayment, amount: number, remaining: number): void {
  if (amount > remaining) {
    throw new Problem(
      'UnprocessableCaptureAmount',
      `${amount} is more than the ${remaining} that remains of the authorization.`,
    )
  }
  if (amount < remaining && scenarioOfToken(payment.method.scenario)?.partialCapture === false)
    throw new Problem('PartialCaptureNotSupported', "The processor doesn't support partial captures.")
}

/** Merges an order field by field; lists are replaced as a whole (spec 4.3.3). */
function mergedOrder(before: Order | undefined, given: Order | undefined): Order | undefined {
  if (given === undefined) return before
  const merged = mergeDeep(before, given)
  if (matchesSchema(order, merged)) return merged
  throw new Error('Merging two valid orders gave an invalid one')
}

export const paymentRefund = withBody(refundPayment, ({ params, body }, context) => {
  const payment = findPaymentToChange(params['id'] ?? '', context)
  refuseUnlessAllowed(payment, 'refunded')
  const remaining = payment.amountCaptured - payment.amountRefunded
  const amount = body.amount ?? remaining
  if (remaining === 0) throw new Problem('PaymentAlreadyRefunded', 'There is nothing left to refund.')
  if (amount > remaining)
    throw new Problem(
      'UnprocessableRefundAmount',
      `${amount} is more than the ${remaining} that remains to be refunded.`,
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
