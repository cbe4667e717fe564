import type { ComponentChildren, JSX } from 'preact'
import { networkName } from '../card/scheme.ts'
import type { Details } from '../payment/load.ts'
import { FocusedHeading } from './focused-heading.tsx'
import { CARD } from '../summary/price.ts'
import type { Choice, SavedMethod } from '../summary/price.ts'

export interface MethodChoiceProps {
  readonly details: Details
  readonly choice: Choice
  readonly isDisabled: boolean
  readonly takesFocus: boolean
  readonly onChosen: (choice: Choice) => void
  /** The form of a new card, shown below its radio button. */
  readonly children: ComponentChildren
}

/** The payment methods: saved ones, a new card, and the others offered. */
export function MethodChoice(props: MethodChoiceProps): JSX.Element {
  const { details, choice, takesFocus, children } = props
  const { methods } = details.terms
  const isCardOffered = methods.some(({ type }) => type === CARD)
  const option = (own: Choice, name: string) => ({
    name,
    isChosen: keyOf(choice) === keyOf(own),
    isDisabled: props.isDisabled,
    onChosen: () => props.onChosen(own),
  })
  return (
    <div role="radiogroup" aria-labelledby="method-title" class="methods">
      {takesFocus ? (
        <FocusedHeading id="method-title">Payment method</FocusedHeading>
      ) : (
        <h2 id="method-title">Payment method</h2>
      )}
      {details.saved.map((saved) => (
        <Option key={saved.token} {...option({ kind: 'saved', saved }, savedName(saved))}>
          {saved.default === true ? <span class="note">Default</span> : null}
        </Option>
      ))}
      {isCardOffered ? <Option {...option({ kind: 'card' }, 'New card')} /> : null}
      {isCardOffered && choice.kind === 'card' ? <div class="below">{children}</div> : null}
      {methods
        .filter(({ type }) => type !== CARD)
        .map(({ type, name }) => (
          <Option key={type} {...option({ kind: 'method', type }, name)} />
        ))}
    </div>
  )
}

interface OptionProps {
  readonly name: string
  readonly isChosen: boolean
  readonly isDisabled: boolean
  readonly onChosen: () => void
  readonly children?: ComponentChildren
}

function Option({ name, isChosen, isDisabled, onChosen, children }: OptionProps): JSX.Element {
  return (
    <div class="option">
      <label>
        <input
          type="radio"
          name="payment-method"
          checked={isChosen}
          disabled={isDisabled}
          onChange={onChosen}
        />
        <span>{name}</span>
      </label>
      {children}
    </div>
  )
}

/** `Visa ending in 1111`; other methods by their description. */
function savedName({ paymentMethodData, description, paymentMethodType = '' }: SavedMethod): string {
  const { network, last4Digits } = paymentMethodData ?? {}
  if (last4Digits === undefined) return description ?? paymentMethodType
  return `${network === undefined ? 'Card' : networkName(network)} ending in ${last4Digits}`
}

function keyOf(choice: Choice): string {
  switch (choice.kind) {
    case 'card':
      return 'card'
    case 'saved':
      return `saved ${choice.saved.token}`
    case 'method':
      return `method ${choice.type}`
  }
}
