import { actionOf, isMoneyAction } from '../../../api/actions/actions.ts'
import type { ActionName } from '../../../api/actions/actions.ts'
import type { ActionField } from '../../../api/actions/action.ts'
import type { Payment } from '../../../api/models/payment.ts'
import { UsageError } from '../../../errors.ts'
import { exponentOf } from '../../../money/currencies.ts'
import { formatUnits } from '../../../money/format.ts'
import { amountIn, readAmount, readingsOf } from '../../../money/read-amount.ts'
import type { AmountFacts } from '../../../money/read-amount.ts'
import { ACTION_EFFECTS } from '../../../views/payment/action-effect.ts'
import { deriveAmounts } from '../../../views/payment/amounts.ts'
import { formatAmount } from '../../page/format.ts'
import { processorName } from '../../page/words.ts'

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

/** What the amount of an action depends on, as on the command line. */
export function amountFacts(action: ActionName, payment: Payment): AmountFacts {
  const { left } = actionOf(action)
  return {
    // Where nothing is used up, the amount is a new total.
    label: left === null ? 'New amount' : 'Amount',
    currencyCode: payment.currencyCode,
    isOfPayment: true,
    allowZero: false,
    fullAmount: left === null ? undefined : { amountMinor: deriveAmounts(payment)[left] },
  }
}

/** How to write the amount, or how what is written is understood. */
export function amountHint(action: ActionName, payment: Payment, input: ActionInput): string {
  const { fullAmount, currencyCode } = amountFacts(action, payment)
  const understood = input.amount.trim() === '' ? undefined : amountOf(action, payment, input)
  const left = fullAmount?.amountMinor
  if (understood !== undefined && left !== undefined && understood > left)
    return `${formatAmount(understood, currencyCode)} is more than the ${formatAmount(left, currencyCode)} that is left.`
  if (understood !== undefined) return formatAmount(understood, currencyCode)
  const readings = readingsOf({ currencyCode }, input.amount)
  if (readings.length > 0) return `${readings.join(' or ')}?`
  if (fullAmount === undefined) return `The new total, such as ${exampleAmount(payment)}.`
  return left === undefined ? 'Empty: all of it.' : `Empty: all of it, ${formatAmount(left, currencyCode)}.`
}

const exampleAmount = ({ amount = 0, currencyCode }: Payment): string => formatAmount(amount, currencyCode)

/** What buttons put into the amount: half of what is left, rounded down, and all of it. */
export function amountChoices(
  action: ActionName,
  payment: Payment,
): readonly (readonly [name: string, amount: string])[] {
  const left = deriveAmounts(payment).leftToRefund
  if (actionOf(action).left !== 'leftToRefund' || left === undefined) return []
  const text = (amountMinor: number) => formatUnits(amountMinor, exponentOf(payment.currencyCode ?? '') ?? 0)
  return [
    ['Half', text(Math.floor(left / 2))],
    ['All', text(left)],
  ]
}

/** The amount that is typed, or all that is left, in minor units. It may be too high; undefined while it is no amount. */
export function amountOf(action: ActionName, payment: Payment, { amount }: ActionInput): number | undefined {
  const facts = amountFacts(action, payment)
  if (amount.trim() === '') return facts.fullAmount?.amountMinor
  try {
    return amountIn(facts, amount)
  } catch (error) {
    if (error instanceof UsageError) return undefined
    throw error
  }
}

/** The body of the request. @throws {UsageError} that says what to correct */
export function bodyOf(
  action: ActionName,
  payment: Payment,
  input: ActionInput,
): Readonly<Record<string, unknown>> {
  const bodies: Readonly<Record<ActionField, () => Readonly<Record<string, unknown>>>> = {
    amount: () => ({ amount: readAmount(amountFacts(action, payment), input.amount) }),
    // A capture of all that is left releases nothing, so it needs no `final`.
    final: () => {
      const left = amountFacts(action, payment).fullAmount?.amountMinor
      return amountOf(action, payment, input) === left ? {} : { final: input.isFinal }
    },
    reason: () => (input.reason.trim() === '' ? {} : { reason: input.reason.trim() }),
    processor: () => {
      if (input.processor === undefined) throw new UsageError('Choose a processor')
      const { name, processorMerchantId } = input.processor
      return { processor: { name, processorMerchantId } }
    },
    resumeToken: () => {
      const resumeToken = input.resumeToken.trim()
      if (resumeToken !== '') return { resumeToken }
      throw new UsageError(
        'Answer for the customer first, or give the resume token that the checkout returned',
      )
    },
  }
  return Object.fromEntries(actionOf(action).fields.flatMap((field) => Object.entries(bodies[field]())))
}

/** What will happen, in the words of the command line. */
interface ActionPlan {
  readonly question: string
  readonly consequence: string
  /** `This refund`, `5.00 EUR`; empty for actions without figures. */
  readonly figures: readonly (readonly [name: string, value: string])[]
}

export function planOf(action: ActionName, payment: Payment, input: ActionInput): ActionPlan {
  const { id = '', currencyCode } = payment
  const { title, fields, question, consequence, preview } = actionOf(action)
  const money = (amountMinor: number | undefined) =>
    amountMinor === undefined ? 'unknown' : formatAmount(amountMinor, currencyCode)
  const words = { consequence: `${consequence}.`, figures: [] }
  const takesAmount = fields.includes('amount')
  const amountMinor = takesAmount ? amountOf(action, payment, input) : undefined
  if (takesAmount && amountMinor === undefined && input.amount.trim() !== '')
    return { ...words, question: `${title} payment ${id}.` }
  const amount = amountMinor === undefined ? undefined : money(amountMinor)
  const { processor } = input
  const what = !fields.includes('processor')
    ? amount
    : processor === undefined
      ? 'a processor'
      : describeProcessor(processor)
  const asked = { ...words, question: `${question(id, what)}.` }
  if (!isMoneyAction(action)) return asked
  const effect = ACTION_EFFECTS[action]({
    figures: deriveAmounts(payment),
    status: payment.status,
    amountMinor,
    final: input.isFinal,
  })
  return {
    ...asked,
    figures: [
      [preview ?? '', effect.describeAmount(money)],
      ['Remaining after', effect.describeRemainder(money)],
    ],
  }
}

export const describeProcessor = ({ name, processorMerchantId }: Processor): string =>
  processorMerchantId === '' ? processorName(name) : `${processorName(name)} (${processorMerchantId})`
