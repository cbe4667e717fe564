import type { CheckoutPage, MethodOnPage, MethodPrice, TestCard } from './responses.ts'
import type { Session } from '../../api/models/session.ts'
import { offeredTypes } from '../domain/checkout/offered-methods.ts'
import { priceFor } from '../domain/checkout/price.ts'
import { checkoutMethod, scenarioOfMethod } from '../domain/scenarios/checkout-methods.ts'
import { PAYMENT_SCENARIOS } from '../domain/scenarios/payment-scenarios.ts'
import { orderAmount } from '../domain/order-amount.ts'
import type { ClientSession } from '../domain/context.ts'
import type { Store } from '../database/store.ts'
import type { StoredSession } from '../domain/stored.ts'

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
