import type { Session } from '../../api/models/session.ts'
import { offeredTypes } from '../domain/checkout/offered-methods.ts'
import { priceFor } from '../domain/checkout/price.ts'
import { checkoutMethod } from '../domain/scenarios/checkout-methods.ts'
import { scenarioOfMethod } from '../domain/scenarios/checkout-methods.ts'
import { PAYMENT_SCENARIOS } from '../domain/scenarios/payment-scenarios.ts'
import { orderAmount } from '../domain/order-amount.ts'
import type { ClientSession } from '../domain/store/context.ts'
import type { Store } from '../domain/store/store.ts'
import type { StoredSession } from '../domain/store/stored-session.ts'

/** What a customer pays with a method, in minor units. */
interface MethodPrice {
  /** Surcharge included; absent if the session has no amount. */
  readonly amount?: number | undefined
  /** Absent if there is none, or if the settings hide it. */
  readonly surcharge?: number | undefined
}

interface MethodOnPage extends MethodPrice {
  readonly type: string
  readonly name: string
  /** Whether a payment waits for a third party. */
  readonly asynchronous: boolean
  /** Card networks with another price. */
  readonly networks?: Readonly<Record<string, MethodPrice>> | undefined
}

interface TestCard {
  readonly number: string
  readonly network: string
  readonly outcome: string
  /** In a few words. */
  readonly title: string
  readonly what: string
}

/** What the checkout page of a session shows. */
export interface CheckoutPage {
  readonly currencyCode?: string | undefined
  readonly amount?: number | undefined
  readonly missing: readonly string[]
  readonly methods: readonly MethodOnPage[]
  readonly showSurcharges: boolean
  readonly testCards: readonly TestCard[]
  readonly payment?: { readonly id: string; readonly status: string } | undefined
}

const TEST_CARDS: readonly TestCard[] = PAYMENT_SCENARIOS.flatMap(
  ({ card, display, outcome, what, title = what }) =>
    card === undefined || display === undefined
      ? []
      : [{ number: card, network: display.network, outcome, title, what }],
)

export function checkoutPage(
  { session, idHash }: ClientSession,
  { settings, payments }: Store,
): CheckoutPage {
  const checkout = settings.checkout()
  const { showSurcharges } = checkout
  const types = offeredTypes(checkout, session)
  const payment = payments.findOfSession(idHash)
  const amount = session.amount ?? orderAmount(session.order)
  return {
    currencyCode: session.currencyCode,
    amount,
    missing: missingIn(session, amount),
    methods: types.map((type) => methodOnPage(type, session, showSurcharges)),
    showSurcharges,
    testCards: types.includes(CARD) ? TEST_CARDS : [],
    payment: payment === undefined ? undefined : { id: payment.id, status: payment.status },
  }
}

const CARD = 'PAYMENT_CARD'

function missingIn(session: StoredSession, amount: number | undefined): readonly string[] {
  const { orderId, currencyCode, customerId, paymentMethod } = session
  const isVaulting = paymentMethod?.vaultOnSuccess === true
  const needed = { amount, currencyCode, orderId, ...(isVaulting ? { customerId } : {}) }
  return Object.entries(needed).flatMap(([name, value]) =>
    value === undefined || value === '' ? [name] : [],
  )
}

function methodOnPage(type: string, session: StoredSession, showSurcharges: boolean): MethodOnPage {
  const price = (network?: string): MethodPrice => {
    const { amount, surcharge } = priceFor(session, { paymentMethodType: type, network })
    return { amount, surcharge: showSurcharges ? surcharge : undefined }
  }
  return {
    type,
    name: checkoutMethod(type)?.name ?? type,
    asynchronous: scenarioOfMethod(type)?.onCreate === 'wait',
    ...price(),
    networks: type === CARD ? networkPrices(session.paymentMethod, price) : undefined,
  }
}

function networkPrices(
  paymentMethod: Session['paymentMethod'],
  price: (network: string) => MethodPrice,
): MethodOnPage['networks'] {
  const networks = Object.keys(paymentMethod?.options?.[CARD]?.networks ?? {})
  return networks.length === 0
    ? undefined
    : Object.fromEntries(networks.map((network) => [network, price(network)]))
}
