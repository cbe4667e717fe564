import type { Payment, PaymentList, PaymentSummary, Transaction } from '../../api/models/payment.ts'
import { renderDetails } from '../../output/details.ts'
import type { Detail } from '../../output/details.ts'
import { renderTable } from '../../output/table.ts'
import type { Column } from '../../output/table.ts'
import type { RenderOptions, View } from '../../output/view.ts'
import { formatMethod, formatMethodWithExpiry } from '../payment-method.ts'
import { orderDetails } from '../order.ts'
import { deriveAmounts } from './amounts.ts'
import { customerDetails } from './customer.ts'
import {
  metadataDetails,
  formatField,
  formatAmount,
  formatFreeText,
  addNote,
  formatYesNo,
  joinParts,
} from '../format-fields.ts'
import {
  formatReason,
  formatStatus,
  formatStyle,
  paintStyle,
  statusTone,
  styleOfSummary,
  toneOf,
} from './status.ts'
import { formatTime, formatTimeForTable } from '../format-time.ts'
import { transactionTypeOf } from '../../api/payment-states.ts'
import { describeRefundReason, isRefund } from './refunds.ts'

const CSV_COLUMNS = [
  'id',
  'status',
  'orderId',
  'currencyCode',
  'amount',
  'date',
  'customerId',
  'processor.name',
  'processor.processorMerchantId',
  'processor.amountCaptured',
  'processor.amountRefunded',
  'paymentMethod.paymentMethodType',
  'paymentMethod.paymentMethodData.network',
  'paymentMethod.paymentMethodData.last4Digits',
  'paymentMethod.paymentType',
  'paymentMethod.descriptor',
  'metadata',
] as const

export const paymentView: View<Payment> = {
  ids: ({ id }) => (id === undefined ? [] : [id]),
  csvColumns: CSV_COLUMNS,
  render: (payment, options) =>
    [
      renderDetails(
        options,
        identityDetails(payment, options),
        orderDetails(payment.order, payment.currencyCode),
        amountDetails(payment),
        methodDetails(payment),
        metadataDetails(payment.metadata),
      ),
      renderTransactions(payment, options),
    ]
      .filter((part) => part !== '')
      .join('\n\n'),
}

function identityDetails(payment: Payment, { paint, timeZone }: RenderOptions): readonly Detail[] {
  const { requiredAction } = payment
  return [
    ['Payment', formatField(payment.id)],
    ['Status', paintStyle(styleOfSummary(payment), paint)],
    ['Reason', formatReason(payment.statusReason)],
    ['Waits for', addNote(formatField(requiredAction?.name), formatFreeText(requiredAction?.description))],
    // The token opens the checkout, so the page names only where to find it.
    [
      'Client token',
      requiredAction?.clientToken === undefined ? undefined : 'requiredAction.clientToken, with --json',
    ],
    ['Order', formatField(payment.orderId)],
    ...customerDetails(payment),
    ['Created', formatTime(payment.date, timeZone)],
  ]
}

function amountDetails(payment: Payment): readonly Detail[] {
  const { captured, released, refunded, leftToCapture, leftToRefund } = deriveAmounts(payment)
  const money = (amountMinor: number | undefined) => formatAmount(amountMinor, payment.currencyCode)
  return [
    ['Amount', money(payment.amount)],
    ['Captured', money(captured)],
    ['Released', money(released || undefined)],
    ['Refunded', money(refunded)],
    // Zero is left out: the amounts above already show it.
    ['Left to capture', money(leftToCapture || undefined)],
    ['Left to refund', money(leftToRefund || undefined)],
    ['Last refund', formatLastRefund(payment)],
  ]
}

function methodDetails({ paymentMethod, processor, riskData }: Payment): readonly Detail[] {
  const threeDSecure = paymentMethod?.threeDSecureAuthentication
  const fraud = riskData?.fraudCheck
  return [
    ['Method', formatMethodWithExpiry(paymentMethod)],
    ['Payment type', formatField(paymentMethod?.paymentType)],
    ['Authorization', formatField(paymentMethod?.authorizationType)],
    [
      'Saved',
      addNote(
        formatYesNo(paymentMethod?.isVaulted),
        paymentMethod?.isVaulted === true
          ? 'its token: paymentMethod.paymentMethodToken, with --json'
          : undefined,
      ),
    ],
    [
      '3-D Secure',
      addNote(formatField(threeDSecure?.responseCode), formatFreeText(threeDSecure?.reasonText)),
    ],
    ['Descriptor', formatFreeText(paymentMethod?.descriptor)],
    ['Processor', addNote(formatField(processor?.name), formatField(processor?.processorMerchantId))],
    ['Fraud check', addNote(formatField(fraud?.preAuthorizationResult), formatField(fraud?.source))],
  ]
}

