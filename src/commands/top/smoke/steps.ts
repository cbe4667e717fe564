import { fieldAt, textAt } from '../../../json/fields.ts'
import { formatMoney } from '../../../money/format.ts'

/** IDs and tokens from earlier steps that later ones need. */
export type Facts = Readonly<Record<string, string>>

export interface Step {
  readonly title: string
  /** The words after `pay`; `{name}` is replaced by a fact. Without that fact the step is skipped. */
  readonly words: readonly string[]
  /** Facts for later steps, each with the path of its field in the response. */
  readonly facts?: Readonly<Record<string, string>>
  /** The outcome in a few words. */
  readonly describe: (answer: unknown) => string
}

const ORDER = ['--order-id', '{order}', '--customer-id', '{customer}', '--amount', '10.00 EUR'] as const

const SESSION = {
  title: 'Create a client session for an order of 10.00 EUR',
  facts: { clientToken: 'clientToken' },
  describe: (answer: unknown) =>
    `a client token, valid until ${textOrUnknown(answer, 'clientTokenExpirationDate')} UTC`,
} as const

const PAID = {
  facts: { payment: 'id' },
  describe: (answer: unknown) =>
    `${textOrUnknown(answer, 'status')}: ${moneyAt(answer, 'amount')} authorized on payment ${textOrUnknown(answer, 'id')}`,
} as const

/** The steps of a checkout: the card becomes a token of the session, which supplies all other values of the payment. */
const PAID_BY_SESSION: readonly Step[] = [
  { ...SESSION, words: ['session', 'create', ...ORDER, '--vault-on-success'] },
  {
    title: "Turn the customer's card into a token for this session, as the checkout does",
    words: ['sandbox', 'tokenize', '--card', '4111111111111111', '--client-token', '{clientToken}'],
    facts: { token: 'paymentMethodToken' },
    describe: () => 'a payment method token',
  },
  {
    ...PAID,
    title: "Pay the session's order with the card, and save the card",
    words: ['payment', 'create', '--token', '{token}'],
  },
]

const PAID_BY_TOKEN: readonly Step[] = [
  { ...SESSION, words: ['session', 'create', ...ORDER] },
  {
    ...PAID,
    title: "Pay with the customer's card, and save the card",
    words: ['payment', 'create', '--token', '{token}', ...ORDER, '--vault-on-success'],
  },
]

/** How to pay: with a token created in the session, or with an existing one. */
export type PaidBy = 'session' | 'token'

/** The steps of a payment's life cycle, as commands. */
export const stepsOf = (paidBy: PaidBy): readonly Step[] => [
  ...(paidBy === 'session' ? PAID_BY_SESSION : PAID_BY_TOKEN),
  ...AFTERWARDS,
]

const AFTERWARDS: readonly Step[] = [
  {
    title: 'Capture part of it, and release the rest',
    words: ['payment', 'capture', '{payment}', '--amount', '700'],
    describe: (answer) =>
      `${textOrUnknown(answer, 'status')}: ${moneyAt(answer, 'processor', 'amountCaptured')} captured`,
  },
  {
    title: 'Refund part of the capture',
    words: ['payment', 'refund', '{payment}', '--amount', '3.00 EUR', '--reason', 'damaged in transit'],
    describe: (answer) =>
      `${moneyAt(answer, 'processor', 'amountRefunded')} refunded, ${textOrUnknown(answer, 'status')}`,
  },
  {
    title: 'Get the payment',
    words: ['payment', 'get', '{payment}'],
    describe: (answer) =>
      `${textOrUnknown(answer, 'status')}: ${moneyAt(answer, 'processor', 'amountCaptured')} captured, ${moneyAt(answer, 'processor', 'amountRefunded')} refunded`,
  },
  {
    title: 'Record a payment made elsewhere',
    words: [
      'observability',
      'push',
      '--payment-id',
      '{external}',
      '--amount',
      '25.00 EUR',
      '--processor',
      'ACME',
      '--created-at',
      '{now}',
      '--order-id',
      '{order}',
      '--payment-method-type',
      'PAYMENT_CARD',
    ],
    facts: { recorded: 'paymentId' },
    describe: (answer) => `${moneyAt(answer, 'amount')} recorded as ${textOrUnknown(answer, 'paymentId')}`,
  },
  {
    title: 'Update the record',
    words: ['observability', 'update', '{recorded}', '--status', 'SETTLED'],
    describe: (answer) => `status ${textOrUnknown(answer, 'status')}`,
  },
  {
    title: 'Redeem loyalty points',
    words: [
      'loyalty',
      'redeem',
      '--connection-id',
      'points-1',
      '--customer-id',
      '{customer}',
      '--order-id',
      '{order}',
      '--value',
      '250',
    ],
    describe: (answer) =>
      `${String(fieldAt(answer, ['value']))} points, transaction ${textOrUnknown(answer, 'id')}`,
  },
  {
    title: 'List the saved payment methods',
    words: ['instrument', 'list', '--customer-id', '{customer}'],
    facts: { saved: 'data.0.token' },
    describe: (answer) => {
      const list = fieldAt(answer, ['data'])
      return `${Array.isArray(list) ? list.length : 0} saved`
    },
  },
  {
    title: 'Make the saved method the default',
    words: ['instrument', 'default', '{saved}'],
    describe: (answer) => (fieldAt(answer, ['default']) === true ? 'it is the default' : 'done'),
  },
  {
    title: 'Delete the saved method',
    words: ['instrument', 'delete', '{saved}'],
    describe: (answer) => (fieldAt(answer, ['deleted']) === true ? 'it is deleted' : 'done'),
  },
]

/** Secret facts, in place of which a shown command has a shell variable. */
export const SECRET_FACTS = ['saved', 'clientToken'] as const

const textOrUnknown = (answer: unknown, key: string): string => textAt(answer, key) ?? 'unknown'

function moneyAt(answer: unknown, ...path: readonly string[]): string {
  const amount = fieldAt(answer, path)
  return typeof amount === 'number'
    ? formatMoney(amount, textAt(answer, 'currencyCode'))
    : 'an unknown amount'
}
