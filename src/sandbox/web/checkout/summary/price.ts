import { schemeOf } from '../card/scheme.ts'
import { digitsOf } from '../card/typed-digits.ts'
import type { Price, SavedMethod, Terms } from '../service/details.ts'

/** The chosen payment method. */
export type Choice =
  | { readonly kind: 'card' }
  | { readonly kind: 'saved'; readonly saved: SavedMethod }
  | { readonly kind: 'method'; readonly type: string }

export const CARD = 'PAYMENT_CARD'

/** What the customer pays with this method. `cardNumber` is what has been typed so far: a network may cost more. */
export function priceOf(choice: Choice, terms: Terms, cardNumber: string): Price {
  const { type, network } = kindOf(choice, cardNumber)
  const method = terms.methods.find((offered) => offered.type === type)
  const own =
    method !== undefined && network !== undefined ? networkPrice(method.networks, network) : undefined
  return own ?? method ?? { amount: terms.amount, surcharge: undefined }
}

const networkPrice = (networks: Readonly<Record<string, Price>>, name: string): Price | undefined =>
  Object.hasOwn(networks, name) ? networks[name] : undefined

function kindOf(choice: Choice, cardNumber: string) {
  switch (choice.kind) {
    case 'card':
      return { type: CARD, network: schemeOf(digitsOf(cardNumber))?.network }
    case 'saved':
      return choice.saved
    case 'method':
      return { type: choice.type, network: undefined }
  }
}

/** The saved methods that can pay for this session. */
export const usableMethods = (saved: readonly SavedMethod[], terms: Terms): readonly SavedMethod[] =>
  saved.filter(({ type }) => terms.methods.some((offered) => offered.type === type))
