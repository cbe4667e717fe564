import { fieldAt, textAt } from '../../../cli/parse/field-path.ts'
import { formatMoney } from '../../../money/format.ts'

/** What earlier steps found out: ids and tokens that later ones need. */
export type Facts = Readonly<Record<string, string>>

export interface Step {
  readonly title: string
  /** The words after `pay`; `{name}` stands for a fact. Without that fact the step is left out. */
  readonly words: readonly string[]
  /** Facts for later steps: the field of the answer that each is read from. */
  readonly facts?: Readonly<Record<string, string>>
  /** The outcome in a few words. */
  readonly says: (answer: unknown) => string
}

const ORDER = ['--order-id', '{order}', '--customer-id', '{customer}', '--amount', '10.00 EUR'] as const

const SESSION = {
  title: 'A client session is created for an order of 10.00 EUR',
  facts: { clientToken: 'clientToken' },
  says: (answer: unknown) => `a client token, valid until ${said(answer, 'clientTokenExpirationDate')} UTC`,
} as const

const PAID = {
  facts: { payment: 'id' },
  says: (answer: unknown) =>
    `${said(answer, 'status')}: ${moneyAt(answer, 'amount')} authorized on payment ${said(answer, 'id')}`,
} as const

/** As a checkout does it: the card becomes a token of the session, and the payment takes all else from there. */
const PAID_BY_SESSION: readonly Step[] = [
  { ...SESSION, words: ['session', 'create', ...ORDER, '--vault-on-success'] },
  {
    title: "The checkout turns the customer's card into a token for this session",
    words: ['sandbox', 'tokenize', '--card', '4111111111111111', '--client-token', '{clientToken}'],
    facts: { token: 'paymentMethodToken' },
    says: () => 'a payment method token',
  },
  {
    ...PAID,
    title: "The card pays the session's order; it is saved for next time",
    words: ['payment', 'create', '--token', '{token}'],
  },
]

const PAID_BY_TOKEN: readonly Step[] = [
  { ...SESSION, words: ['session', 'create', ...ORDER] },
  {
    ...PAID,
    title: "The customer's card pays; the card is saved for next time",
    words: ['payment', 'create', '--token', '{token}', ...ORDER, '--vault-on-success'],
  },
]

/** How the payment comes about: with a token made in its session, or with one that is there already. */
export type PaidBy = 'session' | 'token'

/** The whole life of a payment, and what surrounds it, as the commands that do it. */
export const stepsOf = (paidBy: PaidBy): readonly Step[] => [
  ...(paidBy === 'session' ? PAID_BY_SESSION : PAID_BY_TOKEN),
  ...AFTERWARDS,
]

const AFTERWARDS: readonly Step[] = [
  {
    title: 'A part of it is captured; the rest is released',
    words: ['payment', 'capture', '{payment}', '--amount', '700'],
    says: (answer) => `${said(answer, 'status')}: ${moneyAt(answer, 'processor', 'amountCaptured')} captured`,
  },
  {
    title: 'A part of that is refunded',
    words: ['payment', 'refund', '{payment}', '--amount', '3.00 EUR', '--reason', 'damaged in transit'],
    says: (answer) => `${moneyAt(answer, 'processor', 'amountRefunded')} refunded, ${said(answer, 'status')}`,
  },
  {
    title: 'The payment is looked up',
    words: ['payment', 'get', '{payment}'],
    says: (answer) =>
      `${said(answer, 'status')}: ${moneyAt(answer, 'processor', 'amountCaptured')} captured, ${moneyAt(answer, 'processor', 'amountRefunded')} refunded`,
  },
  {
    title: 'A payment made elsewhere is recorded',
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
    says: (answer) => `${moneyAt(answer, 'amount')} recorded as ${said(answer, 'paymentId')}`,
  },
  {
    title: 'Its record is updated',
    words: ['observability', 'update', '{recorded}', '--status', 'SETTLED'],
    says: (answer) => `status ${said(answer, 'status')}`,
  },
  {
    title: 'Loyalty points are redeemed',
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
    says: (answer) => `${String(fieldAt(answer, ['value']))} points, transaction ${said(answer, 'id')}`,
  },
  {
    title: 'The saved payment methods are listed',
    words: ['instrument', 'list', '--customer-id', '{customer}'],
    facts: { saved: 'data.0.token' },
    says: (answer) => {
      const list = fieldAt(answer, ['data'])
      return `${Array.isArray(list) ? list.length : 0} saved`
    },
  },
  {
    title: 'The saved method is made the default',
    words: ['instrument', 'default', '{saved}'],
    says: (answer) => (fieldAt(answer, ['default']) === true ? 'it is the default' : 'done'),
  },
  {
    title: 'The saved method is deleted',
    words: ['instrument', 'delete', '{saved}'],
    says: (answer) => (fieldAt(answer, ['deleted']) === true ? 'it is gone' : 'done'),
  },
]

/** Facts that are never shown: in a shown command the reader's own variable stands for them. */
export const SECRET_FACTS = ['saved', 'clientToken'] as const

const said = (answer: unknown, key: string): string => textAt(answer, key) ?? 'unknown'

function moneyAt(answer: unknown, ...path: readonly string[]): string {
  const amount = fieldAt(answer, path)
  return typeof amount === 'number'
    ? formatMoney(amount, textAt(answer, 'currencyCode'))
    : 'an unknown amount'
}
