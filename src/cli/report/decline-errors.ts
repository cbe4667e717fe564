import { EXIT, PayError } from '../../errors.ts'
import type { DeclineReason, ErrorDetails } from '../../errors.ts'
import { fieldAt, textAt } from '../../json/fields.ts'
import { ownRefunds } from './own-refunds.ts'
import { isRecord } from '../../json/is-record.ts'

/** Errors for responses with exit code 13. Payment and reason come from the response itself. */

type Facts = Pick<ErrorDetails, 'paymentId' | 'paymentStatus' | 'reason'>

/** The facts about a payment that was declined or failed. */
function declinedFacts(payment: unknown): Facts {
  return { ...paymentFacts(payment), reason: reasonIn(fieldAt(payment, ['statusReason'])) }
}

/** The facts about a failed refund. Leaves out the reason if several refunds may be the one of this request. */
function failedRefundFacts(payment: unknown, request: unknown): Facts {
  const [own, ...others] = ownRefunds(request, payment)
  const reason = others.length === 0 ? fieldAt(own, ['processorStatusReason']) : undefined
  return { ...paymentFacts(payment), reason: reasonIn(reason) }
}

export const paymentDeclined = (answer: unknown, details: ErrorDetails): PayError =>
  new PayError(
    'payment_declined',
    EXIT.declined,
    `${declineWords(answer)}${hasCaptured(answer) ? '' : ': no money moved'}`,
    {
      ...declinedFacts(answer),
      ...details,
    },
  )

/** Whether the payment shows captured money, as of an earlier call. */
export const hasCaptured = (answer: unknown): boolean =>
  Number(fieldAt(answer, ['processor', 'amountCaptured'])) > 0

function declineWords(answer: unknown): string {
  const status = textAt(answer, 'status')
  if (status === 'DECLINED') return 'The payment was declined'
  return status === 'FAILED' ? 'The payment failed' : 'The payment was declined or failed'
}

export const refundFailed = (
  answer: unknown,
  request: unknown,
  details: ErrorDetails,
  message = 'The refund failed: no money went back to the customer',
): PayError =>
  new PayError('refund_failed', EXIT.declined, message, {
    ...failedRefundFacts(answer, request),
    ...details,
  })

const paymentFacts = (payment: unknown): Facts => ({
  paymentId: textAt(payment, 'id'),
  paymentStatus: textAt(payment, 'status'),
})

function reasonIn(reason: unknown): DeclineReason | undefined {
  if (!isRecord(reason)) return undefined
  const found = {
    type: textAt(reason, 'type'),
    declineType: textAt(reason, 'declineType'),
    code: textAt(reason, 'code'),
    message: textAt(reason, 'message'),
  }
  return Object.values(found).every((value) => value === undefined) ? undefined : found
}
