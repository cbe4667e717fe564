import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { countOf, formatMinute } from '../../page/format.ts'
import { wordsOf } from '../../page/words.ts'
import { Amount } from '../parts/amount.tsx'
import { focusFirstRow } from '../parts/keys.tsx'
import { Link, paymentAddress, navigate, query, scrollBack, setQuery } from '../parts/router.tsx'
import { PageFrame } from '../parts/page-frame.tsx'
import { Newer, Pager, readOffset, useScrolled } from '../parts/pager.tsx'
import type { Query } from '../parts/router.tsx'
import { Empty, FetchState } from '../parts/states.tsx'
import { Status } from '../parts/status.tsx'
import { Table } from '../parts/table.tsx'
import type { Column } from '../parts/table.tsx'
import { useFetched } from '../parts/use-fetched.ts'
import { Filters, FILTERS, FIRST_PAGE } from './filters.tsx'
import { read } from '../../page/service.ts'
import type { RecordPage } from '../../../sandbox/controls/responses.ts'

type RecordLine = RecordPage['data'][number]

const COLUMNS: readonly Column<RecordLine>[] = [
  {
    name: 'Amount',
    isFigure: true,
    width: '8.5rem',
    phone: 'left',
    cell: ({ amount, currencyCode }) => <Amount amount={amount} currencyCode={currencyCode} />,
  },
  {
    name: 'Status',
    width: '13.5rem',
    phone: 'right',
    cell: ({ status, amountCaptured, amountRefunded, hasFailedRefund }) => (
      <Status
        status={status}
        captured={amountCaptured}
        refunded={amountRefunded}
        hasFailedRefund={hasFailedRefund}
      />
    ),
  },
  {
    name: 'Customer',
    phone: 'left',
    cell: ({ source, customerEmail, customerId }) =>
      source === 'external' ? <span class="quiet">External record</span> : (customerEmail ?? customerId),
  },
  { name: 'Method', width: '11.5rem', from: 'medium', phone: 'none', cell: methodOf },
  { name: 'Order', width: '7.5rem', from: 'medium', phone: 'right', cell: ({ orderId }) => orderId },
  { name: 'Created', width: '10rem', phone: 'right', cell: ({ date }) => formatMinute(date) },
  {
    name: 'Payment',
    width: '6.25rem',
    phone: 'left',
    cell: ({ id }) => (
      <Link to={paymentAddress(id)} class="row-link">
        {id}
      </Link>
    ),
  },
]

function methodOf({ method, network, last4Digits }: RecordLine): string {
  const name = wordsOf(network ?? method ?? '')
  return last4Digits === undefined ? name : `${name} •••• ${last4Digits}`
}

const filtersIn = (given: Query): Query =>
  Object.fromEntries(FILTERS.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])))

export function PaymentsPage() {
  const filters = filtersIn(query.value)
  const offset = readOffset(query.value['offset'])
  const newest = useRef<string | undefined>(undefined)
  const isScrolled = useScrolled()
  /** What was searched for when Enter was pressed, until its results are there. */
  const entered = useSignal<string | undefined>(undefined)
  // A list that is being read starts where it did: later payments are only counted.
  const start = query.value['start'] ?? (isScrolled ? newest.current : undefined)
  const fetched = useFetched(
    async (signal) => {
      const page = await fetchRecords(filters, { offset, start }, signal)
      if (offset === 0) newest.current = page.first
      return { ...page, offset, filters }
    },
    [JSON.stringify(filters), offset, start],
  )
  const { data } = fetched
  useScrollBack(data !== undefined)
  useEffect(() => {
    if (data === undefined || (data.filters['search'] ?? '') !== entered.value) return
    entered.value = undefined
    const [first] = data.data
    if (first !== undefined && data.total === 1) navigate(paymentAddress(first.id))
    else focusFirstRow()
  }, [data, entered.value])
  return (
    <PageFrame
      title="Payments"
      actions={data && <p class="quiet count">{countOf(data.total + data.newer, 'payment')}</p>}
    >
      <Filters onEnter={(search) => (entered.value = search)} />
      <FetchState what="payments" of={fetched} />
      <Newer count={data?.newer ?? 0} noun="payment" onShow={showNewest} />
      {data === undefined ? null : data.total === 0 ? (
        <NoPayments filters={data.filters} near={data.near} />
      ) : (
        <>
          <Table label="Payments" columns={COLUMNS} rows={data.data} keyOf={({ id }) => id} isList />
          <Pager
            what="payments"
            offset={data.offset}
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

function NoPayments({ filters, near }: { readonly filters: Query; readonly near: RecordPage['near'] }) {
  if (Object.keys(filters).length === 0)
    return (
      <Empty title="No payments yet.">
        <p>
          Fill the sandbox with payments of every kind: <code>pay sandbox seed</code>
        </p>
        <p>
          Create one:{' '}
          <code>pay --sandbox payment create --token tok_visa --amount "49.90 EUR" --order-id order-1</code>
        </p>
        <p>
          Or pay as a customer: open a checkout from <Link to="/dashboard/sessions">Sessions</Link>.
        </p>
      </Empty>
    )
  return (
    <Empty title="No payment matches.">
      {near === undefined ? null : <p>No payment of {near.typed}; similar:</p>}
      {near?.emails.map((email) => (
        <p key={email}>
          <button
            type="button"
            onClick={() =>
              setQuery({ search: filters['search']?.replace(near.typed, () => email), ...FIRST_PAGE }, 'push')
            }
          >
            {email}
          </button>
        </p>
      ))}
      {filters['search'] === undefined ? null : (
        <p>
          All words must fit: an ID, an order, a customer or a name, or a part of it; an e-mail address or its
          beginning; a telephone number; a card's brand or last four digits; an amount, a status or a state
          such as refund failed, a currency, or a time such as last week.
        </p>
      )}
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

const LIMIT = 50

const fetchRecords = (
  filters: Query,
  { offset, start }: { readonly offset: number; readonly start: string | undefined },
  signal: AbortSignal,
): Promise<RecordPage> =>
  read<RecordPage>('/sandbox/records', { query: { ...filters, offset, limit: LIMIT, start }, signal })
