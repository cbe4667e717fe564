import { useMemo, useRef } from 'preact/hooks'
import { ABSENT, formatCount, formatTime } from '../../page/format.ts'
import { ComboBox, TextField } from '../parts/fields.tsx'
import { Link, paymentAddress } from '../parts/link.tsx'
import { PageFrame } from '../parts/page-frame.tsx'
import { query, setQuery } from '../parts/router.ts'
import { Empty, Failure, Loading } from '../parts/states.tsx'
import { useFetched } from '../parts/use-fetched.ts'
import { fetchLog, filterLog, OUTCOMES } from './request-log.ts'
import type { LoggedRequest } from './request-log.ts'
import { RequestDialog } from './request-dialog.tsx'
import { RequestStatus } from './request-status.tsx'
import { VirtualTable } from './virtual-table.tsx'
import type { VirtualColumn } from './virtual-table.tsx'

export function RequestsPage() {
  const { search = '', outcome = '', payment = '', request = '' } = query.value
  const known = useRef<{ payment: string; log: readonly LoggedRequest[] }>({ payment, log: [] })
  const { data, error, reload } = useFetched(
    async (signal) => {
      const before = known.current.payment === payment ? known.current.log : []
      const log = await fetchLog(before, payment === '' ? undefined : payment, signal)
      known.current = { payment, log }
      return log
    },
    [payment],
  )
  const found = useMemo(
    () => (data === undefined ? [] : filterLog(data, { search, outcome })),
    [data, search, outcome],
  )
  return (
    <PageFrame title="Requests">
      <div class="filters">
        <TextField
          label="Search requests"
          type="search"
          value={search}
          placeholder="Path, payment, error, key"
          onChange={(value) => setQuery({ search: value }, 'replace')}
        />
        <ComboBox
          label="Outcome"
          value={outcome}
          choices={OUTCOMES}
          onChange={(value) => setQuery({ outcome: value }, 'push')}
        />
        {payment === '' ? null : (
          <p class="only">
            Only payment <Link to={paymentAddress(payment)}>{payment}</Link>{' '}
            <button type="button" onClick={() => setQuery({ payment: undefined }, 'push')}>
              Show all
            </button>
          </p>
        )}
      </div>
      {error === undefined ? null : <Failure error={error} onRetry={reload} />}
      {data === undefined ? (
        error === undefined ? (
          <Loading what="requests" />
        ) : null
      ) : found.length === 0 ? (
        <NothingFound isFiltered={data.length > 0} />
      ) : (
        <>
          <p class="quiet shown" role="status">
            {formatCount(found.length)} of {formatCount(data.length)} requests
          </p>
          <VirtualTable
            label="Requests"
            columns={COLUMNS}
            rows={found}
            keyOf={({ requestId }) => requestId}
          />
        </>
      )}
      {request === '' ? null : (
        <RequestDialog
          key={request}
          requestId={request}
          onClose={() => setQuery({ request: undefined }, 'replace')}
        />
      )}
    </PageFrame>
  )
}

const NothingFound = ({ isFiltered }: { readonly isFiltered: boolean }) =>
  isFiltered ? (
    <Empty title="No request matches." />
  ) : (
    <Empty title="No requests yet.">
      <p>
        Send one: <code>pay --sandbox payment list</code>
      </p>
    </Empty>
  )

const COLUMNS: readonly VirtualColumn<LoggedRequest>[] = [
  {
    name: 'Request',
    cell: ({ requestId, method, path }) => (
      <a
        class="request"
        href={`?request=${encodeURIComponent(requestId)}`}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
          event.preventDefault()
          setQuery({ request: requestId }, 'push')
        }}
      >
        {method} {path}
      </a>
    ),
  },
  { name: 'Status', cell: (entry) => <RequestStatus entry={entry} /> },
  { name: 'Fault', cell: ({ fault }) => fault ?? ABSENT },
  { name: 'Applied', cell: ({ applied }) => (applied ? 'yes' : 'no') },
  {
    name: 'Duration',
    isFigure: true,
    cell: ({ durationMs }) => (durationMs === undefined ? ABSENT : `${formatCount(durationMs)} ms`),
  },
  { name: 'Key', cell: ({ key }) => key ?? 'none' },
  { name: 'Time', cell: ({ at }) => formatTime(at) },
]
