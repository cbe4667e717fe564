import { PAYMENT_STATUSES } from '../sets.ts'
import type { PaymentStatus } from '../sets.ts'
import type { Action, RuledOut } from './action.ts'

const anyPayment = () => true
const NO = {} as const
const NEVER = {
  PENDING: NO,
  AUTHORIZED: NO,
  SETTLING: NO,
  PARTIALLY_SETTLED: NO,
  SETTLED: NO,
  DECLINED: NO,
  FAILED: NO,
  CANCELLED: NO,
} as const

/** Every action, in the order of the dashboard's buttons. Keep what the sandbox allows: `test/api/actions/` compares. */
export const ACTIONS = {
  capture: {
    operation: 'payment.capture',
    title: 'Capture',
    participle: 'captured',
    states: {
      PENDING: {
        inPlan: 'the payment is PENDING, not authorized yet: plan the row again later',
        hint: 'It is not authorized yet; wait until it is.',
      },
      AUTHORIZED: 'allowed',
      SETTLING: {
        inPlan: 'the payment is SETTLING, so nothing is left to capture: remove the row',
        hint: 'It is captured already; there is nothing to do.',
      },
      PARTIALLY_SETTLED: 'allowed',
      SETTLED: {
        inPlan: 'the payment is SETTLED, so nothing is left to capture: remove the row',
        hint: 'It is captured already; there is nothing to do.',
      },
      DECLINED: {
        inPlan: 'the payment was DECLINED, so it cannot be captured: remove the row',
        hint: 'No money is reserved; the customer must pay again.',
      },
      FAILED: {
        inPlan: 'the payment has FAILED, so it cannot be captured: remove the row',
        hint: 'No money is reserved; the customer must pay again.',
      },
      CANCELLED: { hint: 'No money is reserved; the customer must pay again.' },
    },
    isFor: anyPayment,
    notFor: null,
    left: 'leftToCapture',
    fields: ['amount', 'final'],
    question: (id, amount) => `Capture ${amount ?? 'all that is left'} of payment ${id}`,
    consequence: "Charges the customer. You can't undo this",
    done: 'The service accepted the capture.',
    preview: 'This capture',
    suggestion: {
      words: (all) =>
        `Capture ${all ?? 'all of it'}. A smaller --amount releases the rest unless you add --no-final.`,
      amount: 'left',
    },
  },
  refund: {
    operation: 'payment.refund',
    title: 'Refund',
    participle: 'refunded',
    states: {
      PENDING: {
        inPlan: 'the payment is PENDING, so nothing is captured: remove the row',
        hint: 'Nothing is captured yet; cancel the payment instead.',
        instead: ['cancel'],
      },
      AUTHORIZED: {
        inPlan: 'the payment is AUTHORIZED, so nothing is captured: cancel it instead',
        hint: 'Nothing is captured yet; cancel the payment instead, or capture it first.',
        instead: ['cancel', 'capture'],
      },
      SETTLING: 'allowed',
      PARTIALLY_SETTLED: 'allowed',
      SETTLED: 'allowed',
      DECLINED: {
        inPlan: 'the payment was DECLINED, so nothing is captured: remove the row',
        hint: 'Nothing was captured, so there is nothing to refund.',
      },
      FAILED: {
        inPlan: 'the payment has FAILED, so nothing is captured: remove the row',
        hint: 'Nothing was captured, so there is nothing to refund.',
      },
      CANCELLED: {
        inPlan: 'the payment is CANCELLED, so nothing is captured: remove the row',
        hint: 'Nothing was captured, so there is nothing to refund.',
      },
    },
    isFor: anyPayment,
    notFor: null,
    left: 'leftToRefund',
    fields: ['amount', 'reason'],
    question: (id, amount) => `Refund ${amount ?? 'all that is left'} of payment ${id}`,
    consequence: "Returns money to the customer. You can't undo this",
    done: 'The service accepted the refund.',
    preview: 'This refund',
    suggestion: {
      words: (all) => `Refund ${all ?? 'all of it'}, or less with a smaller --amount. You can't undo this.`,
      amount: 'left',
    },
  },
  cancel: {
    operation: 'payment.cancel',
    title: 'Cancel',
    participle: 'cancelled',
    states: {
      PENDING: 'allowed',
      AUTHORIZED: 'allowed',
      SETTLING: {
        inPlan: 'the payment is SETTLING, so it is captured: refund it instead',
        hint: 'It is captured; refund it instead.',
        instead: ['refund'],
      },
      PARTIALLY_SETTLED: {
        inPlan: 'part of the payment is captured: refund that part instead',
        hint: 'Part of it is captured; refund that part instead.',
        instead: ['refund'],
      },
      SETTLED: {
        inPlan: 'the payment is SETTLED, so it is captured: refund it instead',
        hint: 'It is captured; refund it instead.',
        instead: ['refund'],
      },
      DECLINED: {
        inPlan: 'the payment was DECLINED, so there is nothing to cancel: remove the row',
        hint: 'No money is reserved, so there is nothing to cancel.',
      },
      FAILED: {
        inPlan: 'the payment has FAILED, so there is nothing to cancel: remove the row',
        hint: 'No money is reserved, so there is nothing to cancel.',
      },
      CANCELLED: {
        inPlan: 'the payment is CANCELLED already: remove the row',
        hint: 'It is cancelled already; there is nothing to do.',
      },
    },
    isFor: anyPayment,
    notFor: null,
    left: null,
    fields: ['reason'],
    question: (id) => `Cancel payment ${id}`,
    consequence: "Releases the authorization. You can't undo this; the customer must pay again",
    done: 'The payment is cancelled.',
    preview: 'This cancellation',
    suggestion: {
      words: (all) => `Cancel it${all === undefined ? '' : ` and release ${all}`}. You can't undo this.`,
      amount: null,
    },
  },
  adjust: {
    operation: 'payment.adjust',
    title: 'Adjust',
    participle: 'adjusted',
    states: { ...NEVER, AUTHORIZED: 'allowed' },
    isFor: ({ amount, paymentMethod }) =>
      paymentMethod?.authorizationType === 'ESTIMATED' &&
      amount !== undefined &&
      ['PAYMENT_CARD', undefined].includes(paymentMethod.paymentMethodType),
    notFor: 'its authorization is final, not an estimate',
    left: null,
    fields: ['amount'],
    question: (id, amount) => `Change the authorization of payment ${id} to ${amount ?? 'that amount'}`,
    consequence:
      "Changes the amount reserved at the customer's bank. You can adjust it again until the capture",
    done: 'The authorized amount is changed.',
    preview: 'New amount',
    suggestion: {
      words: () => 'Change the authorized amount: replace the amount below with the new total.',
      amount: 'payment',
    },
  },
  authorize: {
    operation: 'payment.authorize',
    title: 'Authorize',
    participle: 'authorized',
    states: { ...NEVER, PENDING: 'allowed', DECLINED: 'allowed', FAILED: 'allowed' },
    isFor: anyPayment,
    notFor: null,
    left: null,
    fields: ['processor'],
    question: (id, processor) => `Authorize payment ${id} through ${processor ?? ''}`,
    consequence: 'Reserves the amount through this processor; charges nothing before a capture',
    done: 'The processor has answered.',
    preview: null,
    suggestion: {
      words: () => 'Authorize it again, through this processor or another one.',
      amount: 'payment',
    },
  },
  resume: {
    operation: 'payment.resume',
    title: 'Resume',
    participle: 'resumed',
    states: { ...NEVER, PENDING: 'allowed' },
    isFor: ({ requiredAction }) => requiredAction !== undefined,
    notFor: 'it waits for nobody',
    left: null,
    fields: ['resumeToken'],
    question: (id) => `Resume payment ${id}`,
    consequence: 'Continues the payment: its amount is reserved, or charged immediately',
    done: 'The payment continued.',
    preview: null,
    suggestion: {
      words: () => 'After the customer has acted: resume with the token that the checkout returned.',
      amount: null,
    },
  },
} as const satisfies Readonly<Record<string, Action>>

export type ActionName = keyof typeof ACTIONS

/** The actions with an amount that a preview shows. */
export type MoneyAction = {
  [Name in ActionName]: (typeof ACTIONS)[Name]['preview'] extends null ? never : Name
}[ActionName]

export const isMoneyAction = (name: ActionName): name is MoneyAction => ACTIONS[name].preview !== null

export const actionOf = (name: ActionName): Action => ACTIONS[name]

const isActionName = (name: string): name is ActionName => Object.hasOwn(ACTIONS, name)

export const ACTION_NAMES: readonly ActionName[] = Object.keys(ACTIONS).filter(isActionName)

/** The statuses that allow an action, if the rest of the payment does. */
export const statusesFor = (name: ActionName): readonly PaymentStatus[] =>
  PAYMENT_STATUSES.filter((status) => actionOf(name).states[status] === 'allowed')

/** Why a status rules out an action; undefined if it doesn't. */
export function ruledOut(name: ActionName, status: PaymentStatus): RuledOut | undefined {
  const state = actionOf(name).states[status]
  return state === 'allowed' ? undefined : state
}
