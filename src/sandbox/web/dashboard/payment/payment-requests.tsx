import { call } from '../../page/service.ts'
import { formatTime } from '../../page/format.ts'
import { writeQuery } from '../../page/send.ts'
import { Link } from '../parts/link.tsx'
import { Empty, Failure } from '../parts/states.tsx'
import { Table } from '../parts/table.tsx'
import { useFetched } from '../parts/use-fetched.ts'

interface LoggedRequest {
  readonly requestId: string
  readonly at: string
  readonly method: string
  readonly path: string
  readonly status?: number
  readonly errorId?: string
  readonly fault?: string
}

/** The requests that concerned the payment, as long as the log keeps them. */
export function PaymentRequests({ id }: { readonly id: string }) {
  const { data, error, reload } = useFetched(
    (signal) =>
      call<{ data: readonly LoggedRequest[] }>('GET', '/sandbox/requests', undefined, {
        query: { payment: id },
        signal,
      }),
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
          columns={[
            {
              name: 'Request',
              cell: ({ requestId, method, path }) => (
                <Link to={`/dashboard/requests${writeQuery({ payment: id, request: requestId })}`}>
                  {method} {path}
                </Link>
              ),
            },
            { name: 'Status', isFigure: true, cell: ({ status }) => status ?? 'no response' },
            { name: 'Error', cell: ({ errorId, fault }) => errorId ?? fault },
            { name: 'Time', cell: ({ at }) => formatTime(at) },
          ]}
        />
      )}
    </section>
  )
}
