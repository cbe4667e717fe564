import { useSignal } from '@preact/signals'
import type { JSX, ComponentChildren, ComponentProps } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { CARD_FIELDS, checkCard } from '../card/check-card.ts'
import type { Card, CardField } from '../card/check-card.ts'
import { digitsOf, formatExpiry, groupDigits, retype } from '../card/typed-digits.ts'
import type { Details } from '../payment/load.ts'
import { Money } from '../summary/grouped.tsx'
import type { Choice, SavedMethod } from '../summary/price.ts'
import { networkName, schemeOf } from '../card/scheme.ts'
import { FocusedHeading } from './status.tsx'
import { CARD } from '../summary/price.ts'
import { TextField } from '../../page/text-field.tsx'

interface PaymentFormProps {
  readonly details: Details
  readonly choice: Choice
  readonly card: Card
  /** The price with the chosen method, with its currency. */
  readonly amount: string
  readonly isBusy: boolean
  readonly problem: string | undefined
  /** After a failed payment, the focus returns here. */
  readonly takesFocus: boolean
  /** The day against which the expiry date of a card is checked. */
  readonly today: () => Date
  readonly onChosen: (choice: Choice) => void
  readonly onTyped: (field: CardField, text: string) => void
  readonly onPay: () => void
  /** Undefined if there is nothing to go back to. */
  readonly onCancel: (() => void) | undefined
}

/** The form in which the customer chooses how to pay. */
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

interface MethodChoiceProps {
  readonly details: Details
  readonly choice: Choice
  readonly isDisabled: boolean
  readonly takesFocus: boolean
  readonly onChosen: (choice: Choice) => void
  /** The form of a new card, shown below its radio button. */
  readonly children: ComponentChildren
}

/** The payment methods: saved ones, a new card, and the others offered. */
function MethodChoice(props: MethodChoiceProps): JSX.Element {
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

interface CardFormProps {
  readonly card: Card
  readonly problems: Partial<Record<CardField, string>>
  readonly isDisabled: boolean
  readonly onChanged: (field: CardField, text: string) => void
  /** Called when a field is left, so that its content can be judged. */
  readonly onLeft: (field: CardField) => void
}

const FORMATS: Partial<Record<CardField, (digits: string) => string>> = {
  number: groupDigits,
  expiry: formatExpiry,
  code: (digits) => digits.slice(0, 4),
}

type AutoComplete = 'cc-number' | 'cc-exp' | 'cc-csc' | 'cc-name'
type TypingEvent = Parameters<NonNullable<ComponentProps<'input'>['onInput']>>[0]

/** The fields of a new card. Digits are grouped while they are typed. */
function CardForm({ card, problems, isDisabled, onChanged, onLeft }: CardFormProps): JSX.Element {
  const scheme = schemeOf(digitsOf(card.number))
  const codeLength = scheme?.codeLength ?? 3

  const field = (
    name: CardField,
    autocomplete: AutoComplete,
    maxLength: number,
    hint: string | undefined,
  ) => ({
    id: `card-${name}`,
    value: card[name],
    problem: problems[name],
    // The problem says what the hint says, and more.
    hint: problems[name] === undefined ? hint : undefined,
    class: `field-card-${name}`,
    input: {
      autocomplete,
      maxLength,
      inputMode: name === 'name' ? 'text' : 'numeric',
      autocapitalize: name === 'name' ? 'words' : 'off',
      disabled: isDisabled,
      'aria-required': name === 'name' ? undefined : true,
      onBlur: () => onLeft(name),
      onInput: ({ currentTarget: input, inputType }: TypingEvent) => {
        const format = FORMATS[name]
        if (format === undefined) return onChanged(name, input.value)
        const typed = { text: input.value, cursor: input.selectionStart ?? input.value.length }
        const { text, cursor } = retype(card[name], typed, { inputType, format })
        // Written here, before the next render, because that would put the cursor at the end.
        input.value = text
        input.setSelectionRange(cursor, cursor)
        onChanged(name, text)
      },
    } as const,
  })
  const codeHint = codeLength === 4 ? '4 digits on the front' : '3 digits on the back'
  return (
    <div class="card-form">
      <TextField label="Card number" {...field('number', 'cc-number', 34, undefined)}>
        {scheme === undefined ? null : (
          <span class="badge" aria-hidden="true">
            {scheme.name}
          </span>
        )}
      </TextField>
      <TextField label="Expiry date" {...field('expiry', 'cc-exp', 9, 'MM/YY')} />
      <TextField label="Security code" {...field('code', 'cc-csc', 4, codeHint)} />
      <TextField label="Name on card" {...field('name', 'cc-name', 100, 'Optional')} />
    </div>
  )
}
