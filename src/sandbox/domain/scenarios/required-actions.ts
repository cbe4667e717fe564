import type { StatusReason } from '../../../api/models/status-reason.ts'

/** The action that a PENDING payment needs before it can continue. */
interface RequiredAction {
  /** The name in the API's `requiredAction`. */
  readonly name: string
  readonly description: string
  /** The reason why the payment is declined if the answer is no. */
  readonly refusal: StatusReason
  /** Whether the third party answers by itself after an hour on the sandbox clock. */
  readonly completesByClock: boolean
}

const NOT_AUTHENTICATED = {
  type: 'ISSUER_DECLINED',
  declineType: 'SOFT_DECLINE',
  code: 'AUTHENTICATION_REQUIRED',
  message: 'The customer did not pass the 3DS challenge.',
} as const

const NOT_PAID = { type: 'GATEWAY_REJECTED', declineType: 'HARD_DECLINE', code: 'DECLINED' } as const

export const REQUIRED_ACTIONS = {
  '3DS_AUTHENTICATION': {
    name: '3DS_AUTHENTICATION',
    description: 'The customer must answer a 3DS challenge.',
    refusal: NOT_AUTHENTICATED,
    completesByClock: false,
  },
  PROCESSOR_3DS: {
    name: 'PROCESSOR_3DS',
    description: 'The processor must report the result of its 3DS check.',
    refusal: NOT_AUTHENTICATED,
    completesByClock: true,
  },
  PAYMENT_METHOD_VOUCHER: {
    name: 'PAYMENT_METHOD_VOUCHER',
    description: 'The customer must pay the voucher.',
    refusal: { ...NOT_PAID, message: 'The voucher was not paid.' },
    completesByClock: true,
  },
  // The API has no separate name for a bank's approval.
  BANK_TRANSFER: {
    name: 'PAYMENT_METHOD_VOUCHER',
    description: 'The customer must approve the payment at the bank.',
    refusal: { ...NOT_PAID, message: 'The bank did not approve the payment.' },
    completesByClock: true,
  },
} as const satisfies Readonly<Record<string, RequiredAction>>

export type RequiredActionName = keyof typeof REQUIRED_ACTIONS
