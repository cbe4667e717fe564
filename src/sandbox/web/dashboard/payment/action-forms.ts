import type { Payment } from '../../../../api/models/payment.ts'
import { UsageError } from '../../../../errors.ts'
import { formatMoney } from '../../../../money/format.ts'
import { interpretAmount, readAmount } from '../../../../money/read-amount.ts'
import type { AmountFacts } from '../../../../money/read-amount.ts'
import { ACTION_EFFECTS } from '../../../../views/payment/action-effect.ts'
import { ACTION_WORDS } from '../../../../views/payment/action-words.ts'
import type { PaymentActionName } from '../../../../views/payment/allowed-actions.ts'
import { deriveAmounts } from '../../../../views/payment/amounts.ts'

/** What a person fills in. Fields that an action doesn't have stay empty. */
export interface ActionInput {
  readonly amount: string
  readonly reason: string
  readonly isFinal: boolean
  readonly processor: Processor | undefined
  readonly resumeToken: string
}

export interface Processor {
  readonly name: string
  readonly processorMerchantId: string
}

export type FieldName = 'amount' | 'reason' | 'final' | 'processor' | 'resumeToken'

interface ActionForm {
  readonly title: string
  readonly fields: readonly FieldName[]
  /** The last part of the address: `/payments/ID/refund`. */
  readonly path: string
  /** Whether the service accepts an idempotency key, so that repeating the request can't apply it twice. */
  readonly takesKey: boolean
}

export const ACTION_FORMS: Readonly<Record<PaymentActionName, ActionForm>> = {
  capture: { title: 'Capture', fields: ['amount', 'final'], path: 'capture', takesKey: true },
  refund: { title: 'Refund', fields: ['amount', 'reason'], path: 'refund', takesKey: true },
  cancel: { title: 'Cancel', fields: ['reason'], path: 'cancel', takesKey: true },
  adjust: { title: 'Adjust', fields: ['amount'], path: 'adjust-authorization', takesKey: false },
  authorize: { title: 'Authorize', fields: ['processor'], path: 'authorize', takesKey: true },
  resume: { title: 'Resume', fields: ['resumeToken'], path: 'resume', takesKey: false },
}

/** What the amount of an action depends on, as on the command line. */
export function amountFacts(action: PaymentActionName, payment: Payment): AmountFacts {
  const { leftToCapture, leftToRefund } = deriveAmounts(payment)
  const left = action === 'capture' ? leftToCapture : action === 'refund' ? leftToRefund : undefined
  return {
    label: action === 'adjust' ? 'New amount' : 'Amount',
    currencyCode: payment.currencyCode,
    isOfPayment: true,
    allowZero: false,
    fullAmount: action === 'adjust' ? undefined : { amountMinor: left },
  }
}

/** How to write the amount, or how what is written is understood: `12.50 EUR = 1250`. */
export function amountHint(action: PaymentActionName, payment: Payment, text: string): string {
  const facts = amountFacts(action, payment)
  const understood = interpretAmount(facts, text)
  if (understood !== undefined) return understood
  const { fullAmount, currencyCode } = facts
  if (fullAmount === undefined) return `The new total, such as ${exampleAmount(payment)}.`
  return fullAmount.amountMinor === undefined
    ? 'Empty: all of it.'
    : `Empty: all of it, ${formatMoney(fullAmount.amountMinor, currencyCode)}.`
}

const exampleAmount = ({ amount = 0, currencyCode }: Payment): string => formatMoney(amount, currencyCode)

/** The amount that is typed, or all that is left, in minor units. It may be too high; undefined while it is no amount. */
export function amountOf(
  action: PaymentActionName,
  payment: Payment,
  { amount }: ActionInput,
): number | undefined {
  const facts = amountFacts(action, payment)
  if (amount.trim() === '') return facts.fullAmount?.amountMinor
  try {
    return readAmount({ ...facts, fullAmount: undefined }, amount)
  } catch (error) {
    if (error instanceof UsageError) return undefined
    throw error
  }
}

/** The body of the request. @throws {UsageError} that says what to correct */
export function bodyOf(
  action: PaymentActionName,
  payment: Payment,
  input: ActionInput,
): Readonly<Record<string, unknown>> {
  const reason = input.reason.trim() === '' ? {} : { reason: input.reason.trim() }
  switch (action) {
    case 'capture': {
      const amount = readAmount(amountFacts(action, payment), input.amount)
      const { leftToCapture } = deriveAmounts(payment)
      // A capture of all that is left releases nothing, so it needs no `final`.
      return { amount, ...(amount === leftToCapture ? {} : { final: input.isFinal }) }
    }
    case 'refund':
      return { amount: readAmount(amountFacts(action, payment), input.amount), ...reason }
    case 'adjust':
      return { amount: readAmount(amountFacts(action, payment), input.amount) }
    case 'cancel':
      return reason
    case 'authorize': {
      if (input.processor === undefined) throw new UsageError('Choose a processor')
      const { name, processorMerchantId } = input.processor
      return { processor: { name, processorMerchantId } }
    }
    case 'resume': {
      const resumeToken = input.resumeToken.trim()
      if (resumeToken === '')
        throw new UsageError(
          'Answer for the customer first, or give the resume token that the checkout returned',
        )
      return { resumeToken }
    }
  }
}

/** What will happen, in the words of the command line. */
export interface ActionPlan {
  readonly question: string
  readonly consequence: string
  /** `This refund`, `5.00 EUR`; empty for actions without figures. */
  readonly figures: readonly (readonly [name: string, value: string])[]
}

export function planOf(action: PaymentActionName, payment: Payment, input: ActionInput): ActionPlan {
  const { id = '', currencyCode } = payment
  const money = (amountMinor: number | undefined) =>
    amountMinor === undefined ? 'unknown' : formatMoney(amountMinor, currencyCode)
  const words = { consequence: `${ACTION_WORDS[action].consequence}.` }
  if (action === 'authorize') {
    const { name, processorMerchantId } = input.processor ?? { name: 'a processor', processorMerchantId: '' }
    const through = processorMerchantId === '' ? name : `${name} (${processorMerchantId})`
    return { ...words, question: `${ACTION_WORDS.authorize.question(id, through)}.`, figures: [] }
  }
  if (action === 'resume') return { ...words, question: `${ACTION_WORDS.resume.question(id)}.`, figures: [] }
  const amountMinor = action === 'cancel' ? undefined : amountOf(action, payment, input)
  if (
    amountMinor === undefined &&
    ACTION_FORMS[action].fields.includes('amount') &&
    input.amount.trim() !== ''
  )
    return { ...words, question: `${ACTION_FORMS[action].title} payment ${id}.`, figures: [] }
  const effect = ACTION_EFFECTS[action]({
    figures: deriveAmounts(payment),
    amountMinor,
    final: input.isFinal,
  })
  return {
    ...words,
    question: `${ACTION_WORDS[action].question(id, amountMinor === undefined ? undefined : money(amountMinor))}.`,
    figures: [
      [effect.amountLabel, effect.describeAmount(money)],
      ['Remaining after', effect.describeRemainder(money)],
    ],
  }
}
