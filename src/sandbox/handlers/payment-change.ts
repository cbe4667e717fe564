import { adjustAuthorization, cancelPayment, resumePayment } from '../../api/operations/payment.ts'
import { answered } from '../domain/answered.ts'
import { readClientToken } from '../domain/client-token.ts'
import { withBody } from '../request/endpoint.ts'
import {
  moved,
  paymentToChange,
  refuseUnlessAllowed,
  unknownPayment,
  withLastSale,
} from '../domain/payment-changes.ts'
import { saveAndShow } from '../answers/payment-view.ts'
import { invalid, Problem } from '../problem.ts'
import { hashOf } from '../domain/hash.ts'
import { scenarioOfToken } from '../domain/scenarios.ts'
import type { StoredPayment } from '../domain/stored-payment.ts'

export const paymentCancel = withBody(cancelPayment, ({ params, body }, world) => {
  const payment = paymentToChange(params['id'] ?? '', world)
  const cancelled = withLastSale(moved(payment, 'cancelled'), { reason: body.reason })
  return saveAndShow(cancelled, world)
})

export const paymentAdjust = withBody(adjustAuthorization, ({ params, body }, world) => {
  const payment = paymentToChange(params['id'] ?? '', world, 'EntityNotFound')
  refuseAdjustment(payment)
  const adjusted = withLastSale(
    { ...moved(payment, 'adjusted'), amount: body.amount },
    { amount: body.amount },
  )
  return saveAndShow(adjusted, world)
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

export const paymentResume = withBody(resumePayment, ({ params, body }, world) => {
  const id = params['id'] ?? ''
  const payment = world.store.payments.find(id)
  if (payment === undefined) throw unknownPayment(id)
  refuseUnlessAllowed(payment, 'challenge passed')
  const { challenge } = payment
  const outcome = challenge?.outcome
  // The token of the action itself says only that the customer came back.
  const isOfAction = readClientToken(world.store.settings.secret(), body.resumeToken)?.paymentId === id
  if (outcome === undefined && isOfAction)
    throw new Problem('NoActionsToHandle', `Payment ${id} still waits: nobody has answered yet.`)
  if (outcome === undefined || hashOf(body.resumeToken) !== challenge?.resumeTokenHash)
    throw invalid([{ path: '$.resumeToken', description: 'is not a resume token of this payment' }])
  const resumed = answered(payment, outcome === 'pass' ? 'challenge passed' : 'challenge failed', world)
  return saveAndShow(resumed, world)
})
