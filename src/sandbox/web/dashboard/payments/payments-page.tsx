import { useSignal, useSignalEffect } from '@preact/signals'
import { useCallback, useEffect, useRef } from 'preact/hooks'
import { formatAmount, formatCount, formatMinute } from '../../page/format.ts'
import { live } from '../../page/live.ts'
import { Link, paymentAddress } from '../parts/link.tsx'
import { PageFrame } from '../parts/page-frame.tsx'
import { useRowHeight } from '../parts/row-height.ts'
import { query, scrollBack, setQuery } from '../parts/router.ts'
import type { Query } from '../parts/router.ts'
import { Empty, Failure } from '../parts/states.tsx'
import { Status } from '../parts/status.tsx'
import type { Column } from '../parts/table.tsx'
import { VirtualTable } from '../parts/virtual-table.tsx'
import { Filters, FILTERS } from './filters.tsx'
import {
  arrivals,
  error,
  newer,
  refresh,
  refreshSoon,
  rowAt,
  showRecords,
  standStill,
  total,
  viewRows,
} from './record-list.ts'
import type { RecordLine } from './record-list.ts'

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

/** How many rows the list seems to have before the first response. */
const ROWS_BEFORE = 12

export function PaymentsPage() {
  const isFirstRowShown = useSignal(true)
  const isFocused = useSignal(false)
  const rowHeight = useRowHeight()
  useSignalEffect(() => showRecords(filtersIn(query.value)))
  useSignalEffect(() => standStill(!isFirstRowShown.value || isFocused.value))
  useSignalEffect(() => {
    if (live.version.value > 0) refreshSoon()
  })
  const onView = useCallback((first: number, end: number) => {
    isFirstRowShown.value = first === 0 && window.scrollY < 400
    viewRows(first, end)
  }, [])
  useScrollBack(total.value !== undefined)
  const count = total.value
  return (
    <PageFrame title="Payments" actions={<Count />}>
      <Filters />
      {error.value === undefined ? null : <Failure error={error.value} onRetry={refresh} />}
      {newer.value === 0 ? null : (
        <div class="notice">
          <button type="button" class="primary" onClick={showNewest}>
            Show {formatCount(newer.value)} newer {newer.value === 1 ? 'payment' : 'payments'}
          </button>
        </div>
      )}
      {count === 0 && error.value === undefined ? (
        <NoPayments />
      ) : (
        <div
          aria-busy={count === undefined}
          onFocusIn={() => (isFocused.value = true)}
          onFocusOut={() => (isFocused.value = false)}
        >
          <VirtualTable
            label="Payments"
            class="payments"
            columns={COLUMNS}
            total={count ?? ROWS_BEFORE}
            rowHeight={rowHeight}
            rowAt={rowAt}
            arrivals={arrivals.value}
            onView={onView}
          />
        </div>
      )}
    </PageFrame>
  )
}

function showNewest(): void {
  window.scrollTo(0, 0)
  standStill(false)
}

function Count() {
  if (total.value === undefined) return null
  const all = total.value + newer.value
  return (
    <p class="quiet count">
      {formatCount(all)} {all === 1 ? 'payment' : 'payments'}
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
        onClick={() => setQuery(Object.fromEntries(FILTERS.map((name) => [name, undefined])), 'push')}
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
