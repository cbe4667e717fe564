import { ACTION_NAMES, actionOf } from '../../api/actions/actions.ts'
import type { ActionName } from '../../api/actions/actions.ts'
import type { ActionField } from '../../api/actions/action.ts'
import { FACTS } from '../../api/facts.ts'
import type { Operation } from '../../api/operation.ts'
import { knownStatus } from '../../api/payment-states.ts'
import type { Payment } from '../../api/models/payment.ts'
import { formatMoney } from '../../money/format.ts'
import { plainWord } from '../../text/shell-word.ts'
import { explainDecline } from './decline.ts'
import { pendingRefunds } from './refunds.ts'
import { deriveAmounts } from './amounts.ts'
import type { PaymentAmounts } from './amounts.ts'
import { formatFreeText } from '../format-fields.ts'
import { agree } from '../../text/words.ts'

/** An operation that the payment's state allows. */
export interface PaymentAction {
  readonly action: string
  /** ID in `pay schema`; null for a command that sends no single operation. */
  readonly operation: string | null
  readonly risk: Operation['risk']
  /** Amount that `command` moves, in minor units. */
  readonly amount: number | null
  /** Ready to copy and run. */
  readonly command: string
  readonly words: string
}

/** Whether the service allows it. Where the payment doesn't say enough, the service decides. */
export function isAllowed(action: ActionName, payment: Payment): boolean {
  const { states, left, isFor } = actionOf(action)
  const status = knownStatus(payment.status)
  return (
    status !== undefined &&
    states[status] === 'allowed' &&
    (left === null || deriveAmounts(payment)[left] !== 0) &&
    isFor(payment)
  )
}

/** What can be done, the likeliest first. An action that is missing here doesn't compile. */
const LIKELIEST = [
  'resume',
  'wait',
  'wait-refund',
  'capture',
  'adjust',
  'refund',
  'cancel',
  'authorize',
  'get',
  'saved-methods',
] as const satisfies readonly (ActionName | ReadAction)[]

type ReadAction = 'wait' | 'wait-refund' | 'get' | 'saved-methods'

interface Suggestion extends PaymentAction {
  readonly action: ActionName | ReadAction
}

/** What commands to copy need to know. */
export interface CommandFacts {
  readonly id: string
  /** The program name with the flags that choose the account. */
  readonly pay: string
  /** Whether the account is the embedded sandbox, where `pay` can answer for the customer. */
  readonly isSandbox?: boolean
}

/** What can be done with a payment. */
export function listActions(
  payment: Payment,
  { id, pay, isSandbox }: CommandFacts,
): readonly PaymentAction[] {
  const word = plainWord(id) ?? 'ID'
  const facts = { payment, figures: deriveAmounts(payment), pay, isSandbox: isSandbox === true }
  return [
    ...readsOf(payment, word, `${pay} payment`),
    ...savedMethodsOf(payment, pay),
    ...ACTION_NAMES.filter((name) => isWorthwhile(name, payment)).map((name) => suggest(name, word, facts)),
  ].toSorted((one, other) => LIKELIEST.indexOf(one.action) - LIKELIEST.indexOf(other.action))
}

/** Whether to suggest the action. Authorizing again uses the same method, and needs a processor to name. */
function isWorthwhile(name: ActionName, payment: Payment): boolean {
  if (!isAllowed(name, payment)) return false
  return (
    !actionOf(name).fields.includes('processor') ||
    (payment.status !== 'PENDING' &&
      !['look-first', 'other-method'].includes(explainDecline(payment.statusReason).retry) &&
      processorFlags(payment) !== undefined)
  )
}

interface Facts {
  readonly payment: Payment
  readonly figures: PaymentAmounts
  readonly pay: string
  readonly isSandbox: boolean
}

function suggest(name: ActionName, word: string, { payment, figures, pay, isSandbox }: Facts): Suggestion {
  const { operation, fields, left, suggestion } = actionOf(name)
  const { words, amount: source } = suggestion
  const usedUp = left === null ? figures.authorized : figures[left]
  const all =
    usedUp === undefined ? undefined : `all ${formatFreeText(formatMoney(usedUp, payment.currencyCode))}`
  const amount = source === null ? undefined : source === 'payment' ? payment.amount : usedUp
  const flags: Readonly<Record<ActionField, string>> = {
    amount: amountFlag(amount, payment),
    processor: processorFlags(payment) ?? '',
    resumeToken: ' --resume-token -',
    final: '',
    reason: '',
  }
  const answers = name === 'resume' && isSandbox && payment.requiredAction?.clientToken !== undefined
  return {
    action: name,
    operation,
    risk: FACTS[operation].risk,
    amount: amount ?? null,
    command: answers
      ? answerAndResume(word, pay)
      : `${pay} payment ${name} ${word}${fields.map((field) => flags[field]).join('')}`,
    words: answers ? 'Answer for the customer (pass or fail), then resume it.' : words(all),
  }
}

/** In the sandbox: completes a payment's required action and resumes the payment. Pipes carry the tokens, so none is shown. */
export const answerAndResume = (word: string, pay: string): string =>
  [
    `${pay} payment get ${word} -o id --query requiredAction.clientToken`,
    'pay sandbox challenge - --outcome pass -o id',
    `${pay} payment resume ${word} --resume-token -`,
  ].join(' | ')

/** What only reads: waiting, and the whole payment. */
function readsOf(payment: Payment, word: string, command: string): readonly Suggestion[] {
  const read = (action: ReadAction, line: string, words: string): Suggestion => ({
    action,
    operation: 'payment.get',
    risk: 'read',
    amount: null,
    command: `${command} ${line}`,
    words,
  })
  const { length: pending } = pendingRefunds(payment)
  return [
    ...(payment.status === 'PENDING' ? [read('wait', `wait ${word}`, 'Wait for the outcome.')] : []),
    ...(payment.status === 'SETTLING' ? [read('wait', `wait ${word}`, 'Wait until it is settled.')] : []),
    ...(pending === 0
      ? []
      : [
          read(
            'wait-refund',
            `wait ${word} --refund`,
            `Wait until the ${agree(pending, 'refund is', 'refunds are')} final.`,
          ),
        ]),
    read('get', `get ${word}`, 'Show the whole payment.'),
  ]
}

/** The customer's saved methods, if the payment's is one: deleting it ends a subscription or forgets a card. */
function savedMethodsOf({ paymentMethod, customerId }: Payment, pay: string): readonly Suggestion[] {
  const customer = plainWord(customerId)
  return paymentMethod?.isVaulted !== true || customer === undefined
    ? []
    : [
        {
          action: 'saved-methods',
          operation: 'instrument.list',
          risk: 'read',
          amount: null,
          command: `${pay} instrument list --customer-id ${customer}`,
          words: "List the customer's saved methods. One that is deleted can't be charged again.",
        },
      ]
}

/** The amount with its currency, so that the command checks it; in minor units where the currency is unknown. */
function amountFlag(amountMinor: number | undefined, { currencyCode }: Payment): string {
  if (amountMinor === undefined) return ''
  const money = formatMoney(amountMinor, currencyCode)
  return ` --amount ${/^\d+(?:\.\d+)? [A-Z]{3}$/.test(money) ? `"${money}"` : amountMinor}`
}

function processorFlags({ processor }: Payment): string | undefined {
  const merchant = plainWord(processor?.processorMerchantId)
  const name = plainWord(processor?.name)
  return merchant === undefined
    ? undefined
    : ` --processor-merchant-id ${merchant}${name === undefined ? '' : ` --processor ${name}`}`
}
