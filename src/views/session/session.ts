import type { Session } from '../../api/models/session.ts'
import { renderDetails } from '../../output/details.ts'
import type { View } from '../../output/view.ts'
import { orderDetails, surchargeDetails } from '../order.ts'
import { metadataDetails, shown, shownMoney, shownWords, withNote, yesOrNo } from '../format-fields.ts'
import { shownTime } from '../format-time.ts'

/** The client token is in the answer of a create only, and shown whole there: it is what the command is for. */
export const sessionView: View<Session> = {
  ids: ({ clientToken }) => (clientToken === undefined ? [] : [clientToken]),
  csvColumns: ['clientToken', 'clientTokenExpirationDate', 'orderId', 'currencyCode', 'amount', 'customerId'],
  render: (session, { paint, width, timeZone }) => {
    const { paymentMethod, customer } = session
    return renderDetails(
      [
        [
          ['Client token', shown(session.clientToken)],
          ['Expires', shownTime(session.clientTokenExpirationDate, timeZone)],
          ...warningsOf(session).map((warning) => ['Warning', paint(`! ${warning}`, 'warn')] as const),
        ],
        [
          ['Order', shown(session.orderId)],
          ...orderDetails(session.order, session.currencyCode),
          ['Amount', shownMoney(session.amount, session.currencyCode)],
          ...surchargeDetails(paymentMethod?.options, session.currencyCode),
          ['Currency', session.amount === undefined ? shown(session.currencyCode) : undefined],
          ['Country', shown(session.order?.countryCode)],
          ['Customer', withNote(shown(session.customerId), shownWords(customer?.emailAddress))],
        ],
        [
          ['Payment type', shown(paymentMethod?.paymentType)],
          ['Authorization', shown(paymentMethod?.authorizationType)],
          ['Save on success', yesOrNo(paymentMethod?.vaultOnSuccess)],
          ['Descriptor', shownWords(paymentMethod?.descriptor)],
        ],
        metadataDetails(session.metadata),
      ],
      paint,
      width,
    )
  },
}

/** One, or a list of them. */
function warningsOf({ warnings = [] }: Session): readonly string[] {
  const all = Array.isArray(warnings) ? warnings : [warnings]
  return all.flatMap(({ code, type }) => withNote(shown(code), shown(type)) ?? [])
}
