import type { ExternalPayment } from '../../api/models/external-payment.ts'
import { renderDetails } from '../../output/details.ts'
import type { View } from '../../output/view.ts'
import { metadataDetails, formatField, formatAmount, formatFreeText, addNote } from '../format-fields.ts'
import { paintStatus, formatReason } from '../status.ts'
import { formatTime } from '../format-time.ts'

/** The record of a payment made outside the service. */
export const externalPaymentView: View<ExternalPayment> = {
  ids: ({ paymentId }) => (paymentId === undefined ? [] : [paymentId]),
  csvColumns: [
    'paymentId',
    'status',
    'order.id',
    'currencyCode',
    'amount',
    'createdAt',
    'processor.name',
    'paymentMethod.paymentMethodType',
  ],
  render: (record, { paint, width, timeZone }) => {
    const { paymentMethod, processor, order } = record
    const network = paymentMethod?.data?.binData?.network
    return renderDetails(
      [
        [
          ['External payment', formatField(record.paymentId)],
          ['Status', paintStatus(record.status, paint)],
          ['Reason', formatReason(record.statusReason)],
          ['Order', addNote(formatField(order?.id), formatField(order?.countryCode))],
          ['Amount', formatAmount(record.amount, record.currencyCode)],
          ['Created', formatTime(record.createdAt, timeZone)],
        ],
        [
          ['Method', addNote(formatField(paymentMethod?.paymentMethodType), formatField(network))],
          ['Payment type', formatField(record.paymentType)],
          ['3-D Secure', formatField(paymentMethod?.threeDSecureAuthentication?.responseCode)],
          ['Descriptor', formatFreeText(record.descriptor)],
          ['Processor', addNote(formatField(processor?.name), formatField(processor?.merchantId))],
        ],
        metadataDetails(record.metadata),
      ],
      paint,
      width,
    )
  },
}
