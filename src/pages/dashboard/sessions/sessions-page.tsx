import { useSignal } from '@preact/signals'
import { capitalize } from '../../../text/words.ts'
import { ABSENT, formatMinute } from '../../page/format.ts'
import type { ListedSession } from '../../../sandbox/controls/responses.ts'
import { call } from '../../page/service.ts'
import { Amount } from '../parts/amount.tsx'
import { announce } from '../parts/announcement.tsx'
import { Link, paymentAddress } from '../parts/router.tsx'
import { PageFrame } from '../parts/page-frame.tsx'
import { SearchedList } from '../parts/searched-list.tsx'
import { Failure } from '../parts/states.tsx'
import { Badge, Status } from '../parts/status.tsx'
import type { Column } from '../parts/table.tsx'
import { useSubmit } from '../parts/form.tsx'

export const SessionsPage = () => (
  <PageFrame title="Sessions" actions={<NewSession />}>
    <SearchedList
      label="Sessions"
      path="/sandbox/sessions"
      search={{ label: 'Search sessions', name: 'search', placeholder: 'Order, customer' }}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      isList
    >
      <p>
        <strong>New session</strong> creates one for 49.90 EUR and opens its checkout, where you pay with a
        test card.
      </p>
    </SearchedList>
  </PageFrame>
)

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

const TONES = { open: 'open', paid: 'good', expired: 'dim' } as const

const COLUMNS: readonly Column<ListedSession>[] = [
  {
    name: 'Amount',
    isFigure: true,
    width: '9.5rem',
    phone: 'left',
    cell: ({ amount, currencyCode }) => <Amount amount={amount} currencyCode={currencyCode} />,
  },
  {
    name: 'State',
    width: '7rem',
    phone: 'right',
    cell: ({ state }) => <Badge tone={TONES[state]} word={capitalize(state)} />,
  },
  { name: 'Order', phone: 'left', cell: ({ orderId }) => orderId ?? ABSENT },
  { name: 'Customer', from: 'medium', phone: 'none', cell: ({ customerId }) => customerId ?? ABSENT },
  {
    name: 'Payment',
    width: '8.5rem',
    phone: 'right',
    cell: ({ payment }) =>
      payment === undefined ? (
        ABSENT
      ) : (
        <Link to={paymentAddress(payment.id)} class="row-link">
          {payment.id}
        </Link>
      ),
  },
  {
    name: 'Result',
    width: '9.5rem',
    from: 'medium',
    phone: 'none',
    cell: ({ payment }) => <Status status={payment?.status} />,
  },
  { name: 'Expires', width: '10.5rem', cell: ({ expiresAt }) => formatMinute(expiresAt) },
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
