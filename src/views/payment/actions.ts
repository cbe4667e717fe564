import type { Operation } from '../../api/operation.ts'
import type { Payment } from '../../api/models/payment.ts'
import { formatMoney } from '../../money/format.ts'
import { explainDecline } from './decline.ts'
import { pendingRefunds } from './refunds.ts'
import { isAllowed } from './allowed-actions.ts'
import { deriveAmounts } from './amounts.ts'
import type { PaymentAmounts } from './amounts.ts'
import { formatFreeText } from '../format-fields.ts'

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

interface Facts {
  readonly payment: Payment
  readonly figures: PaymentAmounts
  /** `all 5.00 EUR`, or `all of it` */
  readonly allOf: (amountMinor: number | undefined) => string
}

interface Rule extends Pick<PaymentAction, 'action' | 'operation' | 'risk'> {
  readonly isPossible: (facts: Facts) => boolean
  readonly describe: (facts: Facts) => string
  /** Arguments after `pay payment`. */
  readonly line: (id: string, facts: Facts) => string
  readonly amount?: (facts: Facts) => number | undefined
}

const isIn =
  (...statuses: readonly string[]) =>
  ({ payment: { status } }: Facts): boolean =>
    status !== undefined && statuses.includes(status)

/** What the service allows in each state, the likeliest first. */
const RULES: readonly Rule[] = [
  {
    action: 'resume',
    operation: 'payment.resume',
    risk: 'money',
    isPossible: ({ payment }) => isAllowed('resume', payment),
    describe: () => 'After the customer has acted: resume with the token that the checkout returned.',
    line: (id) => `resume ${id} --resume-token -`,
  },
  {
    action: 'wait',
    operation: 'payment.get',
    risk: 'read',
    isPossible: isIn('PENDING', 'SETTLING'),
    describe: (facts) => (isIn('PENDING')(facts) ? 'Wait for the outcome.' : 'Wait until it is settled.'),
    line: (id) => `wait ${id}`,
  },
  {
    action: 'wait-refund',
    operation: 'payment.get',
    risk: 'read',
    isPossible: ({ payment }) => pendingRefunds(payment).length > 0,
    describe: ({ payment }) =>
      pendingRefunds(payment).length === 1
        ? 'Wait until the refund is final.'
        : 'Wait until the refunds are final.',
    line: (id) => `wait ${id} --refund`,
  },
  {
    action: 'capture',
    operation: 'payment.capture',
    risk: 'money',
    isPossible: ({ payment }) => isAllowed('capture', payment),
    describe: ({ figures, allOf }) =>
      `Capture ${allOf(figures.leftToCapture)}. A smaller --amount releases the rest unless you add --no-final.`,
    line: (id, { figures, payment }) => `capture ${id}${amountFlag(figures.leftToCapture, payment)}`,
    amount: ({ figures }) => figures.leftToCapture,
  },
  {
    action: 'adjust',
    operation: 'payment.adjust',
    risk: 'money',
    isPossible: ({ payment }) => isAllowed('adjust', payment),
    describe: () => 'Change the authorized amount: replace the amount below with the new total.',
    line: (id, { payment }) => `adjust ${id}${amountFlag(payment.amount, payment)}`,
    amount: ({ payment }) => payment.amount,
  },
  {
    action: 'refund',
    operation: 'payment.refund',
    risk: 'money',
    isPossible: ({ payment }) => isAllowed('refund', payment),
    describe: ({ figures, allOf }) =>
      `Refund ${allOf(figures.leftToRefund)}, or less with a smaller --amount. You can't undo this.`,
    line: (id, { figures, payment }) => `refund ${id}${amountFlag(figures.leftToRefund, payment)}`,
    amount: ({ figures }) => figures.leftToRefund,
  },
  {
    action: 'cancel',
    operation: 'payment.cancel',
    risk: 'destructive',
    isPossible: ({ payment }) => isAllowed('cancel', payment),
    describe: ({ figures, allOf }) =>
      `Cancel it${figures.authorized === undefined ? '' : ` and release ${allOf(figures.authorized)}`}. You can't undo this.`,
    line: (id) => `cancel ${id}`,
  },
  {
    action: 'authorize',
    operation: 'payment.authorize',
    risk: 'money',
    isPossible: (facts) =>
      isIn('DECLINED', 'FAILED')(facts) &&
      // Authorizing again uses the same method.
      !['look-first', 'other-method'].includes(explainDecline(facts.payment.statusReason).retry) &&
      processorFlags(facts.payment) !== undefined,
    describe: () => 'Authorize it again, through this processor or another one.',
    line: (id, { payment }) => `authorize ${id}${processorFlags(payment) ?? ''}`,
    amount: ({ payment }) => payment.amount,
  },
  {
    action: 'get',
    operation: 'payment.get',
    risk: 'read',
    isPossible: () => true,
    describe: () => 'Show the whole payment.',
    line: (id) => `get ${id}`,
  },
]

/**
 * What can be done with a payment. `id` is the payment's ID in the commands; `pay` is the program name with the flags that choose the
 * account.
 */
export function listActions(payment: Payment, id: string, pay: string): readonly PaymentAction[] {
  const facts: Facts = {
    payment,
    figures: deriveAmounts(payment),
    allOf: (amountMinor) =>
      amountMinor === undefined
        ? 'all of it'
        : `all ${formatFreeText(formatMoney(amountMinor, payment.currencyCode))}`,
  }
  return RULES.filter(({ isPossible }) => isPossible(facts)).map(
    ({ action, operation, risk, describe, line, amount }) => ({
      action,
      operation,
      risk,
      amount: amount?.(facts) ?? null,
      command: `${pay} payment ${line(shellWord(id) ?? 'ID', facts)}`,
      words: describe(facts),
    }),
  )
}

/** With the currency, so that the command checks it; in minor units where the currency is unknown. */
function amountFlag(amountMinor: number | undefined, { currencyCode }: Payment): string {
  if (amountMinor === undefined) return ''
  const money = formatMoney(amountMinor, currencyCode)
  return ` --amount ${/^\d+(?:\.\d+)? [A-Z]{3}$/.test(money) ? `'${money}'` : amountMinor}`
}

/** Text from the service, if a shell needs no quotes for it; otherwise undefined. */
const shellWord = (text: string | undefined): string | undefined =>
  text !== undefined && /^[\w.][\w.-]{0,63}$/.test(text) ? text : undefined

function processorFlags({ processor }: Payment): string | undefined {
  const merchant = shellWord(processor?.processorMerchantId)
  const name = shellWord(processor?.name)
  return merchant === undefined
    ? undefined
    : ` --processor-merchant-id ${merchant}${name === undefined ? '' : ` --processor ${name}`}`
}
