import { read } from '../../page/service.ts'
import type { ShownRecord } from '../../../sandbox/domain/records.ts'
import type { PaymentRecord } from '../../../api/models/external-payment.ts'
import { Link } from '../parts/link.tsx'
import { PageFrame } from '../parts/page-frame.tsx'
import { Empty, Failure, FetchState } from '../parts/states.tsx'
import { useFetched } from '../parts/use-fetched.ts'
import { PaymentView } from './payment-view.tsx'
import type { ComponentChild } from 'preact'
import { formatField, formatFreeText, joinParts } from '../../../views/format-fields.ts'
import { formatTime } from '../../page/format.ts'
import { Details } from '../parts/details.tsx'
import { Status } from '../parts/status.tsx'
import { accountOf, Metadata, reasonOf, words } from './payment-details.tsx'
import { CopyId, PaymentHeading } from './payment-heading.tsx'
import { PaymentRequests } from './payment-requests.tsx'

/** A payment or an external record, kept up to date. */
export function PaymentPage({ id }: { readonly id: string }) {
  const fetched = useFetched(
    (signal) => read<ShownRecord>('/sandbox/record', { query: { id }, signal }),
    [id],
  )
  const { data, error, reload } = fetched
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
        <FetchState what="the payment" of={fetched} />
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
    <PageFrame
      title={id}
      heading={
        <PaymentHeading
          id={id}
          amount={record.amount}
          currencyCode={record.currencyCode}
          status={<Status status={status} />}
        />
      }
      below={<CopyId id={id} />}
    >
      {failure}
      <p class="headline">External record: this payment was made outside the sandbox.</p>
      <Details
        entries={[
          ['Reason', reasonOf(statusReason)],
          ['Created', formatTime(record.createdAt)],
          ['Order', formatField(order?.id)],
          ['Country', formatField(order?.countryCode)],
          ['Method', joinParts([words(paymentMethod?.paymentMethodType), words(network)])],
          ['Processor', accountOf(processor?.name, processor?.merchantId)],
          ['Payment type', words(record.paymentType)],
          ['Descriptor', formatFreeText(record.descriptor)],
        ]}
      />
      <Metadata metadata={metadata} />
      <PaymentRequests id={id} />
    </PageFrame>
  )
}
