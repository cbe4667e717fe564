import { useSignal } from '@preact/signals'
import { ABSENT, formatAmount, formatMinute } from '../../page/format.ts'
import { call } from '../../page/service.ts'
import { announce } from '../parts/announcement.tsx'
import { TextField } from '../parts/fields.tsx'
import { Link, paymentAddress } from '../parts/link.tsx'
import { PageFrame } from '../parts/page-frame.tsx'
import { Pager, readOffset } from '../parts/pager.tsx'
import { query, setQuery } from '../parts/router.ts'
import { Empty, Failure, FetchState } from '../parts/states.tsx'
import { Marked, Status } from '../parts/status.tsx'
import { Table } from '../parts/table.tsx'
import type { Column } from '../parts/table.tsx'
import { useFetched } from '../parts/use-fetched.ts'
import { useSubmit } from '../parts/use-submit.ts'

/** An entry of `GET /sandbox/sessions`. */
interface Session {
  readonly id: string
  readonly state: 'open' | 'paid' | 'expired'
  readonly orderId?: string
  readonly customerId?: string
  readonly currencyCode?: string
  readonly amount?: number
  readonly createdAt: string
  readonly expiresAt: string
  readonly payment?: { readonly id: string; readonly status: string }
}

const LIMIT = 50

export function SessionsPage() {
  const { search = '' } = query.value
  const offset = readOffset(query.value['offset'])
  const fetched = useFetched(
    (signal) =>
      call<{ total: number; data: readonly Session[] }>('GET', '/sandbox/sessions', undefined, {
        query: { search, offset, limit: LIMIT },
        signal,
      }),
    [search, offset],
  )
  const { data } = fetched
  return (
    <PageFrame title="Sessions" actions={<NewSession />}>
      <div class="filters">
        <TextField
          label="Search sessions"
          type="search"
          value={search}
          placeholder="Order, customer"
          onChange={(value) => setQuery({ search: value, offset: undefined }, 'replace')}
        />
      </div>
      <FetchState what="sessions" of={fetched} />
      {data === undefined ? null : data.total === 0 ? (
        <Empty title={search === '' ? 'No sessions yet.' : 'No session matches.'}>
          <p>A checkout pays for a session. New session creates one and opens its checkout.</p>
        </Empty>
      ) : (
        <>
          <Table label="Sessions" columns={COLUMNS} rows={data.data} keyOf={({ id }) => id} />
          <Pager
            what="sessions"
            offset={offset}
            limit={LIMIT}
            total={data.total}
            onMove={(to) => setQuery({ offset: to === 0 ? undefined : String(to) }, 'push')}
          />
        </>
      )}
    </PageFrame>
  )
}

/** Makes a demo session and opens its checkout in another tab. The client token is only in the fragment, which is never sent. */
function NewSession() {
  const { isBusy, error, submit } = useSubmit()
  const checkout = useSignal<string | undefined>(undefined)
  const create = async () => {
    const { clientToken } = await call<{ clientToken: string }>('POST', '/client-session', DEMO_SESSION)
    checkout.value = `/checkout#${clientToken}`
    announce('Session created. Its checkout opens in another tab.')
    // If the browser blocks it, the link is still there.
    window.open(checkout.value, '_blank', 'noopener')
  }
  return (
    <>
      {checkout.value === undefined ? null : (
        <a href={checkout.value} target="_blank" rel="noreferrer">
          Open its checkout
        </a>
      )}
      <button type="button" class="primary" disabled={isBusy} onClick={() => submit(create)}>
        New session
      </button>
      {error === undefined ? null : <Failure error={error} />}
    </>
  )
}

const MARKS = {
  open: ['○', 'warn'],
  paid: ['✓', 'good'],
  expired: ['–', 'dim'],
} as const

function State({ state }: { readonly state: Session['state'] }) {
  const [mark, tone] = MARKS[state]
  return <Marked mark={mark} tone={tone} word={state} />
}

const COLUMNS: readonly Column<Session>[] = [
  { name: 'Session', cell: ({ id }) => <code>{id}</code> },
  { name: 'State', cell: ({ state }) => <State state={state} /> },
  { name: 'Amount', isFigure: true, cell: ({ amount, currencyCode }) => formatAmount(amount, currencyCode) },
  { name: 'Order', cell: ({ orderId }) => orderId ?? ABSENT },
  { name: 'Customer', cell: ({ customerId }) => customerId ?? ABSENT },
  {
    name: 'Payment',
    cell: ({ payment }) =>
      payment === undefined ? (
        ABSENT
      ) : (
        <>
          <Link to={paymentAddress(payment.id)}>{payment.id}</Link> <Status status={payment.status} />
        </>
      ),
  },
  { name: 'Created', cell: ({ createdAt }) => formatMinute(createdAt) },
  { name: 'Expires', cell: ({ expiresAt }) => formatMinute(expiresAt) },
]

/** What `New session` sells: something in every part of an order. */
const DEMO_SESSION = {
  orderId: 'demo-1',
  currencyCode: 'EUR',
  customerId: 'demo-customer',
  customer: { emailAddress: 'customer@example.com' },
  order: {
    countryCode: 'DE',
    lineItems: [
      {
        itemId: 'shoe-1',
        name: 'Blue shoe',
        amount: 3990,
        quantity: 1,
        discountAmount: 500,
        taxAmount: 663,
        productType: 'PHYSICAL',
      },
      { itemId: 'lace-2', name: 'Laces', amount: 174, quantity: 2, productType: 'PHYSICAL' },
    ],
    shipping: { amount: 489 },
  },
} as const
