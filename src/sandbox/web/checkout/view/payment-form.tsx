import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { formatMoney } from '../../../../money/format.ts'
import { CARD_FIELDS, checkCard, filledCard } from '../card/check-card.ts'
import type { Card, CardField } from '../card/check-card.ts'
import { CardForm } from '../card/card-form.tsx'
import { TestCardList } from '../card/test-card-list.tsx'
import { digitsOf } from '../card/typed-digits.ts'
import type { Details } from '../payment/load.ts'
import { priceOf } from '../summary/price.ts'
import type { Choice } from '../summary/price.ts'
import { MethodChoice } from './method-choice.tsx'

export interface PaymentFormProps {
  readonly details: Details
  readonly choice: Choice
  readonly card: Card
  readonly isBusy: boolean
  readonly problem: string | undefined
  /** For the expiry date of a card. */
  readonly today: () => Date
  readonly onChosen: (choice: Choice) => void
  readonly onCard: (card: Card) => void
  readonly onPay: () => void
  /** Undefined if there is nothing to go back to. */
  readonly onCancel: (() => void) | undefined
}

/** Where the customer chooses how to pay. */
export function PaymentForm(props: PaymentFormProps): JSX.Element {
  const { details, choice, card, isBusy, problem, today, onChosen, onCard, onPay, onCancel } = props
  const { terms, order } = details
  /** The fields whose problems are shown: those that the customer has left, and all after an attempt to pay. */
  const judged = useSignal<readonly CardField[]>([])
  const all = checkCard(card, today())
  const problems = Object.fromEntries(
    Object.entries(all).filter(([name]) => judged.value.some((one) => one === name)),
  )
  const price = formatMoney(priceOf(choice, terms, card.number).amount, terms.currencyCode)

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
      <MethodChoice details={details} choice={choice} isDisabled={isBusy} onChosen={onChosen}>
        <CardForm
          card={card}
          problems={problems}
          isDisabled={isBusy}
          onChanged={(name, text) => onCard({ ...card, [name]: text })}
          onLeft={(name) => {
            if (digitsOf(card[name]) !== '' || name === 'name') judged.value = [...judged.value, name]
          }}
        />
        {order.savesMethod ? <p class="hint">The card is saved for your next purchase.</p> : null}
        <TestCardList
          cards={terms.testCards}
          isDisabled={isBusy}
          onChosen={(number) => {
            judged.value = []
            onCard(filledCard(number, today()))
          }}
        />
      </MethodChoice>
      <div class="actions">
        {problem === undefined ? null : (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        <button type="submit" class="primary pay" disabled={isBusy}>
          Pay {price}
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
