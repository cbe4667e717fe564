import { adjustAuthorization, cancelPayment, resumePayment } from '../../api/operations/payment.ts'
import { completeRequiredAction } from '../domain/payment/complete-required-action.ts'
import { readClientToken } from '../domain/client-token.ts'
import { withBody } from '../request/endpoint.ts'
import {
  applyEvent,
  findPaymentToChange,
  refuseUnlessAllowed,
  unknownPayment,
  updateLastSale,
} from '../domain/payment/payment-changes.ts'
import { saveAndShow } from '../answers/payment-view.ts'
import { invalid, Problem } from '../problem.ts'
import { sha256Base64url } from '../../files/sha256.ts'
import { scenarioOfToken } from '../domain/scenarios/payment-scenarios.ts'
import type { StoredPayment } from '../domain/stored.ts'

export const paymentCancel = withBody(cancelPayment, ({ params, body }, context) => {
  const payment = findPaymentToChange(params['id'] ?? '', context)
  const cancelled = updateLastSale(applyEvent(payment, 'cancelled'), { reason: body.reason })
  return saveAndShow({ ...cancelled, wasAuthorized: payment.status === 'AUTHORIZED' }, context)
})

export const paymentAdjust = withBody(adjustAuthorization, ({ params, body }, context) => {
  const payment = findPaymentToChange(params['id'] ?? '', context, 'EntityNotFound')
  refuseAdjustment(payment)
  const adjusted = updateLastSale(
    { ...applyEvent(payment, 'adjusted'), amount: body.amount },
    { amount: body.amount },
  )
  return saveAndShow(adjusted, context)
})

function refuseAdjustment({ id, status, method }: StoredPayment): void {
  const scenario = scenarioOfToken(method.scenario)
  if (method.authorizationType !== 'ESTIMATED') {
    throw new Problem(
      'IncorrectPaymentAuthorizationType',
      `Payment ${id} was created with authorizationType ${method.authorizationType}, not ESTIMATED.`,
    )
  }
  if (status !== 'AUTHORIZED')
    throw new Problem('PaymentIsNotAuthorizedYet', `Payment ${id} is ${status}, not AUTHORIZED.`)
  if (scenario?.paymentMethodType !== 'PAYMENT_CARD')
    throw new Problem('AdjustAuthorizationNonCardPayment', `Payment ${id} was not made with a card.`)
  if (!scenario.adjustable)
    throw new Problem('AdjustAuthorizationNotSupported', 'The processor cannot adjust an authorization.')
}

export const paymentResume = withBody(resumePayment, ({ params, body }, context) => {
  const id = params['id'] ?? ''
  const payment = context.store.payments.find(id)
  if (payment === undefined) throw unknownPayment(id)
  refuseUnlessAllowed(payment, 'challenge passed')
  const { challenge } = payment
  const outcome = challenge?.outcome
  // The action's own client token only says that the customer came back.
  const isActionToken = readClientToken(context.store.settings.secret(), body.resumeToken)?.paymentId === id
  if (outcome === undefined && isActionToken)
    throw new Problem('NoActionsToHandle', `The required action of payment ${id} is still pending.`)
  if (outcome === undefined || sha256Base64url(body.resumeToken) !== challenge?.resumeTokenHash)
    throw invalid([{ path: '$.resumeToken', description: 'is not the current resume token of this payment' }])
  const resumed = completeRequiredAction(
    payment,
    outcome === 'pass' ? 'challenge passed' : 'challenge failed',
    context,
  )
  return saveAndShow(resumed, context)
})
