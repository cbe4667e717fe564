import type { Payment } from '../api/payment.ts'
import { declineOf } from './decline.ts'
import { figuresOf } from './payment-figures.ts'

/** What its status means for the money, in one sentence. */
export function headlineOf(payment: Payment): string {
  const { status, requiredAction, statusReason } = payment
  switch (status) {
    case undefined:
      return 'The service does not say what its status is.'
    case 'PENDING':
      return requiredAction === undefined
        ? 'It is not decided yet: nothing is reserved.'
        : 'It waits for the customer or a third party: nothing is reserved yet.'
    case 'AUTHORIZED':
      return 'The money is reserved, and none has moved yet.'
    case 'SETTLING':
      return `It is captured, and the money is on its way.${refundWords(payment)}`
    case 'PARTIALLY_SETTLED':
      return `A part of it is captured, and more can be.${refundWords(payment)}`
    case 'SETTLED':
      return `It is captured: the money has moved.${refundWords(payment)}`
    case 'DECLINED':
      return `${capital(declineOf(statusReason).by ?? 'it was refused')}: no money moved.`
    case 'FAILED':
      return statusReason?.type === 'GATEWAY_TIMEOUT'
        ? 'The processor never answered: it is not known whether money moved.'
        : `${capital(declineOf(statusReason).by ?? 'it failed')}: no money moved.`
    case 'CANCELLED':
      return 'It was cancelled: nothing is reserved any longer.'
    default:
      return 'Its status is not one that pay knows.'
  }
}

function refundWords(payment: Payment): string {
  const { captured, refunded, leftToRefund } = figuresOf(payment)
  if (captured === undefined || refunded === undefined || refunded === 0) return ''
  return leftToRefund === 0 ? ' All of it was refunded.' : ' A part of it was refunded.'
}

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)
