import type { Payment } from '../../../api/models/payment.ts'
import { formatField, formatFreeText, formatYesNo, joinParts } from '../../../views/format-fields.ts'
import { formatRedactedValue } from '../../../output/redacted-value.ts'
import { formatMethodWithExpiry } from '../../../views/payment-method.ts'
import { writeQuery } from '../../page/send.ts'
import type { StatusReason } from '../../../api/models/status-reason.ts'
import { formatTime, formatAmount } from '../../page/format.ts'
import { firstInWords, processorName, wordsOf } from '../../page/words.ts'
import { Breakable } from '../parts/breakable.tsx'
import { Details } from '../parts/details.tsx'
import type { Detail } from '../parts/details.tsx'
import { Link } from '../parts/router.tsx'
import { Table } from '../parts/table.tsx'
import { extraRows, lineTotal } from '../../../views/order.ts'
import { capitalize } from '../../../text/words.ts'

/** Everything else that the payment says. Tokens stay hidden. */
export function PaymentDetails({ payment }: { readonly payment: Payment }) {
  const { customer, metadata = {}, order } = payment
  return (
    <section aria-label="Details">
      <h2>Details</h2>
      <Details
        entries={[
          ['Name', formatFreeText(joinParts([customer?.firstName, customer?.lastName], ' '))],
          ['E-mail', formatFreeText(customer?.emailAddress)],
          ['Customer', linkTo('customer', payment.customerId)],
          ['Order', linkTo('order', payment.orderId)],
          ['Created', formatTime(payment.date)],
          ['Country', formatField(order?.countryCode)],
          ...method(payment),
          ['Phone', formatFreeText(customer?.mobileNumber)],
          ['Billing address', addressOf(customer?.billingAddress)],
          ['Shipping address', addressOf(customer?.shippingAddress)],
        ]}
      />
      <LineItems payment={payment} />
      <Metadata metadata={metadata} heading="h3" />
    </section>
  )
}

interface MetadataProps {
  readonly metadata: Readonly<Record<string, unknown>>
  /** The level of its heading. */
  readonly heading: 'h2' | 'h3'
}

export function Metadata({ metadata, heading: Heading }: MetadataProps) {
  const entries = Object.entries(metadata)
  return entries.length === 0 ? null : (
    <>
      <Heading>Metadata</Heading>
      <Details entries={entries.map(([key, value]) => [formatField(key), formatRedactedValue(key, value)])} />
    </>
  )
}

function method({ paymentMethod, processor, riskData }: Payment): readonly Detail[] {
  const threeDSecure = paymentMethod?.threeDSecureAuthentication
  const fraud = riskData?.fraudCheck
  return [
    ['Method', firstInWords(formatMethodWithExpiry(paymentMethod) ?? '')],
    ['Payment type', words(paymentMethod?.paymentType)],
    ['Authorization', words(paymentMethod?.authorizationType)],
    ['Saved', capitalize(formatYesNo(paymentMethod?.isVaulted) ?? '')],
    [
      '3-D Secure',
      joinParts([words(threeDSecure?.responseCode), formatFreeText(threeDSecure?.reasonText)], ': '),
    ],
    ['Descriptor', formatFreeText(paymentMethod?.descriptor)],
    ['Processor', accountOf(processor?.name, processor?.processorMerchantId)],
    ['Fraud check', joinParts([words(fraud?.preAuthorizationResult), nameOf(fraud?.source)], ' by ')],
  ]
}

export const words = (code: string | undefined): string | undefined =>
  code === undefined ? undefined : wordsOf(formatField(code))

const nameOf = (name: string | undefined): string | undefined =>
  name === undefined ? undefined : processorName(formatField(name))

/** `Sandbox Alpha, account alpha-1` */
export const accountOf = (name: string | undefined, account: string | undefined): string =>
  joinParts([nameOf(name), account === undefined ? undefined : `account ${formatField(account)}`])

/** `Insufficient funds: The issuer declined the payment.` */
export const reasonOf = (reason: StatusReason | undefined): string | undefined =>
  reason === undefined ? undefined : joinParts([words(reason.code), formatFreeText(reason.message)], ': ')

const linkTo = (name: 'order' | 'customer', id: string | undefined) =>
  id === undefined ? undefined : (
    <Link to={`/dashboard/payments${writeQuery({ [name]: id })}`}>
      <Breakable text={formatField(id)} />
    </Link>
  )

type Address = NonNullable<Payment['customer']>['billingAddress']

function addressOf(address: Address): string | undefined {
  if (address === undefined) return undefined
  const { firstName, lastName, addressLine1, addressLine2, postalCode, city, state, countryCode } = address
  const parts = [
    joinParts([firstName, lastName], ' '),
    addressLine1,
    addressLine2,
    joinParts([postalCode, city], ' '),
    state,
    countryCode,
  ]
  return formatFreeText(joinParts(parts))
}

/** The items, then what is added to them: together they are the amount. */
function LineItems({ payment: { order = {}, amount: total, currencyCode } }: { readonly payment: Payment }) {
  const rows = (order.lineItems ?? []).map((item, index) => ({ ...item, index }))
  if (rows.length === 0) return null
  const extras = extraRows(order, total)
  type Item = (typeof rows)[number]
  // Only the sums have the currency: with it in each column, the table is wider than the page.
  const figure = (amountMinor: number | bigint | undefined) =>
    amountMinor === undefined ? '' : formatAmount(amountMinor, currencyCode).split(' ')[0]
  return (
    <>
      <h3>Line items</h3>
      <Table
        label="Line items"
        keyOf={({ index }) => String(index)}
        rows={rows}
        columns={[
          {
            name: 'Item',
            cell: ({ name, description, itemId }) => formatFreeText(name ?? description ?? itemId),
          },
          { name: 'Quantity', isFigure: true, cell: ({ quantity }) => quantity ?? 1 },
          { name: 'Price', isFigure: true, cell: ({ amount }) => figure(amount) },
          ...EXTRAS.filter(({ field }) => rows.some((row) => row[field] !== undefined)).map(
            ({ name, field }) => ({
              name,
              isFigure: true,
              cell: (row: Item) => figure(row[field]),
            }),
          ),
          {
            name: 'Total',
            isFigure: true,
            cell: (item) => figure(lineTotal(item)),
          },
        ]}
      />
      <dl class="money sums">
        {[...extras, { label: 'Total', amount: total }].map(({ label, amount }, index) => (
          <div key={index}>
            <dt>{words(label)}</dt>
            <dd>{formatAmount(amount, currencyCode)}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

/** Columns that most orders don't need. */
const EXTRAS = [
  { name: 'Discount', field: 'discountAmount' },
  { name: 'Tax', field: 'taxAmount' },
] as const
