/** A method that the checkout offers. Empty lists mean everywhere. */
interface OfferedMethod {
  readonly type: string
  readonly currencies: readonly string[]
  readonly countries: readonly string[]
}

/** Settings of the dashboard. They apply to payments made with a client token. */
export interface CheckoutSettings {
  readonly methods: readonly OfferedMethod[]
  /** `auto`: the test card decides. */
  readonly threeDSecure: 'auto' | 'always' | 'never'
  /** Used if the session names none. */
  readonly authorizationType: 'FINAL' | 'ESTIMATED'
  /** Whether the checkout lists surcharges. They are charged either way. */
  readonly showSurcharges: boolean
}

export const DEFAULT_SETTINGS: CheckoutSettings = {
  methods: [
    { type: 'PAYMENT_CARD', currencies: [], countries: [] },
    { type: 'PAYPAL', currencies: [], countries: [] },
    { type: 'KLARNA', currencies: ['EUR'], countries: [] },
    { type: 'IDEAL', currencies: ['EUR'], countries: [] },
  ],
  threeDSecure: 'auto',
  authorizationType: 'FINAL',
  showSurcharges: true,
}
