import type { PaymentSummary } from '../../api/models/payment.ts'
import type { Column } from '../../output/table.ts'
import type { RenderOptions } from '../../output/view.ts'
import { choiceLines } from '../choice-lines.ts'
import { figuresOf } from './figures.ts'
import { joined, shown, shownMoney } from '../shown.ts'
import { statusText } from '../status.ts'
import { shownMinute } from '../when.ts'

/** A payment to choose: as the service lists it, or only as this machine remembers it. */
export type OfferedPayment = Pick<
  PaymentSummary,
  'id' | 'status' | 'orderId' | 'amount' | 'currencyCode' | 'date' | 'customerId' | 'processor'
> & {
  readonly deed?: Deed | undefined
}

/** What was last done to it from this machine. */
interface Deed {
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

/** What a command takes from. */
export type LeftTo = 'capture' | 'refund'

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

/** A line for each, as wide as a prompt has room for; those without an id cannot be chosen. */
export function paymentChoices(
  payments: readonly OfferedPayment[],
  {
    width,
    timeZone,
    left,
  }: Pick<RenderOptions, 'width' | 'timeZone'> & { readonly left?: LeftTo | undefined },
): PaymentChoices {
  const offered = payments.filter(
    (payment) => payment.id !== undefined && payment.id !== '' && leftOf(payment, left) !== 0,
  )
  const { heading, lines } = choiceLines(columnsFor(timeZone, left), offered, width)
  return {
    heading,
    choices: offered.map(({ id = '', orderId = '', customerId = '' }, at) => ({
      value: id,
      text: lines[at] ?? id,
      // A column may have had no room.
      keywords: customerId,
      aliases: [orderId],
    })),
  }
}

/** Undefined when `left` isn't asked for or the list doesn't say. */
function leftOf(payment: OfferedPayment, left: LeftTo | undefined): number | undefined {
  if (left === undefined) return undefined
  const { captured, leftToCapture, leftToRefund } = figuresOf(payment)
  if (left === 'capture') return leftToCapture
  // While it is being settled the captured figure may still lag behind.
  return captured === 0 ? undefined : leftToRefund
}

const columnsFor = (
  timeZone: string | undefined,
  left: LeftTo | undefined,
): readonly Column<OfferedPayment>[] => [
  { title: 'ID', text: ({ id }) => shown(id) ?? '' },
  ...(left === undefined
    ? []
    : [
        {
          title: `LEFT TO ${left.toUpperCase()}`,
          text: (entry: OfferedPayment) =>
            shownMoney(leftOf(entry, left), entry.currencyCode) ??
            (entry.amount === undefined ? '' : 'unknown'),
          align: 'right' as const,
        },
      ]),
  {
    title: left === undefined ? 'AMOUNT' : 'OF',
    text: (entry) => shownMoney(entry.amount, entry.currencyCode) ?? '',
    align: 'right',
    ...(left === undefined ? {} : { drop: 5 }),
  },
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
  return `${joined(what, ' ')}, ${STATES[state]} ${shownMinute(at, timeZone) ?? ''}`
}
