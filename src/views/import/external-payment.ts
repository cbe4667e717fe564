import type { ExternalPayment, PaymentRecord } from '../../api/models/external-payment.ts'
import { renderDetails } from '../../output/details.ts'
import type { Detail } from '../../output/details.ts'
import { renderTable } from '../../output/table.ts'
import type { Column } from '../../output/table.ts'
import type { RenderOptions, View } from '../../output/view.ts'
import { metadataDetails, formatField, formatAmount, formatFreeText, addNote } from '../format-fields.ts'
import { formatReason, formatStyle, paintStyle, styleOfPayment, toneOf } from '../payment/status.ts'
import { formatTime, formatTimeForTable } from '../format-time.ts'

const CSV_COLUMNS = [
  'paymentId',
  'status',
  'order.id',
  'currencyCode',
  'amount',
  'createdAt',
  'processor.name',
  'paymentMethod.paymentMethodType',
]
const RECORD_COLUMNS = [...CSV_COLUMNS, 'source', 'amountAuthorized', 'amountCaptured', 'amountRefunded']

/** The record of a payment made elsewhere. */
export const externalPaymentView: View<ExternalPayment> = {
  ids: ({ paymentId }) => (paymentId === undefined ? [] : [paymentId]),
  csvColumns: CSV_COLUMNS,
  render: (record, options) => renderRecord('External payment', record, options),
}

function renderRecord(
  title: string,
  record: ExternalPayment,
  { paint, width, timeZone }: RenderOptions,
  amounts: readonly Detail[] = [],
): string {
  const { paymentMethod, processor, order } = record
  const network = paymentMethod?.data?.binData?.network
  return renderDetails(
    { paint, width },
    [
      [title, formatField(record.paymentId)],
      ['Status', paintStyle(styleOfRecord(record), paint)],
      ['Reason', formatReason(record.statusReason)],
      ['Order', addNote(formatField(order?.id), formatField(order?.countryCode))],
      ['Amount', formatAmount(record.amount, record.currencyCode)],
      ['Created', formatTime(record.createdAt, timeZone)],
    ],
    amounts,
    [
      ['Method', addNote(formatField(paymentMethod?.paymentMethodType), formatField(network))],
      ['Payment type', formatField(record.paymentType)],
      ['3-D Secure', formatField(paymentMethod?.threeDSecureAuthentication?.responseCode)],
      ['Descriptor', formatFreeText(record.descriptor)],
      ['Processor', addNote(formatField(processor?.name), formatField(processor?.merchantId))],
    ],
    metadataDetails(record.metadata),
  )
}

const styleOfRecord = ({ status, amountCaptured, amountRefunded }: Partial<PaymentRecord>) =>
  status === undefined
    ? undefined
    : styleOfPayment(status, { captured: amountCaptured, refunded: amountRefunded })

/** The record of any payment, with its source. */
export const recordView: View<PaymentRecord> = {
  ids: externalPaymentView.ids,
  csvColumns: RECORD_COLUMNS,
  render: (record, options) => {
    const { source, currencyCode, amountAuthorized, amountCaptured, amountRefunded } = record
    return renderRecord(source === 'payments' ? 'Payment' : 'External payment', record, options, [
      ['Authorized', formatAmount(amountAuthorized, currencyCode)],
      ['Captured', formatAmount(amountCaptured, currencyCode)],
      ['Refunded', formatAmount(amountRefunded, currencyCode)],
      ['Source', formatField(source)],
    ])
  },
}

export const recordListView: View<{
  readonly data: readonly PaymentRecord[]
  readonly nextCursor?: string | undefined
}> = {
  ids: ({ data }) => data.flatMap(({ paymentId }) => paymentId ?? []),
  itemsKey: 'data',
  csvColumns: RECORD_COLUMNS,
  render: ({ data, nextCursor }, options) => {
    if (data.length === 0) return 'No records found.'
    const table = renderTable(columnsFor(options), data, options)
    return nextCursor === undefined ? table : `${table}\n\n… and more: --all lists every one.`
  },
}

const columnsFor = (options: RenderOptions): readonly Column<PaymentRecord>[] => [
  { title: 'ID', text: ({ paymentId }) => formatField(paymentId) ?? '', tone: () => 'strong' },
  { title: 'SOURCE', text: ({ source }) => formatField(source) ?? '', drop: 1 },
  {
    title: 'STATUS',
    text: (entry) => formatStyle(styleOfRecord(entry)),
    tone: (entry) => toneOf(styleOfRecord(entry)),
  },
  { title: 'AMOUNT', text: (entry) => formatAmount(entry.amount, entry.currencyCode) ?? '', align: 'right' },
  { title: 'ORDER', text: ({ order }) => formatField(order?.id) ?? '', drop: 2 },
  { title: 'PROCESSOR', text: ({ processor }) => formatField(processor?.name) ?? '', drop: 4 },
  {
    title: 'METHOD',
    text: ({ paymentMethod }) => formatField(paymentMethod?.paymentMethodType) ?? '',
    drop: 5,
  },
  { title: 'CREATED', text: ({ createdAt }) => formatTimeForTable(createdAt, options) ?? '', drop: 3 },
]
