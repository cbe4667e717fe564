import type { ExternalPayment } from '../../api/models/external-payment.ts'
import { renderDetails } from '../../output/details.ts'
import type { View } from '../../output/view.ts'
import { metadataDetails, shown, shownMoney, shownWords, withNote } from '../shown.ts'
import { paintedStatus, reasonText } from '../status.ts'
import { shownTime } from '../when.ts'

/** The record of a payment made elsewhere. */
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
          ['External payment', shown(record.paymentId)],
          ['Status', paintedStatus(record.status, paint)],
          ['Reason', reasonText(record.statusReason)],
          ['Order', withNote(shown(order?.id), shown(order?.countryCode))],
          ['Amount', shownMoney(record.amount, record.currencyCode)],
          ['Created', shownTime(record.createdAt, timeZone)],
        ],
        [
          ['Method', withNote(shown(paymentMethod?.paymentMethodType), shown(network))],
          ['Payment type', shown(record.paymentType)],
          ['3-D Secure', shown(paymentMethod?.threeDSecureAuthentication?.responseCode)],
          ['Descriptor', shownWords(record.descriptor)],
          ['Processor', withNote(shown(processor?.name), shown(processor?.merchantId))],
        ],
        metadataDetails(record.metadata),
      ],
      paint,
      width,
    )
  },
}
