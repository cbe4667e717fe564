import { call } from '../../page/service.ts'
import type { Payment } from '../../../../api/models/payment.ts'
import type { PaymentRecord } from '../../../../api/models/external-payment.ts'
import { Link } from '../parts/link.tsx'
import { PageFrame } from '../parts/page-frame.tsx'
import { Empty, Failure, Loading } from '../parts/states.tsx'
import { useFetched } from '../parts/use-fetched.ts'
import { PaymentView } from './payment-view.tsx'
import type { ComponentChild } from 'preact'
import { formatRedactedValue } from '../../../../output/redacted-value.ts'
import { formatField, formatFreeText, joinParts } from '../../../../views/format-fields.ts'
import { formatReason } from '../../../../views/status.ts'
import { formatAmount, formatTime } from '../../page/format.ts'
import { Details } from '../parts/details.tsx'
import { Status } from '../parts/status.tsx'
import { PaymentRequests } from './payment-requests.tsx'

type ShownRecord =
  | { readonly source: 'payments'; readonly payment: Payment }
  | { readonly source: 'external'; readonly record: PaymentRecord }

/** A payment or an external record, kept up to date. */
export function PaymentPage({ id }: { readonly id: string }) {
  const { data, error, reload } = useFetched(
    (signal) => call<ShownRecord>('GET', '/sandbox/record', undefined, { query: { id }, signal }),
    [id],
  )
  if (error?.errorId === 'EntityNotFound')
    return (
      <PageFrame title={id}>
        <Empty title="The sandbox has no payment with this ID.">
          <p>
            <Link to="/dashboard/payments">Show all payments</Link>
          </p>
        </Empty>
      </PageFrame>
    )
  if (data === undefined)
    return (
      <PageFrame title={id}>
        {error === undefined ? <Loading what="the payment" /> : <Failure error={error} onRetry={reload} />}
      </PageFrame>
    )
  const failure = error === undefined ? null : <Failure error={error} onRetry={reload} />
  return data.source === 'payments' ? (
    <PaymentView id={id} payment={data.payment} failure={failure} onChanged={reload} />
  ) : (
    <RecordView id={id} record={data.record} failure={failure} />
  )
}

interface RecordViewProps {
  readonly id: string
  readonly record: PaymentRecord
  readonly failure: ComponentChild
}

/** An external record: the payment was made elsewhere, so it has no actions here. */
function RecordView({ id, record, failure }: RecordViewProps) {
  const { status, statusReason, processor, order, paymentMethod, metadata = {} } = record
  const network = paymentMethod?.data?.binData?.network
  return (
    <PageFrame title={id}>
      {failure}
      <p class="headline">
        <Status status={status} /> <span>External record: this payment was made outside the sandbox.</span>
      </p>
      <Details
        entries={[
          ['Amount', formatAmount(record.amount, record.currencyCode)],
          ['Reason', formatReason(statusReason)],
          ['Created', formatTime(record.createdAt)],
          ['Order', formatField(order?.id)],
          ['Country', formatField(order?.countryCode)],
          ['Method', joinParts([formatField(paymentMethod?.paymentMethodType), formatField(network)], ' · ')],
          ['Processor', joinParts([formatField(processor?.name), formatField(processor?.merchantId)], ' · ')],
          ['Payment type', formatField(record.paymentType)],
          ['Descriptor', formatFreeText(record.descriptor)],
        ]}
      />
      {Object.keys(metadata).length === 0 ? null : (
        <section>
          <h2>Metadata</h2>
          <Details
            entries={Object.entries(metadata).map(([key, value]) => [
              formatField(key),
              formatRedactedValue(key, value),
            ])}
          />
        </section>
      )}
      <PaymentRequests id={id} />
    </PageFrame>
  )
}
