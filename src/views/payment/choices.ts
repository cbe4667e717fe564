import { actionOf } from '../../api/actions/actions.ts'
import type { ActionName } from '../../api/actions/actions.ts'
import type { PaymentSummary } from '../../api/models/payment.ts'
import type { Tone } from '../../output/paint.ts'
import type { Column } from '../../output/table.ts'
import type { RenderOptions } from '../../output/view.ts'
import { renderChoiceTable } from '../choice-table.ts'
import { deriveAmounts } from './amounts.ts'
import { formatField, formatAmount, joinParts } from '../format-fields.ts'
import { formatStyle, styleOfSummary, toneOf } from './status.ts'
import { formatMinute } from '../format-time.ts'
import { formatMethod } from '../payment-method.ts'

export interface PaymentChoices {
  readonly heading: string
  readonly choices: readonly PaymentChoice[]
}

interface PaymentChoice {
  readonly value: string
  readonly text: string
  readonly keywords: string
  readonly aliases: readonly string[]
  /** The status in the text, and what it means. */
  readonly tint: { readonly text: string; readonly tone: Tone } | undefined
}

/** One line per payment, no wider than the prompt. Payments without an ID or without a remaining amount are left out. */
export function renderPaymentChoices(
  payments: readonly PaymentSummary[],
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
    choices: offered.map((payment, at) => {
      const { id = '', orderId = '', customerId = '' } = payment
      return {
        value: id,
        text: lines[at] ?? id,
        // The column may not have fitted.
        keywords: customerId,
        aliases: [orderId],
        tint: tintOf(payment),
      }
    }),
  }
}

function tintOf(payment: PaymentSummary): PaymentChoice['tint'] {
  const style = styleOfSummary(payment)
  const tone = toneOf(style)
  return tone === undefined ? undefined : { text: formatStyle(style), tone }
}

/** What is left for the action; undefined if it uses nothing up, or if that is unknown. */
function leftOf(payment: PaymentSummary, action: ActionName | undefined): number | undefined {
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
): readonly Column<PaymentSummary>[] => [
  { title: 'ID', text: ({ id }) => formatField(id) ?? '' },
  ...(leftFor(action) === null
    ? []
    : [
        {
          title: `LEFT TO ${action?.toUpperCase()}`,
          text: (entry: PaymentSummary) =>
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
  { title: 'STATUS', text: (entry) => formatStyle(styleOfSummary(entry)) },
  { title: 'ORDER', text: ({ orderId }) => formatField(orderId) ?? '', drop: 1 },
  {
    title: 'REFUNDED',
    text: ({ processor, currencyCode }) =>
      formatAmount(processor?.amountRefunded || undefined, currencyCode) ?? '',
    align: 'right',
    drop: 3,
  },
  { title: 'CREATED', text: ({ date }) => formatMinute(date, timeZone) ?? '', drop: 2 },
]

/** The payments of one order, described so that you can tell them apart. */
interface OrderMatches {
  readonly heading: string
  /** Table rows below the heading. */
  readonly lines: readonly string[]
  /** `x1: ✓ Settled, 10.00 EUR, VISA •••• 1111, 2026-03-01 12:00 UTC` */
  readonly sentences: readonly string[]
}

export function renderOrderMatches(
  payments: readonly PaymentSummary[],
  { width, timeZone }: Pick<RenderOptions, 'width' | 'timeZone'>,
): OrderMatches {
  const cells = payments.map((entry) => ({
    id: formatField(entry.id) ?? '',
    status: formatStyle(styleOfSummary(entry)),
    amount: formatAmount(entry.amount, entry.currencyCode) ?? '',
    method: formatMethod(entry.paymentMethod) ?? '',
    created: formatMinute(entry.date, timeZone) ?? '',
  }))
  const { heading, lines } = renderChoiceTable(
    [
      { title: 'ID', text: ({ id }) => id },
      { title: 'STATUS', text: ({ status }) => status },
      { title: 'AMOUNT', text: ({ amount }) => amount, align: 'right' },
      { title: 'METHOD', text: ({ method }) => method, drop: 2 },
      { title: 'CREATED', text: ({ created }) => created, drop: 1 },
    ],
    cells,
    width,
  )
  const sentences = cells.map(({ id, ...rest }) => `${id}: ${joinParts(Object.values(rest))}`)
  return { heading, lines, sentences }
}
