import type { Customer } from '../../api/models/customer.ts'
import type { Order } from '../../api/models/order.ts'
import { dealt, oneOf, randomOf, wholeBetween } from './random.ts'

/** The shop whose history is made up: what it sells, who buys there, how they pay. */

const PRODUCTS = [
  { itemId: 'shoe-1', name: 'Trail shoe', eur: 8950 },
  { itemId: 'jacket-1', name: 'Rain jacket', eur: 12_900 },
  { itemId: 'socks-1', name: 'Wool socks', eur: 1490 },
  { itemId: 'cap-1', name: 'Cap', eur: 2490 },
  { itemId: 'backpack-1', name: 'Backpack', eur: 7900 },
  { itemId: 'bottle-1', name: 'Water bottle', eur: 1200 },
  { itemId: 'lamp-1', name: 'Head lamp', eur: 4990 },
  { itemId: 'tent-1', name: 'Tent', eur: 24_900 },
] as const

/** The method that a checkout turns into a token. */
type MethodToTokenize = { readonly card: string } | { readonly method: string }

const CARDS = [
  { card: '4111111111111111' },
  { card: '4242424242424242' },
  { card: '4242424242424242' },
  { card: '5555555555554444' },
  { card: '4929251897047956' },
] as const satisfies readonly MethodToTokenize[]
const WALLETS = [{ method: 'PAYPAL' }, { method: 'GOOGLE_PAY' }] as const

interface Market {
  readonly countryCode: string
  readonly currencyCode: string
  /** The factor that turns minor units of EUR into those of the currency. */
  readonly rate: number
  readonly methods: readonly [MethodToTokenize, ...MethodToTokenize[]]
}

const MARKETS: readonly (readonly [number, Market])[] = [
  [
    7,
    {
      countryCode: 'DE',
      currencyCode: 'EUR',
      rate: 1,
      methods: [...CARDS, ...WALLETS, { method: 'KLARNA' }],
    },
  ],
  [3, { countryCode: 'FR', currencyCode: 'EUR', rate: 1, methods: [...CARDS, ...WALLETS] }],
  [2, { countryCode: 'NL', currencyCode: 'EUR', rate: 1, methods: [{ method: 'IDEAL' }, ...CARDS] }],
  [4, { countryCode: 'US', currencyCode: 'USD', rate: 1.1, methods: [...CARDS, ...WALLETS] }],
  [3, { countryCode: 'GB', currencyCode: 'GBP', rate: 0.85, methods: [...CARDS, ...WALLETS] }],
  [1, { countryCode: 'JP', currencyCode: 'JPY', rate: 1.6, methods: CARDS }],
]

const FIRST_NAMES = [
  'Ada',
  'Ben',
  'Chloe',
  'David',
  'Emma',
  'Finn',
  'Grace',
  'Hugo',
  'Ines',
  'Jonas',
  'Kate',
  'Leo',
  'Mia',
  'Noah',
  'Olga',
  'Paul',
] as const
const LAST_NAMES = [
  'Adams',
  'Bauer',
  'Costa',
  'Dubois',
  'Evans',
  'Fischer',
  'Garcia',
  'Hansen',
  'Ito',
  'Jansen',
  'Keller',
  'Lopez',
  'Moreau',
] as const

/** The beginnings of a payment, apart from the ordinary one. */
type Beginning =
  | 'ordinary'
  /** A repeat of the payment before, minutes later. */
  | 'paid twice'
  | 'challenge passed'
  | 'challenge failed'
  | 'challenge left open'

interface Case {
  readonly beginning: Beginning
  /** The method, in place of one that the customer's country likes. */
  readonly pays?: MethodToTokenize | { readonly token: string }
  readonly isRefunded?: true
}

