import type { PaymentSummary } from '../api/payment.ts'
import { plainPaint } from '../output/paint.ts'
import { renderTable } from '../output/table.ts'
import type { Column } from '../output/table.ts'
import type { RenderOptions } from '../output/view.ts'
import { shown, shownMoney } from './shown.ts'
import { statusText } from './status.ts'
import { shownMinute } from './when.ts'

/** A payment to choose: as the service lists it, or only as this machine remembers it. */
export type OfferedPayment = Pick<
  PaymentSummary,
  'id' | 'status' | 'orderId' | 'amount' | 'currencyCode' | 'date' | 'customerId'
> & {
  /** What was last done to it from here. */
  readonly deed?: string | undefined
}

export interface PaymentChoices {
  readonly heading: string
  readonly choices: readonly { readonly value: string; readonly text: string; readonly findBy: string }[]
}

/** A line for each, as wide as a prompt has room for; those without an id cannot be chosen. */
export function paymentChoices(
  payments: readonly OfferedPayment[],
  { width, timeZone }: Pick<RenderOptions, 'width' | 'timeZone'>,
): PaymentChoices {
  const offered = payments.filter(({ id }) => id !== undefined && id !== '')
  const [heading = '', ...lines] = renderTable(columnsFor(timeZone), offered, {
    width: width === undefined ? undefined : width - MARK,
    paint: plainPaint,
    linesOnly: true,
  }).split('\n')
  return {
    heading,
    choices: offered.map(({ id = '', orderId = '', customerId = '' }, at) => ({
      value: id,
      text: lines[at] ?? id,
      // A column may have had no room.
      findBy: `${orderId} ${customerId}`,
    })),
  }
}

/** What a prompt puts before each line: a mark, or a number. */
const MARK = 6

const columnsFor = (timeZone: string | undefined): readonly Column<OfferedPayment>[] => [
  { title: 'ID', text: ({ id }) => shown(id) ?? '' },
  { title: 'AMOUNT', text: (entry) => shownMoney(entry.amount, entry.currencyCode) ?? '', align: 'right' },
  { title: 'STATUS', text: ({ status }) => statusText(status) },
  { title: 'ORDER', text: ({ orderId }) => shown(orderId) ?? '', drop: 1 },
  { title: 'CREATED', text: ({ date }) => shownMinute(date, timeZone) ?? '', drop: 2 },
  { title: 'LAST DONE HERE', text: ({ deed }) => shown(deed) ?? '', drop: 3 },
]
