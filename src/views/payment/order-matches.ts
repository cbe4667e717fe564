import type { PaymentSummary } from '../../api/models/payment.ts'
import type { RenderOptions } from '../../output/view.ts'
import { renderChoiceTable } from '../choice-table.ts'
import { formatMethod } from '../payment-method.ts'
import { joinParts, formatField, formatAmount } from '../format-fields.ts'
import { formatStatus } from './status.ts'
import { formatMinute } from '../format-time.ts'

/** The payments of one order, described so that you can tell them apart. */
export interface OrderMatches {
  readonly heading: string
  /** Table rows below the heading. */
  readonly lines: readonly string[]
  /** `x1: ✓ SETTLED, 10.00 EUR, VISA •••• 1111, 2026-03-01 12:00 UTC` */
  readonly sentences: readonly string[]
}

export function renderOrderMatches(
  payments: readonly PaymentSummary[],
  { width, timeZone }: Pick<RenderOptions, 'width' | 'timeZone'>,
): OrderMatches {
  const cells = payments.map((entry) => ({
    id: formatField(entry.id) ?? '',
    status: formatStatus(entry.status),
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
