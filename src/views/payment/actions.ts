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

interface Suggestion extends PaymentAction {
  /** The likeliest suggestion has the lowest. */
  readonly rank: number
}

/**
 * What can be done with a payment. `id` is the payment's ID in the commands; `pay` is the program name with the flags that choose the
 * account.
 */
export function listActions(payment: Payment, id: string, pay: string): readonly PaymentAction[] {
  const word = plainWord(id) ?? 'ID'
  const facts = { payment, figures: deriveAmounts(payment), command: `${pay} payment` }
  return [
    ...readsOf(payment, word, facts.command),
    ...ACTION_NAMES.filter((name) => isWorthwhile(name, payment)).map((name) => suggest(name, word, facts)),
  ]
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ rank: _, ...action }) => action)
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
  readonly command: string
}

function suggest(name: ActionName, word: string, { payment, figures, command }: Facts): Suggestion {
  const { operation, fields, left, suggestion } = actionOf(name)
  const { rank, words, amount: source } = suggestion
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
  return {
    action: name,
    operation,
    risk: FACTS[operation].risk,
    amount: amount ?? null,
    command: `${command} ${name} ${word}${fields.map((field) => flags[field]).join('')}`,
    words: words(all),
    rank,
  }
}

/** What only reads: waiting, and the whole payment. */
function readsOf(payment: Payment, word: string, command: string): readonly Suggestion[] {
  const read = (rank: number, action: string, line: string, words: string): Suggestion => ({
    action,
    operation: 'payment.get',
    risk: 'read',
    amount: null,
    command: `${command} ${line}`,
    words,
    rank,
  })
  const { length: pending } = pendingRefunds(payment)
  return [
    ...(payment.status === 'PENDING' ? [read(2, 'wait', `wait ${word}`, 'Wait for the outcome.')] : []),
    ...(payment.status === 'SETTLING' ? [read(2, 'wait', `wait ${word}`, 'Wait until it is settled.')] : []),
    ...(pending === 0
      ? []
      : [
          read(
            3,
            'wait-refund',
            `wait ${word} --refund`,
            `Wait until the ${agree(pending, 'refund is', 'refunds are')} final.`,
          ),
        ]),
    read(9, 'get', `get ${word}`, 'Show the whole payment.'),
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
