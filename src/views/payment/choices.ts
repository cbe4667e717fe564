import { actionOf } from '../../api/actions/actions.ts'
import type { ActionName } from '../../api/actions/actions.ts'
import type { PaymentSummary } from '../../api/models/payment.ts'
import type { Column } from '../../output/table.ts'
import type { RenderOptions } from '../../output/view.ts'
import { renderChoiceTable } from '../choice-table.ts'
import { deriveAmounts } from './amounts.ts'
import { joinParts, formatField, formatAmount } from '../format-fields.ts'
import { formatStatus } from '../status.ts'
import { formatMinute } from '../format-time.ts'

/** A payment to choose from: listed by the service, or known only from this machine's ledger. */
export type OfferedPayment = Pick<
  PaymentSummary,
  'id' | 'status' | 'orderId' | 'amount' | 'currencyCode' | 'date' | 'customerId' | 'processor'
> & {
  readonly lastOperation?: LastOperation | undefined
}

/** The last operation sent from this machine. */
interface LastOperation {
  readonly operation: string
  readonly state: keyof typeof STATES
  readonly amountMinor: number | undefined
  readonly currencyCode: string | undefined
  readonly at: string
}

const STATES = {
  sending: 'being sent',
  'in-doubt': 'in doubt',
  confirmed: 'done',
  rejected: 'rejected',
  abandoned: 'abandoned',
} as const

export interface PaymentChoices {
  readonly heading: string
  readonly choices: readonly PaymentChoice[]
}

interface PaymentChoice {
  readonly value: string
  readonly text: string
  readonly keywords: string
  readonly aliases: readonly string[]
}

/** One line per payment, no wider than the prompt. Payments without an ID or without a remaining amount are left out. */
export function renderPaymentChoices(
  payments: readonly OfferedPayment[],
  {
    width,
    timeZone,
    action,
  }: Pick<RenderOptions, 'width' | 'timeZone'> & { readonly action?: ActionName | undefined },
): PaymentChoices {
  const offered = payments.filter(
    (payment) => payment.id !== undefined && payment.id !== '' && leftOf(payment, action) !== 0,
  )
  const { heading, lines } = renderChoiceTable(columnsFor(timeZone, action), offered, width)
  return {
    heading,
    choices: offered.map(({ id = '', orderId = '', customerId = '' }, at) => ({
      value: id,
      text: lines[at] ?? id,
      // The column may not have fitted.
      keywords: customerId,
      aliases: [orderId],
    })),
  }
}

/** What is left for the action; undefined if it uses nothing up, or if that is unknown. */
function leftOf(payment: OfferedPayment, action: ActionName | undefined): number | undefined {
  const left = leftFor(action)
  if (left === null) return undefined
  const figures = deriveAmounts(payment)
  // During settlement the captured amount may lag behind.
  return left === 'leftToRefund' && figures.captured === 0 ? undefined : figures[left]
}

const leftFor = (action: ActionName | undefined) => (action === undefined ? null : actionOf(action).left)

const columnsFor = (
  timeZone: string | undefined,
  action: ActionName | undefined,
): readonly Column<OfferedPayment>[] => [
  { title: 'ID', text: ({ id }) => formatField(id) ?? '' },
  ...(leftFor(action) === null
    ? []
    : [
        {
          title: `LEFT TO ${action?.toUpperCase()}`,
          text: (entry: OfferedPayment) =>
            formatAmount(leftOf(entry, action), entry.currencyCode) ??
            (entry.amount === undefined ? '' : 'unknown'),
          align: 'right' as const,
        },
      ]),
  {
    title: leftFor(action) === null ? 'AMOUNT' : 'OF',
    text: (entry) => formatAmount(entry.amount, entry.currencyCode) ?? '',
    align: 'right',
    ...(leftFor(action) === null ? {} : { drop: 5 }),
  },
  { title: 'STATUS', text: ({ status }) => formatStatus(status) },
  { title: 'ORDER', text: ({ orderId }) => formatField(orderId) ?? '', drop: 1 },
  {
    title: 'REFUNDED',
    text: ({ processor, currencyCode }) =>
      formatAmount(processor?.amountRefunded || undefined, currencyCode) ?? '',
    align: 'right',
    drop: 3,
  },
  { title: 'CREATED', text: ({ date }) => formatMinute(date, timeZone) ?? '', drop: 2 },
  {
    title: 'LAST DONE HERE',
    text: ({ lastOperation }) => formatLastOperation(lastOperation, timeZone),
    drop: 4,
  },
]

/** `refund 5.00 EUR, done 2026-03-01 12:05`. */
function formatLastOperation(last: LastOperation | undefined, timeZone: string | undefined): string {
  if (last === undefined) return ''
  const { operation, state, amountMinor, currencyCode, at } = last
  const what = [formatField(operation).replace(/^payment\./, ''), formatAmount(amountMinor, currencyCode)]
  return `${joinParts(what, ' ')}, ${STATES[state]} ${formatMinute(at, timeZone) ?? ''}`
}
