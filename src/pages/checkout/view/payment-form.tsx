import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { CARD_FIELDS, checkCard } from '../card/check-card.ts'
import type { Card, CardField } from '../card/check-card.ts'
import { CardForm } from '../card/card-form.tsx'
import { digitsOf } from '../card/typed-digits.ts'
import type { Details } from '../payment/load.ts'
import { Money } from '../summary/grouped.tsx'
import type { Choice } from '../summary/price.ts'
import { MethodChoice } from './method-choice.tsx'

export interface PaymentFormProps {
  readonly details: Details
  readonly choice: Choice
  readonly card: Card
  /** The price with the chosen method, with its currency. */
  readonly amount: string
  readonly isBusy: boolean
  readonly problem: string | undefined
  /** After a failed payment, the focus returns here. */
  readonly takesFocus: boolean
  /** For the expiry date of a card. */
  readonly today: () => Date
  readonly onChosen: (choice: Choice) => void
  readonly onTyped: (field: CardField, text: string) => void
  readonly onPay: () => void
  /** Undefined if there is nothing to go back to. */
  readonly onCancel: (() => void) | undefined
}

/** Where the customer chooses how to pay. */
export function PaymentForm(props: PaymentFormProps): JSX.Element {
  const { details, choice, card, amount, isBusy, problem, today, onChosen, onTyped, onPay, onCancel } = props
  /** The fields whose problems are shown: those that the customer has left, and all after an attempt to pay. */
  const judged = useSignal<readonly CardField[]>([])
  const all = checkCard(card, today())
  const problems = Object.fromEntries(
    Object.entries(all).filter(([name]) => judged.value.some((one) => one === name)),
  )
  const payButton = useRef<HTMLButtonElement>(null)
  // The focused button was disabled during the request, which took the focus from it.
  useEffect(() => {
    if (problem !== undefined) payButton.current?.focus()
  }, [problem])

  const submit = (event: Event) => {
    event.preventDefault()
    if (isBusy) return
    const firstInvalid =
      choice.kind === 'card' ? CARD_FIELDS.find((name) => all[name] !== undefined) : undefined
    judged.value = CARD_FIELDS
    if (firstInvalid === undefined) {
      judged.value = []
      onPay()
    } else document.getElementById(`card-${firstInvalid}`)?.focus()
  }

  return (
    <form class="payment" noValidate aria-busy={isBusy} onSubmit={submit}>
      <MethodChoice
        details={details}
        choice={choice}
        isDisabled={isBusy}
        takesFocus={props.takesFocus}
        onChosen={onChosen}
      >
        <CardForm
          card={card}
          problems={problems}
          isDisabled={isBusy}
          onChanged={onTyped}
          onLeft={(name) => {
            if (digitsOf(card[name]) !== '' || name === 'name') judged.value = [...judged.value, name]
          }}
        />
        {details.session.paymentMethod?.vaultOnSuccess === true ? (
          <p class="hint">The card is saved for your next purchase.</p>
        ) : null}
      </MethodChoice>
      <div class="actions">
        {problem === undefined ? null : (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        <button ref={payButton} type="submit" class="primary pay" disabled={isBusy}>
          Pay <Money text={amount} />
        </button>
        {onCancel === undefined ? null : (
          <button type="button" class="secondary" disabled={isBusy} onClick={onCancel}>
            Cancel
          </button>
        )}
      </div>
    </form>
  )
}
