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

/** Which remaining amount the command uses. */
export type RemainingFor = 'capture' | 'refund'

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
    left,
  }: Pick<RenderOptions, 'width' | 'timeZone'> & { readonly left?: RemainingFor | undefined },
): PaymentChoices {
  const offered = payments.filter(
    (payment) => payment.id !== undefined && payment.id !== '' && leftOf(payment, left) !== 0,
  )
  const { heading, lines } = renderChoiceTable(columnsFor(timeZone, left), offered, width)
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

/** The remaining amount; undefined if none was requested or it is unknown. */
function leftOf(payment: OfferedPayment, left: RemainingFor | undefined): number | undefined {
  if (left === undefined) return undefined
  const { captured, leftToCapture, leftToRefund } = deriveAmounts(payment)
  if (left === 'capture') return leftToCapture
  // During settlement the captured amount may lag behind.
  return captured === 0 ? undefined : leftToRefund
}

const columnsFor = (
  timeZone: string | undefined,
  left: RemainingFor | undefined,
): readonly Column<OfferedPayment>[] => [
  { title: 'ID', text: ({ id }) => formatField(id) ?? '' },
  ...(left === undefined
    ? []
    : [
        {
          title: `LEFT TO ${left.toUpperCase()}`,
          text: (entry: OfferedPayment) =>
            formatAmount(leftOf(entry, left), entry.currencyCode) ??
            (entry.amount === undefined ? '' : 'unknown'),
          align: 'right' as const,
        },
      ]),
  {
    title: left === undefined ? 'AMOUNT' : 'OF',
    text: (entry) => formatAmount(entry.amount, entry.currencyCode) ?? '',
    align: 'right',
    ...(left === undefined ? {} : { drop: 5 }),
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