export const paymentListView: View<PaymentList> = {
  ids: ({ data }) => data.flatMap(({ id }) => (id === undefined ? [] : [id])),
  itemsKey: 'data',
  csvColumns: CSV_COLUMNS,
  render: ({ data, nextCursor }, options) => {
    if (data.length === 0) return 'No payments found.'
    const table = renderTable(columnsFor(options), data, options)
    return nextCursor === undefined ? table : `${table}\n\n… and more: --all lists them all.`
  },
}

const columnsFor = (options: RenderOptions): readonly Column<PaymentSummary>[] => [
  { title: 'ID', text: ({ id }) => formatField(id) ?? '', tone: () => 'strong' },
  {
    title: 'STATUS',
    text: (entry) => formatStyle(styleOfSummary(entry)),
    tone: (entry) => toneOf(styleOfSummary(entry)),
  },
  { title: 'AMOUNT', text: (entry) => formatAmount(entry.amount, entry.currencyCode) ?? '', align: 'right' },
  { title: 'CAPTURED', text: (entry) => formatProcessed(entry, 'amountCaptured'), align: 'right', drop: 5 },
  { title: 'REFUNDED', text: (entry) => formatProcessed(entry, 'amountRefunded'), align: 'right', drop: 4 },
  { title: 'ORDER', text: ({ orderId }) => formatField(orderId) ?? '', drop: 1 },
  { title: 'CUSTOMER', text: ({ customerId }) => formatField(customerId) ?? '', drop: 6 },
  { title: 'METHOD', text: ({ paymentMethod }) => formatMethod(paymentMethod) ?? '', drop: 3 },
  { title: 'CREATED', text: ({ date }) => formatTimeForTable(date, options) ?? '', drop: 2 },
]

const formatProcessed = (
  { processor, currencyCode }: PaymentSummary,
  figure: 'amountCaptured' | 'amountRefunded',
) => formatAmount(processor?.[figure], currencyCode) ?? ''

/** One line per transaction at the processor; empty if there are none. */
function renderTransactions(payment: Payment, options: RenderOptions): string {
  const { transactions = [], currencyCode } = payment
  return transactions.length === 0
    ? ''
    : renderTable(transactionColumns(currencyCode, options), transactions, options)
}

const transactionColumns = (
  currencyCode: string | undefined,
  options: RenderOptions,
): readonly Column<Transaction>[] => [
  { title: 'TRANSACTION', text: (entry) => formatField(transactionTypeOf(entry)) ?? '' },
  {
    title: 'STATUS',
    text: ({ processorStatus }) => formatStatus(processorStatus),
    tone: ({ processorStatus }) => statusTone(processorStatus),
  },
  { title: 'AMOUNT', text: (entry) => amountOf(entry, currencyCode) ?? '', align: 'right' },
  { title: 'TIME', text: ({ date }) => formatTimeForTable(date, options) ?? '', drop: 1 },
  { title: 'PROCESSOR', text: ({ processorName }) => formatField(processorName) ?? '', drop: 3 },
  {
    title: 'PROCESSOR ID',
    text: ({ processorTransactionId }) => formatField(processorTransactionId) ?? '',
    drop: 4,
  },
  { title: 'ORDER', text: ({ orderId }) => formatField(orderId) ?? '', drop: 5 },
  { title: 'REASON', text: (entry) => describeRefundReason(entry) ?? '', drop: 2, wraps: true },
]

/** `5.00 EUR, … Pending (damaged in transit)`: the newest refund. */
function formatLastRefund({ transactions = [], currencyCode }: Payment): string | undefined {
  const refund = newest(transactions.filter(isRefund))
  if (refund === undefined) return undefined
  const parts = [amountOf(refund, currencyCode), formatStatus(refund.processorStatus)]
  return addNote(joinParts(parts), describeRefundReason(refund))
}

/** The newest entry. Dates of one service compare as text; without dates the later entry is newer. */
function newest(entries: readonly Transaction[]): Transaction | undefined {
  return entries.reduce<Transaction | undefined>(
    (best, entry) =>
      best !== undefined && (entry.date ?? best.date ?? '') < (best.date ?? '') ? best : entry,
    undefined,
  )
}

const amountOf = (entry: Transaction, currencyCode: string | undefined) =>
  formatAmount(entry.amount, entry.currencyCode ?? currencyCode)
