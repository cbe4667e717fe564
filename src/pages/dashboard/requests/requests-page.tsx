import { useSignalEffect } from '@preact/signals'
import { useMemo, useRef } from 'preact/hooks'
import { ABSENT, countOf, formatTime, withoutZone } from '../../page/format.ts'
import { live } from '../../page/live.ts'
import { ComboBox, TextField } from '../parts/fields.tsx'
import { Link, paymentAddress, query, setQuery } from '../parts/router.tsx'
import { PageFrame } from '../parts/page-frame.tsx'
import { Newer, Pager, readOffset, useScrolled } from '../parts/pager.tsx'
import { Empty, FetchState } from '../parts/states.tsx'
import { Table } from '../parts/table.tsx'
import type { Column } from '../parts/table.tsx'
import { useFetched } from '../parts/use-fetched.ts'
import type { LoggedRequest } from '../../../sandbox/log/logged-request.ts'
import { RequestDialog } from './request-dialog.tsx'
import { RequestStatus } from '../parts/status.tsx'
import { groupThousands } from '../../../text/words.ts'
import { read } from '../../page/service.ts'

export function RequestsPage() {
  const { search = '', outcome = '', method = '', payment = '', request = '' } = query.value
  const known = useRef<{ payment: string; log: readonly LoggedRequest[] }>({ payment, log: [] })
  const fetched = useFetched(
    async (signal) => {
      const before = known.current.payment === payment ? known.current.log : []
      const log = await fetchLog(before, payment === '' ? undefined : payment, signal)
      known.current = { payment, log }
      return { payment, log }
    },
    [payment],
  )
  const { reload } = fetched
  // Those of another payment stay away while these load.
  const data = fetched.data?.payment === payment ? fetched.data.log : undefined
  const { latest } = live
  const shown = useRef(latest.peek())
  useSignalEffect(() => {
    if (latest.value === shown.current) return
    shown.current = latest.value
    reload()
  })
  const found = useMemo(
    () => (data === undefined ? [] : filterLog(data, { search, outcome, method })),
    [data, search, outcome, method],
  )
  return (
    <PageFrame
      title="Requests"
      actions={
        data === undefined ? null : (
          <p class="quiet count">
            {found.length === data.length ? '' : `${groupThousands(found.length)} of `}
            {countOf(data.length, 'request')}
          </p>
        )
      }
    >
      <div class="filters">
        <TextField
          label="Search requests"
          type="search"
          value={search}
          placeholder="Path, payment, error, key"
          shortcut="/"
          onChange={(value) => setQuery({ search: value, offset: undefined }, 'replace')}
        />
        <ComboBox
          label="Outcome"
          value={outcome}
          choices={OUTCOMES}
          onChange={(value) => setQuery({ outcome: value, offset: undefined }, 'push')}
        />
        <ComboBox
          label="Method"
          value={method}
          choices={METHODS}
          onChange={(value) => setQuery({ method: value, offset: undefined }, 'push')}
        />
        {payment === '' ? null : (
          <p class="only">
            Only payment <Link to={paymentAddress(payment)}>{payment}</Link>{' '}
            <button type="button" onClick={() => setQuery({ payment: undefined, offset: undefined }, 'push')}>
              Show all
            </button>
          </p>
        )}
      </div>
      <FetchState what="requests" of={{ ...fetched, data }} />
      {data === undefined ? null : found.length === 0 ? (
        <NothingFound isFiltered={data.length > 0} />
      ) : (
        <RequestTable rows={found} offset={readOffset(query.value['offset'])} isStill={request !== ''} />
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

const LIMIT = 100

interface RequestTableProps {
  readonly rows: readonly LoggedRequest[]
  readonly offset: number
  /** While a request is open, the rows below it stay where they are. */
  readonly isStill: boolean
}

/** Rows stay in place while the reader is further down; a button shows those that have arrived since. */
function RequestTable({ rows, offset, isStill }: RequestTableProps) {
  const isScrolled = useScrolled()
  const top = useRef<string | undefined>(undefined)
  const isRead = isStill || isScrolled || offset > 0
  const start = isRead ? rows.findIndex(({ requestId }) => requestId === top.current) : 0
  const newer = Math.max(0, start)
  if (start <= 0) top.current = rows[0]?.requestId
  return (
    <>
      <Newer count={isStill ? 0 : newer} noun="request" onShow={() => move(0)} />
      <Table
        label="Requests"
        isList
        columns={COLUMNS}
        rows={rows.slice(newer + offset, newer + offset + LIMIT)}
        keyOf={({ requestId }) => requestId}
      />
      <Pager what="requests" offset={offset} limit={LIMIT} total={rows.length - newer} onMove={move} />
    </>
  )
}

function move(to: number): void {
  setQuery({ offset: to === 0 ? undefined : String(to) }, 'push')
  window.scrollTo(0, 0)
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

const COLUMNS: readonly Column<LoggedRequest>[] = [
  {
    name: 'Request',
    phone: 'left',
    cell: ({ requestId, method, path }) => (
      <Link
        class="row-link"
        to={`?request=${encodeURIComponent(requestId)}`}
        open={() => setQuery({ request: requestId }, 'push')}
      >
        {method} {path}
      </Link>
    ),
  },
  { name: 'Status', width: '14rem', phone: 'left', cell: (entry) => <RequestStatus entry={entry} /> },
  { name: 'Fault', width: '6.5rem', from: 'medium', phone: 'none', cell: ({ fault }) => fault ?? ABSENT },
  {
    name: 'Applied',
    width: '5rem',
    from: 'medium',
    phone: 'none',
    cell: ({ applied }) => (applied ? 'yes' : 'no'),
  },
  {
    name: 'Duration',
    width: '5.5rem',
    from: 'medium',
    isFigure: true,
    phone: 'none',
    cell: ({ durationMs }) => (durationMs === undefined ? ABSENT : `${groupThousands(durationMs)} ms`),
  },
  { name: 'Key', width: '7rem', from: 'medium', phone: 'none', cell: ({ key }) => key ?? 'none' },
  { name: 'Time', width: '11.5rem', phone: 'left', cell: ({ at }) => withoutZone(formatTime(at)) },
]

/** The number of requests that the sandbox keeps. */
const MOST = 10_000
/** Enough for what arrives between two looks, unless the sandbox is very busy. */
const RECENT = 1000

/**
 * The whole log, newest first. Given what is known already, it asks only for what arrived since, unless too much did, or
 * the log was cleared.
 */
async function fetchLog(
  known: readonly LoggedRequest[],
  payment: string | undefined,
  signal: AbortSignal,
): Promise<readonly LoggedRequest[]> {
  const fetchNewest = async (limit: number) =>
    (
      await read<{ data: readonly LoggedRequest[] }>('/sandbox/requests', {
        query: { limit, payment },
        signal,
      })
    ).data
  const newest = known[0]
  if (newest === undefined) return fetchNewest(MOST)
  const recent = await fetchNewest(RECENT)
  const at = recent.findIndex(({ requestId }) => requestId === newest.requestId)
  if (at === -1) return fetchNewest(MOST)
  return at === 0 ? known : [...recent.slice(0, at), ...known].slice(0, MOST)
}

const OUTCOMES = [
  { value: '', label: 'Any' },
  { value: 'success', label: 'Success' },
  { value: 'refused', label: 'Refused (4xx)' },
  { value: 'failed', label: 'Failed (5xx)' },
  { value: 'none', label: 'No response' },
  { value: 'fault', label: 'Met a fault' },
  { value: 'applied', label: 'Applied' },
] as const

const METHODS = [
  { value: '', label: 'Any' },
  ...['GET', 'POST', 'PATCH', 'DELETE'].map((value) => ({ value, label: value })),
]

const HAS_OUTCOME: Readonly<Record<string, (entry: LoggedRequest) => boolean>> = {
  success: ({ status = 0 }) => status >= 200 && status < 300,
  refused: ({ status = 0 }) => status >= 400 && status < 500,
  failed: ({ status = 0 }) => status >= 500,
  none: ({ status }) => status === undefined,
  fault: ({ fault }) => fault !== undefined,
  applied: ({ applied }) => applied,
}

/** Every word must occur in the method, path, payment, key, operation or error. */
function filterLog(
  entries: readonly LoggedRequest[],
  {
    search = '',
    outcome = '',
    method: wanted = '',
  }: {
    readonly search?: string | undefined
    readonly outcome?: string | undefined
    readonly method?: string | undefined
  },
): readonly LoggedRequest[] {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const hasOutcome = HAS_OUTCOME[outcome]
  if (words.length === 0 && hasOutcome === undefined && wanted === '') return entries
  return entries.filter((entry) => {
    if (hasOutcome?.(entry) === false || (wanted !== '' && entry.method !== wanted)) return false
    if (words.length === 0) return true
    const { method, path, payment, key, operation, errorId, idempotencyKey, requestId, status } = entry
    const text = [method, path, payment, key, operation, errorId, idempotencyKey, requestId, status]
      .join(' ')
      .toLowerCase()
    return words.every((word) => text.includes(word))
  })
}
