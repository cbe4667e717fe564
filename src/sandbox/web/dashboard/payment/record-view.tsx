import type { ComponentChild } from 'preact'
import type { PaymentRecord } from '../../../../api/models/external-payment.ts'
import { formatRedactedValue } from '../../../../output/redacted-value.ts'
import { formatField, formatFreeText, joinParts } from '../../../../views/format-fields.ts'
import { formatReason } from '../../../../views/status.ts'
import { formatAmount, formatTime } from '../../page/format.ts'
import { Details } from '../parts/details.tsx'
import { PageFrame } from '../parts/page-frame.tsx'
import { Status } from '../parts/status.tsx'
import { PaymentRequests } from './payment-requests.tsx'

interface RecordViewProps {
  readonly id: string
  readonly record: PaymentRecord
  readonly failure: ComponentChild
}

/** An external record: the payment was made elsewhere, so it has no actions here. */
export function RecordView({ id, record, failure }: RecordViewProps) {
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
