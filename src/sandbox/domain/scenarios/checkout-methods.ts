import { scenarioOfToken } from './payment-scenarios.ts'
import type { PaymentScenario } from './payment-scenarios.ts'

interface CheckoutMethod {
  readonly type: string
  readonly name: string
  /** The fixed token whose scenario a payment follows; undefined for cards, where the test card decides. */
  readonly token?: string
}

/** The methods that a checkout can offer. */
export const CHECKOUT_METHODS: readonly CheckoutMethod[] = [
  { type: 'PAYMENT_CARD', name: 'Card' },
  { type: 'PAYPAL', name: 'PayPal', token: 'tok_paypal' },
  { type: 'KLARNA', name: 'Klarna', token: 'tok_klarna' },
  { type: 'IDEAL', name: 'iDEAL', token: 'tok_ideal' },
  { type: 'GOOGLE_PAY', name: 'Google Pay', token: 'tok_async' },
  { type: 'BOLETO', name: 'Boleto', token: 'tok_voucher' },
]

const BY_TYPE = new Map(CHECKOUT_METHODS.map((method) => [method.type, method]))

export const checkoutMethod = (type: string): CheckoutMethod | undefined => BY_TYPE.get(type)

/** The scenario of a method; undefined for cards and unknown types. */
export function scenarioOfMethod(type: string): PaymentScenario | undefined {
  const token = BY_TYPE.get(type)?.token
  return token === undefined ? undefined : scenarioOfToken(token)
}
