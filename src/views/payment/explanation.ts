import type { Payment } from '../../api/models/payment.ts'
import { renderIndentedDetails } from '../../output/details.ts'
import type { LabelledText } from '../../output/details.ts'
import { wrapWords } from '../../output/wrap.ts'
import { renderTable } from '../../output/table.ts'
import type { RenderOptions, View } from '../../output/view.ts'
import type { DeclineExplanation } from './decline.ts'
import { RETRY_TEXTS, describeDeclineType } from './decline.ts'
import { formatMethodWithExpiry } from '../payment-method.ts'
import type { AmountSummary } from './amount-summary.ts'
import { describeNotAuthorized } from './amounts.ts'
import { customerDetails } from './customer.ts'
import { formatOperationAmount, isOpen, describeState } from '../ops/state.ts'
import type { OperationRecord } from '../../client/ledger/record.ts'
import type { PaymentAction } from './actions.ts'
import { joinParts, formatField, formatAmount, formatFreeText, addNote } from '../format-fields.ts'
import { formatStatus, formatStyle, statusTone, styleOfSummary, toneOf } from './status.ts'
import { describeStandout } from './stands-out.ts'
import type { Standout } from './stands-out.ts'
import type { TimelineEntry } from './timeline.ts'
import { formatTime, formatTimeForTable } from '../format-time.ts'
import { pluralize } from '../../text/words.ts'
import { plainWord } from '../../text/shell-word.ts'

export interface ExplainedAction extends PaymentAction {
  /** Why this machine would refuse it; null where no reason is known. */
  readonly blocked: string | null
}

/** `failed_later`: a refund that the service accepted, and that then failed. Left out for any other write. */
export type ExplainedOperation = OperationRecord & { readonly verdict?: 'failed_later' }

/** What `pay payment explain` shows. `-o json` has the same parts, with the payment as the service wrote it. */
export interface Explanation {
  readonly payment: Payment
  readonly headline: string
  readonly standsOut: readonly Standout[]
  readonly timeline: readonly TimelineEntry[]
  /** Null unless the payment is DECLINED or FAILED. */
  readonly decline: DeclineExplanation | null
  readonly figures: AmountSummary
  readonly actions: readonly ExplainedAction[]
  /** Open operations first; null if the ledger was not read: a team's is asked for writes only. */
  readonly ledger: readonly ExplainedOperation[] | null
}

export const explanationView: View<Explanation> = {
  ids: ({ payment: { id } }) => (id === undefined ? [] : [id]),
  render: (explanation, options) =>
    [
      summaryLines(explanation, options),
      section('What stands out', standoutLines(explanation, options), options),
      section('What happened', timelineLines(explanation, options), options),
      section(
        explanation.payment.status === 'FAILED' ? 'Why it failed' : 'Why it was declined',
        declineLines(explanation, options),
        options,
      ),
      section('Amounts', moneyLines(explanation, options), options),
      section(
        explanation.ledger === null ? 'In the ledger' : 'On this machine',
        ledgerLines(explanation, options),
        options,
      ),
      section('What you can do now', actionLines(explanation, options), options),
    ]
      .filter((part) => part !== '')
      .join('\n\n'),
}

function section(title: string, lines: readonly string[], { paint }: RenderOptions): string {
  return lines.length === 0 ? '' : [paint(title, 'strong'), ...lines].join('\n')
}

function summaryLines({ payment, headline }: Explanation, options: RenderOptions): string {
  const { id, orderId, paymentMethod } = payment
  const style = styleOfSummary(payment)
  const lines = renderIndentedDetails(
    [
      { label: 'Payment', text: formatField(id) },
      { label: 'Status', text: formatStyle(style), tone: toneOf(style) },
      { label: 'Order', text: formatField(orderId) },
      ...customerDetails(payment).map(([label, text]) => ({ label, text })),
      { label: 'Method', text: formatMethodWithExpiry(paymentMethod) },
      { label: 'Type', text: describePaymentType(paymentMethod?.paymentType) },
    ],
    options,
  )
  const sentence = wrapWords(headline, options.width).map((line) => options.paint(line, 'strong'))
  return [...sentence, ...(lines.length === 0 ? [] : ['']), ...lines].join('\n')
}

/** What a payment was for, where that is not the usual purchase in a shop's checkout. */
const PAYMENT_TYPES: Readonly<Record<string, string>> = {
  FIRST_PAYMENT: 'the first of a subscription or series, or its card was saved',
  SUBSCRIPTION: 'one of a subscription',
  UNSCHEDULED: 'by the merchant, with stored details',
  MOTO: 'a mail or telephone order',
  IN_STORE: 'in a store',
}

const describePaymentType = (type: string | undefined): string | undefined =>
  type === undefined || PAYMENT_TYPES[type] === undefined
    ? undefined
    : addNote(formatField(type), PAYMENT_TYPES[type])

function standoutLines({ standsOut }: Explanation, options: RenderOptions): readonly string[] {
  return renderIndentedDetails(
    standsOut.map((one) => ({
      label: '',
      text: `! ${describeStandout(one, options.timeZone)}`,
      tone: 'warn',
    })),
    options,
  )
}

