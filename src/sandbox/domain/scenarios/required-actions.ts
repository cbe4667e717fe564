import type { StatusReason } from '../../../api/models/status-reason.ts'

/** What a PENDING payment needs before it can continue. */
export interface RequiredAction {
  readonly description: string
  /** Why the payment is declined if the answer is no. */
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

/** By the name in the API's `requiredAction`. */
export const REQUIRED_ACTIONS = {
  '3DS_AUTHENTICATION': {
    description: 'The customer must answer a 3DS challenge.',
    refusal: NOT_AUTHENTICATED,
    completesByClock: false,
  },
  PROCESSOR_3DS: {
    description: 'The processor must report the result of its own 3DS check.',
    refusal: NOT_AUTHENTICATED,
    completesByClock: true,
  },
  PAYMENT_METHOD_VOUCHER: {
    description: 'The customer must pay the voucher.',
    refusal: {
      type: 'GATEWAY_REJECTED',
      declineType: 'HARD_DECLINE',
      code: 'DECLINED',
      message: 'The voucher was not paid.',
    },
    completesByClock: true,
  },
} as const satisfies Readonly<Record<string, RequiredAction>>

export type RequiredActionName = keyof typeof REQUIRED_ACTIONS