const CHALLENGED = { card: '4916994064252017' } as const
const CASES: readonly (readonly [number, Case])[] = [
  [26, { beginning: 'ordinary' }],
  [3, { beginning: 'ordinary', pays: { card: '4000000000000002' } }],
  [1, { beginning: 'ordinary', pays: { card: '5100000000000008' } }],
  [1, { beginning: 'ordinary', pays: { card: '4000000000000010' } }],
  [1, { beginning: 'ordinary', pays: { card: '4100000000000019' } }],
  [1, { beginning: 'ordinary', pays: { card: '4000000000004954' } }],
  [1, { beginning: 'ordinary', pays: { token: 'tok_refund_fails' }, isRefunded: true }],
  [1, { beginning: 'paid twice' }],
  [3, { beginning: 'challenge passed', pays: CHALLENGED }],
  [1, { beginning: 'challenge failed', pays: CHALLENGED }],
  [1, { beginning: 'challenge left open', pays: CHALLENGED }],
]

/** The ways in which the shop treats an authorized payment. */
export type Life =
  | 'shipped'
  | 'returned'
  | 'partly returned'
  | 'shipped in two parcels'
  | 'partly shipped'
  | 'rest released'
  | 'cancelled'
  | 'left'

const LIVES: readonly (readonly [number, Life])[] = [
  [11, 'shipped'],
  [2, 'returned'],
  [2, 'partly returned'],
  [1, 'shipped in two parcels'],
  [1, 'partly shipped'],
  [1, 'rest released'],
  [1, 'cancelled'],
  [1, 'left'],
]

/** One sale as the shop's own systems know it. */
export interface Sale extends Case {
  readonly isRepeat: boolean
  readonly life: Life
  readonly pays: MethodToTokenize | { readonly token: string }
  readonly orderId: string
  readonly currencyCode: string
  readonly order: Order
  readonly customerId: string | undefined
  readonly customer: Customer
  readonly vaultOnSuccess: boolean
}

/** Streams of random numbers: a change to one of them leaves the others as they are. */
export const STREAMS = { cases: 1, lives: 2, customers: 3, sales: 4, times: 5 } as const

const FIRST_ORDER = 1001

/** The sale with this number, from 0; the same for the same seed. */
export function saleOf(
  index: number,
  { seed, customers }: { readonly seed: number; readonly customers: number },
): Sale {
  const chosen = dealt(CASES, index, [seed, STREAMS.cases])
  const isRepeat = chosen.beginning === 'paid twice' && index > 0
  const random = randomOf(seed, STREAMS.sales, isRepeat ? index - 1 : index)
  // Squared: some customers come often.
  const buyer = customerOf(Math.floor(random() ** 2 * customers), seed)
  const { market } = buyer
  const isGuest = random() < 0.15
  return {
    ...chosen,
    isRepeat,
    life: chosen.isRefunded ? 'returned' : dealt(LIVES, index, [seed, STREAMS.lives]),
    order: orderIn(market, random),
    pays: chosen.pays ?? oneOf(random, market.methods),
    orderId: `A-${FIRST_ORDER + index}`,
    currencyCode: market.currencyCode,
    customerId: isGuest ? undefined : buyer.customerId,
    customer: buyer.customer,
    vaultOnSuccess: !isGuest && random() < 0.1,
  }
}

function customerOf(number: number, seed: number) {
  const random = randomOf(seed, STREAMS.customers, number)
  const [firstName, lastName] = [oneOf(random, FIRST_NAMES), oneOf(random, LAST_NAMES)]
  const market = dealt(MARKETS, number, [seed, STREAMS.customers])
  const { countryCode } = market
  return {
    market,
    customerId: `customer-${number + 1}`,
    customer: {
      emailAddress: `${firstName}.${lastName}${number + 1}@example.com`.toLowerCase(),
      firstName,
      lastName,
      billingAddress: { firstName, lastName, countryCode },
    },
  }
}

function orderIn({ countryCode, rate }: Market, random: () => number): Order {
  const toPrice = (eur: number) => Math.round((eur * rate) / 10) * 10
  const first = wholeBetween(random, 0, PRODUCTS.length - 1)
  const lines = PRODUCTS.filter((_, number) => number === first || random() < 0.15)
  const lineItems = lines.map(({ itemId, name, eur }) => ({
    itemId,
    name,
    amount: toPrice(eur),
    quantity: eur < 3000 ? wholeBetween(random, 1, 3) : 1,
  }))
  return { lineItems, countryCode, shipping: { amount: random() < 0.5 ? toPrice(490) : 0 } }
}
