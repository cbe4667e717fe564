import { call } from '../../page/service.ts'
import type { Payment } from '../../../../api/models/payment.ts'
import type { PaymentRecord } from '../../../../api/models/external-payment.ts'
import { Link } from '../parts/link.tsx'
import { PageFrame } from '../parts/page-frame.tsx'
import { Empty, Failure, Loading } from '../parts/states.tsx'
import { useFetched } from '../parts/use-fetched.ts'
import { PaymentView } from './payment-view.tsx'
import { RecordView } from './record-view.tsx'

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
