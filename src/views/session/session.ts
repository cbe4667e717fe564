import type { Session } from '../../api/models/session.ts'
import { renderDetails } from '../../output/details.ts'
import type { View } from '../../output/view.ts'
import { orderDetails, surchargeDetails } from '../order.ts'
import {
  metadataDetails,
  formatField,
  formatAmount,
  formatFreeText,
  addNote,
  formatYesNo,
} from '../format-fields.ts'
import { formatTime } from '../format-time.ts'

/** Shows the client token in full: only a create returns it, and it is the purpose of that command. */
export const sessionView: View<Session> = {
  ids: ({ clientToken }) => (clientToken === undefined ? [] : [clientToken]),
  csvColumns: ['clientToken', 'clientTokenExpirationDate', 'orderId', 'currencyCode', 'amount', 'customerId'],
  render: (session, { paint, width, timeZone }) => {
    const { paymentMethod, customer } = session
    return renderDetails(
      { paint, width },
      [
        ['Client token', formatField(session.clientToken)],
        ['Expires', formatTime(session.clientTokenExpirationDate, timeZone)],
        ...warningsOf(session).map((warning) => ['Warning', paint(`! ${warning}`, 'warn')] as const),
      ],
      [
        ['Order', formatField(session.orderId)],
        ...orderDetails(session.order, session.currencyCode),
        ['Amount', formatAmount(session.amount, session.currencyCode)],
        ...surchargeDetails(paymentMethod?.options, session.currencyCode),
        ['Currency', session.amount === undefined ? formatField(session.currencyCode) : undefined],
        ['Country', formatField(session.order?.countryCode)],
        ['Customer', addNote(formatField(session.customerId), formatFreeText(customer?.emailAddress))],
      ],
      [
        ['Payment type', formatField(paymentMethod?.paymentType)],
        ['Authorization', formatField(paymentMethod?.authorizationType)],
        ['Save on success', formatYesNo(paymentMethod?.vaultOnSuccess)],
        ['Descriptor', formatFreeText(paymentMethod?.descriptor)],
      ],
      metadataDetails(session.metadata),
    )
  },
}

/** Reads the warnings, of which the service returns one or a list. */
function warningsOf({ warnings = [] }: Session): readonly string[] {
  const all = Array.isArray(warnings) ? warnings : [warnings]
  return all.flatMap(({ code, type }) => addNote(formatField(code), formatField(type)) ?? [])
}
