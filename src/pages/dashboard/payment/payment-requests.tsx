import type { LoggedRequest } from '../../../sandbox/log/logged-request.ts'
import { read } from '../../page/service.ts'
import { formatTime, withoutZone } from '../../page/format.ts'
import { writeQuery } from '../../page/send.ts'
import { Link } from '../parts/link.tsx'
import { Empty, Failure } from '../parts/states.tsx'
import { RequestStatus } from '../parts/status.tsx'
import { Table } from '../parts/table.tsx'
import { useFetched } from '../parts/use-fetched.ts'

/** The requests that concerned the payment, as long as the log keeps them. */
export function PaymentRequests({ id }: { readonly id: string }) {
  const { data, error, reload } = useFetched(
    (signal) =>
      read<{ data: readonly LoggedRequest[] }>('/sandbox/requests', { query: { payment: id }, signal }),
    [id],
  )
  return (
    <section>
      <h2>Requests</h2>
      {error === undefined ? null : <Failure error={error} onRetry={reload} />}
      {data?.data.length === 0 ? <Empty title="The log has no request for this payment." /> : null}
      {data === undefined || data.data.length === 0 ? null : (
        <Table
          label="Requests"
          rows={data.data}
          keyOf={({ requestId }) => requestId}
          isList
          columns={[
            {
              name: 'Request',
              phone: 'left',
              cell: ({ requestId, method, path }) => (
                <Link
                  class="row-link"
                  to={`/dashboard/requests${writeQuery({ payment: id, request: requestId })}`}
                >
                  {method} {path}
                </Link>
              ),
            },
            {
              name: 'Status',
              width: '14rem',
              phone: 'left',
              cell: (entry) => <RequestStatus entry={entry} />,
            },
            { name: 'Time', width: '11.5rem', phone: 'left', cell: ({ at }) => withoutZone(formatTime(at)) },
          ]}
        />
      )}
    </section>
  )
}
