import type { Payment, PaymentList, PaymentSummary } from '../../api/models/payment.ts'
import { renderDetails } from '../../output/details.ts'
import type { Detail } from '../../output/details.ts'
import { renderTable } from '../../output/table.ts'
import type { Column } from '../../output/table.ts'
import type { RenderOptions, View } from '../../output/view.ts'
import { methodText, methodWithExpiry } from '../payment-method.ts'
import { orderDetails } from '../order.ts'
import { figuresOf } from './amounts.ts'
import { metadataDetails, shown, shownMoney, shownWords, withNote, yesOrNo } from '../format-fields.ts'
import { paintedStatus, reasonText, statusText, statusTone } from '../status.ts'
import { lastRefundText, transactionsTable } from './transactions.ts'
import { shownTime, shownTimeIn } from '../format-time.ts'

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
        [
          whatItIs(payment, options),
          orderDetails(payment.order, payment.currencyCode),
          whatItMoved(payment),
          howItIsPaid(payment),
          metadataDetails(payment.metadata),
        ],
        options.paint,
        options.width,
      ),
      transactionsTable(payment, options),
    ]
      .filter((part) => part !== '')
      .join('\n\n'),
}

function whatItIs(payment: Payment, { paint, timeZone }: RenderOptions): readonly Detail[] {
  const { requiredAction } = payment
  return [
    ['Payment', shown(payment.id)],
    ['Status', paintedStatus(payment.status, paint)],
    ['Reason', reasonText(payment.statusReason)],
    ['Waits for', withNote(shown(requiredAction?.name), shownWords(requiredAction?.description))],
    // It opens the checkout: its place, and not itself.
    [
      'Client token',
      requiredAction?.clientToken === undefined ? undefined : 'requiredAction.clientToken, with --json',
    ],
    ['Order', shown(payment.orderId)],
    ['Customer', shown(payment.customerId)],
    ['Created', shownTime(payment.date, timeZone)],
  ]
}

function whatItMoved(payment: Payment): readonly Detail[] {
  const { captured, released, refunded, leftToCapture, leftToRefund } = figuresOf(payment)
  const money = (amountMinor: number | undefined) => shownMoney(amountMinor, payment.currencyCode)
  return [
    ['Amount', money(payment.amount)],
    ['Captured', money(captured)],
    ['Released', money(released || undefined)],
    ['Refunded', money(refunded)],
    // Nothing left is no news: it is seen from the figures above.
    ['Left to capture', money(leftToCapture || undefined)],
    ['Left to refund', money(leftToRefund || undefined)],
    ['Last refund', lastRefundText(payment)],
  ]
}

function howItIsPaid({ paymentMethod, processor, riskData }: Payment): readonly Detail[] {
  const threeDSecure = paymentMethod?.threeDSecureAuthentication
  const fraud = riskData?.fraudCheck
  return [
    ['Method', methodWithExpiry(paymentMethod)],
    ['Payment type', shown(paymentMethod?.paymentType)],
    ['Authorization', shown(paymentMethod?.authorizationType)],
    [
      'Saved',
      withNote(
        yesOrNo(paymentMethod?.isVaulted),
        paymentMethod?.isVaulted === true
          ? 'its token: paymentMethod.paymentMethodToken, with --json'
          : undefined,
      ),
    ],
    ['3-D Secure', withNote(shown(threeDSecure?.responseCode), shownWords(threeDSecure?.reasonText))],
    ['Descriptor', shownWords(paymentMethod?.descriptor)],
    ['Processor', withNote(shown(processor?.name), shown(processor?.processorMerchantId))],
    ['Fraud check', withNote(shown(fraud?.preAuthorizationResult), shown(fraud?.source))],
  ]
}

export const paymentListView: View<PaymentList> = {
  ids: ({ data }) => data.flatMap(({ id }) => (id === undefined ? [] : [id])),
  itemsKey: 'data',
  csvColumns: CSV_COLUMNS,
  render: ({ data, nextCursor }, options) => {
    if (data.length === 0) return 'No payments found.'
    const table = renderTable(columnsFor(options), data, options)
    return nextCursor === undefined ? table : `${table}\n\n… and more: --all lists every one.`
  },
}

const columnsFor = (options: RenderOptions): readonly Column<PaymentSummary>[] => [
  { title: 'ID', text: ({ id }) => shown(id) ?? '', tone: () => 'strong' },
  { title: 'STATUS', text: ({ status }) => statusText(status), tone: ({ status }) => statusTone(status) },
  { title: 'AMOUNT', text: (entry) => shownMoney(entry.amount, entry.currencyCode) ?? '', align: 'right' },
  { title: 'CAPTURED', text: (entry) => processed(entry, 'amountCaptured'), align: 'right', drop: 5 },
  { title: 'REFUNDED', text: (entry) => processed(entry, 'amountRefunded'), align: 'right', drop: 4 },
  { title: 'ORDER', text: ({ orderId }) => shown(orderId) ?? '', drop: 1 },
  { title: 'CUSTOMER', text: ({ customerId }) => shown(customerId) ?? '', drop: 6 },
  { title: 'METHOD', text: ({ paymentMethod }) => methodText(paymentMethod) ?? '', drop: 3 },
  { title: 'CREATED', text: ({ date }) => shownTimeIn(date, options) ?? '', drop: 2 },
]

const processed = (
  { processor, currencyCode }: PaymentSummary,
  figure: 'amountCaptured' | 'amountRefunded',
) => shownMoney(processor?.[figure], currencyCode) ?? ''
