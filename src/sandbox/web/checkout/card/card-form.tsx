import type { JSX } from 'preact'
import type { Card, CardField } from './check-card.ts'
import { Field } from './field.tsx'
import { schemeOf } from './scheme.ts'
import { digitsOf, formatExpiry, groupDigits, retype } from './typed-digits.ts'

export interface CardFormProps {
  readonly card: Card
  readonly problems: Partial<Record<CardField, string>>
  readonly isDisabled: boolean
  readonly onChanged: (field: CardField, text: string) => void
  /** A field was left, so its content can be judged. */
  readonly onLeft: (field: CardField) => void
}

const FORMATS: Partial<Record<CardField, (digits: string) => string>> = {
  number: groupDigits,
  expiry: formatExpiry,
  code: (digits) => digits.slice(0, 4),
}

/** The fields of a new card. Digits are grouped while they are typed. */
export function CardForm({ card, problems, isDisabled, onChanged, onLeft }: CardFormProps): JSX.Element {
  const scheme = schemeOf(digitsOf(card.number))
  const codeLength = scheme?.codeLength ?? 3

  const field = (name: CardField) => ({
    id: `card-${name}`,
    value: card[name],
    problem: problems[name],
    isDisabled,
    isNumeric: name !== 'name',
    isRequired: name !== 'name',
    onLeft: () => onLeft(name),
    onTyped: (input: HTMLInputElement, inputType: string) => {
      const format = FORMATS[name]
      if (format === undefined) return onChanged(name, input.value)
      const typed = { text: input.value, cursor: input.selectionStart ?? input.value.length }
      const { text, cursor } = retype(card[name], typed, { inputType, format })
      // Written here, before the next render, because that would put the cursor at the end.
      input.value = text
      input.setSelectionRange(cursor, cursor)
      onChanged(name, text)
    },
  })

  return (
    <div class="card-form">
      <Field
        {...field('number')}
        label="Card number"
        autocomplete="cc-number"
        maxLength={34}
        badge={scheme?.name}
      />
      <Field {...field('expiry')} label="Expiry date" autocomplete="cc-exp" maxLength={9} hint="MM/YY" />
      <Field
        {...field('code')}
        label="Security code"
        autocomplete="cc-csc"
        maxLength={4}
        hint={codeLength === 4 ? '4 digits on the front' : '3 digits on the back'}
      />
      <Field {...field('name')} label="Name on card" autocomplete="cc-name" maxLength={100} hint="Optional" />
    </div>
  )
}
