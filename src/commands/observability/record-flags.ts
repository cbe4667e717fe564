import { PAYMENT_STATUSES, PAYMENT_TYPES } from '../../api/sets.ts'
import type { FlagSpec } from '../../cli/command/flags.ts'
import { SESSION_FLAGS } from '../body-flags.ts'

const text = 'text'
const STATUS_REASON = { type: text, declineType: text, code: text, message: text } as const

/** The flags for the fields of an external payment's record. */
export const RECORD_FLAGS = {
  currency: SESSION_FLAGS.currency,
  amount: SESSION_FLAGS.amount,
  processor: {
    kind: 'text',
    value: 'NAME',
    field: 'processor.name',
    help: 'The processor that took the payment',
  },
  'order-id': { kind: 'text', value: 'ID', field: 'order.id', help: 'Your reference for the order' },
  'payment-method-type': {
    kind: 'text',
    value: 'TYPE',
    field: 'paymentMethod.paymentMethodType',
    help: 'Payment method, such as PAYMENT_CARD or PAYPAL',
  },
  status: {
    kind: 'text',
    value: 'STATUS',
    field: 'status',
    suggestions: PAYMENT_STATUSES,
    help: 'Payment status, such as SETTLED or DECLINED',
  },
  'status-reason': {
    kind: 'object',
    value: 'SPEC',
    field: 'statusReason',
    parts: STATUS_REASON,
    help: `The reason: 'code=INSUFFICIENT_FUNDS'. Fields: ${Object.keys(STATUS_REASON).join(', ')}`,
  },
  'payment-type': {
    kind: 'text',
    value: 'TYPE',
    field: 'paymentType',
    choices: PAYMENT_TYPES,
    help: 'Payment type, such as ECOMMERCE',
  },
  descriptor: { kind: 'text', value: 'TEXT', field: 'descriptor', help: 'Text on the bank statement' },
  metadata: SESSION_FLAGS.metadata,
} as const satisfies Record<string, FlagSpec>
