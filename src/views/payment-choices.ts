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
  'id' | 'status' | 'orderId' | 'amount' | 'currencyCode' | 'date' | 'customerId' | 'processor'
> & {
  readonly deed?: Deed | undefined
}

/** What was last done to it from this machine. */
export interface Deed {
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
  readonly findBy: string
  readonly known: readonly string[]
}

/** A line for each, as wide as a prompt has room for; those without an id cannot be chosen. */
export function paymentChoices(
  payments: readonly OfferedPayment[],
  { width, timeZone }: Pick<RenderOptions, 'width' | 'timeZone'>,
): PaymentChoices {
  const offered = payments.filter(({ id }) => id !== undefined && id !== '')
  const [heading = '', ...lines] = renderTable(columnsFor(timeZone), offered, {
    width: width === undefined ? undefined : width - CHOICE_MARK,
    paint: plainPaint,
    linesOnly: true,
  }).split('\n')
  return {
    heading,
    choices: offered.map(({ id = '', orderId = '', customerId = '' }, at) => ({
      value: id,
      text: lines[at] ?? id,
      // A column may have had no room.
      findBy: customerId,
      known: [orderId],
    })),
  }
}

/** What a prompt puts before each line: a mark, or a number. */
export const CHOICE_MARK = 6

const columnsFor = (timeZone: string | undefined): readonly Column<OfferedPayment>[] => [
  { title: 'ID', text: ({ id }) => shown(id) ?? '' },
  { title: 'AMOUNT', text: (entry) => shownMoney(entry.amount, entry.currencyCode) ?? '', align: 'right' },
  { title: 'STATUS', text: ({ status }) => statusText(status) },
  { title: 'ORDER', text: ({ orderId }) => shown(orderId) ?? '', drop: 1 },
  {
    title: 'REFUNDED',
    text: ({ processor, currencyCode }) =>
      shownMoney(processor?.amountRefunded || undefined, currencyCode) ?? '',
    align: 'right',
    drop: 3,
  },
  { title: 'CREATED', text: ({ date }) => shownMinute(date, timeZone) ?? '', drop: 2 },
  { title: 'LAST DONE HERE', text: ({ deed }) => deedText(deed, timeZone), drop: 4 },
]

/** `refund 5.00 EUR, done 2026-03-01 12:05`. */
function deedText(deed: Deed | undefined, timeZone: string | undefined): string {
  if (deed === undefined) return ''
  const { operation, state, amountMinor, currencyCode, at } = deed
  const what = [shown(operation).replace(/^payment\./, ''), shownMoney(amountMinor, currencyCode)]
  return `${what.filter(Boolean).join(' ')}, ${STATES[state]} ${shownMinute(at, timeZone) ?? ''}`
}