function timelineLines({ timeline }: Explanation, options: RenderOptions): readonly string[] {
  const { paint, timeZone } = options
  const lines = renderIndentedDetails(
    timeline.map(({ at, words: text }) => ({ label: formatTime(at ?? undefined, timeZone) ?? '', text })),
    options,
  )
  // Only the status is painted; its mark and word carry the meaning without colour.
  const statuses = new Set(timeline.flatMap(({ event, status }) => (event === '3ds' ? [] : [status ?? ''])))
  return lines.map((line) =>
    [...statuses].reduce((text, status) => {
      const tone = statusTone(status)
      const words = formatStatus(status)
      return status === '' || tone === undefined ? text : text.replace(words, () => paint(words, tone))
    }, line),
  )
}

const RETRY_MARKS = {
  later: '✓',
  customer: '…',
  'other-method': '✗',
  'look-first': '!',
  unknown: '?',
} as const

function declineLines({ decline }: Explanation, options: RenderOptions): readonly string[] {
  if (decline === null) return []
  const { code, type, declineType, message, means, retry, advice } = decline
  const kinds = joinParts([formatField(declineType ?? ''), formatField(type ?? '')])
  const { text: words, tone } = RETRY_TEXTS[retry]
  return renderIndentedDetails(
    [
      { label: 'Reason', text: addNote(formatField(code ?? undefined), kinds) },
      { label: 'Meaning', text: means },
      { label: 'Kind', text: describeDeclineType(declineType) },
      { label: 'Message', text: message ?? undefined },
      { label: 'Try again', text: `${RETRY_MARKS[retry]} ${words}`, tone },
      { label: 'Advice', text: advice },
    ],
    options,
  )
}

function moneyLines({ payment, figures }: Explanation, options: RenderOptions): readonly string[] {
  const { asked, authorized, captured, released, refunded, leftToCapture, leftToRefund } = figures
  const money = (amountMinor: number | null) =>
    amountMinor === null ? undefined : formatAmount(amountMinor, payment.currencyCode)
  const { count, amount } = figures.refundsNotFinal
  const notFinal = count === 0 ? undefined : `${money(amount) ?? pluralize(count, 'refund')} not final yet`
  const rows: readonly LabelledText[] = [
    { label: 'Requested', text: money(asked) ?? 'unknown' },
    { label: 'Authorized', text: money(authorized) ?? describeNotAuthorized(payment) },
    { label: 'Captured', text: money(captured) ?? 'unknown' },
    { label: 'Released', text: money(released || null) },
    { label: 'Refunded', text: addNote(money(refunded) ?? 'unknown', notFinal) },
    { label: 'Left to capture', text: money(leftToCapture || null) },
    { label: 'Left to refund', text: money(leftToRefund || null) },
  ]
  return renderIndentedDetails(rows, options)
}

const styleOf = (row: ExplainedOperation) =>
  row.verdict === 'failed_later' ? ({ text: '✗ failed later', tone: 'bad' } as const) : describeState(row)

/** Most finished operations to show; `pay ops list` has the rest. */
const MAX_FINISHED_SHOWN = 10

/** An operation recorded without a currency is in the payment's currency. */
export const withPaymentCurrency = (
  { currencyCode }: Payment,
  operation: OperationRecord,
): OperationRecord => ({
  ...operation,
  currencyCode: operation.currencyCode ?? currencyCode ?? null,
})

function ledgerLines({ ledger, payment }: Explanation, options: RenderOptions): readonly string[] {
  if (ledger === null) {
    const text = `Not read. It may have open writes: pay ops list --target ${plainWord(payment.id) ?? 'ID'}`
    return renderIndentedDetails([{ label: '', text }], options)
  }
  if (ledger.length === 0)
    return renderIndentedDetails(
      [{ label: '', text: 'This machine has sent no operations for this payment.' }],
      options,
    )
  const open = ledger.filter(isOpen)
  const finished = ledger.filter((operation) => !isOpen(operation))
  const rows = [...open, ...finished.slice(0, MAX_FINISHED_SHOWN)]
  const table = renderTable(
    [
      { title: 'STATE', text: (row) => styleOf(row).text, tone: (row) => styleOf(row).tone },
      { title: 'OPERATION', text: ({ operation }) => formatField(operation) },
      {
        title: 'AMOUNT',
        text: (row) => formatOperationAmount(withPaymentCurrency(payment, row)) ?? '',
        align: 'right',
      },
      {
        title: 'WHEN',
        text: ({ createdAt }) => formatTimeForTable(createdAt, options) ?? '',
        drop: 1,
      },
      { title: 'BY', text: ({ user }) => formatField(user), drop: 2 },
      { title: 'REASON', text: ({ reason }) => formatFreeText(reason ?? undefined) ?? '', drop: 3 },
    ],
    rows,
    { paint: options.paint, width: options.width === undefined ? undefined : options.width - 2 },
  )
  const more = finished.length - MAX_FINISHED_SHOWN
  return [
    ...table.split('\n').map((line) => `  ${line}`),
    ...(more > 0 ? [`  … and ${more} more: pay ops list --target ${plainWord(payment.id) ?? 'ID'}`] : []),
  ]
}

function actionLines({ actions }: Explanation, options: RenderOptions): readonly string[] {
  const { paint } = options
  return actions.flatMap(({ words, command, blocked }) => [
    ...renderIndentedDetails([{ label: '', text: words }], options),
    ...(blocked === null
      ? []
      : renderIndentedDetails([{ label: '', text: `! ${blocked}`, tone: 'warn' }], options)),
    `    ${paint(command, 'accent')}`,
  ])
}
