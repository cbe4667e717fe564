import type { Instrument } from '../../../api/models/instrument.ts'
import type { CheckoutPage } from '../../../sandbox/controls/responses.ts'
import { schemeOf } from '../card/scheme.ts'
import { digitsOf } from '../card/typed-digits.ts'

/** What the sandbox says about the checkout of the session. */
export type Terms = CheckoutPage

export type SavedMethod = Instrument & { readonly token: string }

/** What the customer pays, surcharge included, in minor units. */
export interface Price {
  readonly amount: number
  readonly surcharge: number | undefined
}

/** The chosen payment method. */
export type Choice =
  | { readonly kind: 'card' }
  | { readonly kind: 'saved'; readonly saved: SavedMethod }
  | { readonly kind: 'method'; readonly type: string }

/** Whether the total contains a surcharge that isn't listed. */
export const hidesSurcharge = (terms: Pick<Terms, 'amount'>, { amount, surcharge = 0 }: Price): boolean =>
  amount - surcharge !== terms.amount

export const CARD = 'PAYMENT_CARD'

/** What the customer pays with this method. `cardNumber` is what has been typed so far: a network may cost more. */
export function priceOf(choice: Choice, terms: Terms, cardNumber: string): Price {
  const { type, network } = kindOf(choice, cardNumber)
  const method = terms.methods.find((offered) => offered.type === type)
  // Networks come from the list of schemes, or from the service: none has a name of the prototype.
  const { amount = terms.amount ?? 0, surcharge } = method?.networks?.[network ?? ''] ?? method ?? {}
  return { amount, surcharge }
}

function kindOf(choice: Choice, cardNumber: string) {
  switch (choice.kind) {
    case 'card':
      return { type: CARD, network: schemeOf(digitsOf(cardNumber))?.network }
    case 'saved':
      return { type: choice.saved.paymentMethodType, network: choice.saved.paymentMethodData?.network }
    case 'method':
      return { type: choice.type, network: undefined }
  }
}

/** The saved methods that can pay for this session. */
export const usableMethods = (all: readonly Instrument[], terms: Terms): readonly SavedMethod[] =>
  all.flatMap((saved) =>
    saved.token !== undefined &&
    saved.deleted !== true &&
    terms.methods.some(({ type }) => type === saved.paymentMethodType)
      ? [{ ...saved, token: saved.token }]
      : [],
  )
