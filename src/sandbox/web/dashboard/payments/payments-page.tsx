import { useEffect, useRef } from 'preact/hooks'
import { formatAmount, formatCount, formatMinute } from '../../page/format.ts'
import { Link, paymentAddress } from '../parts/link.tsx'
import { PageFrame } from '../parts/page-frame.tsx'
import { Pager, readOffset } from '../parts/pager.tsx'
import { query, scrollBack, setQuery } from '../parts/router.ts'
import type { Query } from '../parts/router.ts'
import { RowTable } from '../parts/row-table.tsx'
import { Empty, FetchState } from '../parts/states.tsx'
import { Status } from '../parts/status.tsx'
import type { Column } from '../parts/table.tsx'
import { useFetched } from '../parts/use-fetched.ts'
import { useScrolled } from '../parts/use-scrolled.ts'
import { Filters, FILTERS, FIRST_PAGE } from './filters.tsx'
import { call } from '../../page/service.ts'

const COLUMNS: readonly Column<RecordLine>[] = [
  {
    name: 'Payment',
    cell: ({ id, source }) => (
      <>
        <Link to={paymentAddress(id)}>{id}</Link>
        {source === 'external' ? <span class="tag">external</span> : null}
      </>
    ),
  },
  { name: 'Status', cell: ({ status }) => <Status status={status} /> },
  {
    name: 'Amount',
    isFigure: true,
    cell: ({ amount, currencyCode }) => formatAmount(amount, currencyCode),
  },
  { name: 'Method', cell: methodOf },
  { name: 'Order', cell: ({ orderId }) => orderId },
  { name: 'Customer', cell: ({ customerId }) => customerId },
  { name: 'Processor', cell: ({ processor }) => processor },
  { name: 'Created', cell: ({ date }) => formatMinute(date) },
]

function methodOf({ method, network, last4Digits }: RecordLine): string {
  const name = network ?? method ?? ''
  return last4Digits === undefined ? name : `${name} •••• ${last4Digits}`
}

const filtersIn = (given: Query): Query =>
  Object.fromEntries(FILTERS.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])))

export function PaymentsPage() {
  const filters = filtersIn(query.value)
  const offset = readOffset(query.value['offset'])
  const newest = useRef<string | undefined>(undefined)
  const isScrolled = useScrolled()
  // A list that is being read starts where it did: later payments are only counted.
  const start = query.value['start'] ?? (isScrolled ? newest.current : undefined)
  const fetched = useFetched(
    async (signal) => {
      const page = await fetchRecords(filters, { offset, start }, signal)
      if (offset === 0) newest.current = page.first
      return page
    },
    [JSON.stringify(filters), offset, start],
  )
  const { data } = fetched
  useScrollBack(data !== undefined)
  return (
    <PageFrame title="Payments" actions={<Count count={data && data.total + data.newer} />}>
      <Filters />
      <FetchState what="payments" of={fetched} />
      {data === undefined || data.newer === 0 ? null : (
        <div class="notice">
          <button type="button" class="primary" onClick={showNewest}>
            Show {formatCount(data.newer)} newer {data.newer === 1 ? 'payment' : 'payments'}
          </button>
        </div>
      )}
      {data === undefined ? null : data.total === 0 ? (
        <NoPayments />
      ) : (
        <>
          <RowTable
            label="Payments"
            class="payments"
            columns={COLUMNS}
            rows={data.data}
            keyOf={({ id }) => id}
          />
          <Pager
            what="payments"
            offset={offset}
            limit={LIMIT}
            total={data.total}
            onMove={(to) => {
              setQuery(to === 0 ? FIRST_PAGE : { offset: String(to), start: start ?? newest.current }, 'push')
              window.scrollTo(0, 0)
            }}
          />
        </>
      )}
    </PageFrame>
  )
}

function showNewest(): void {
  setQuery(FIRST_PAGE, 'push')
  window.scrollTo(0, 0)
}

function Count({ count }: { readonly count: number | undefined }) {
  if (count === undefined) return null
  return (
    <p class="quiet count">
      {formatCount(count)} {count === 1 ? 'payment' : 'payments'}
    </p>
  )
}

function NoPayments() {
  if (Object.keys(filtersIn(query.value)).length === 0)
    return (
      <Empty title="No payments yet.">
        <p>
          Create one:{' '}
          <code>pay --sandbox payment create --token tok_visa --amount '49.90 EUR' --order-id order-1</code>
        </p>
      </Empty>
    )
  return (
    <Empty title="No payment matches.">
      <button
        type="button"
        onClick={() =>
          setQuery({ ...Object.fromEntries(FILTERS.map((name) => [name, undefined])), ...FIRST_PAGE }, 'push')
        }
      >
        Clear filters
      </button>
    </Empty>
  )
}

/** Returns to where the page was scrolled, once its rows are there. */
function useScrollBack(isReady: boolean): void {
  const isDone = useRef(false)
  useEffect(() => {
    if (!isReady || isDone.current) return
    isDone.current = true
    scrollBack()
  }, [isReady])
}

/** One line of `GET /sandbox/records`. Amounts are in minor units. */
interface RecordLine {
  readonly id: string
  readonly source: 'payments' | 'external'
  readonly orderId?: string
  readonly customerId?: string
  readonly status?: string
  readonly amount?: number
  readonly currencyCode?: string
  readonly method?: string
  readonly network?: string
  readonly last4Digits?: string
  readonly processor?: string
  readonly date: string
}

interface RecordPage {
  /** From `start` on. */
  readonly total: number
  /** Newer than `start`. */
  readonly newer: number
  /** The place of the first record. */
  readonly first?: string
  readonly data: readonly RecordLine[]
}

const LIMIT = 50

const fetchRecords = (
  filters: Query,
  { offset, start }: { readonly offset: number; readonly start: string | undefined },
  signal: AbortSignal,
): Promise<RecordPage> =>
  call<RecordPage>('GET', '/sandbox/records', undefined, {
    query: { ...filters, offset, limit: LIMIT, start },
    signal,
  })
