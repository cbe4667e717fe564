import type { ComponentProps, JSX } from 'preact'
import type { Card, CardField } from './check-card.ts'
import { TextField } from '../../page/text-field.tsx'
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

type AutoComplete = 'cc-number' | 'cc-exp' | 'cc-csc' | 'cc-name'
type TypingEvent = Parameters<NonNullable<ComponentProps<'input'>['onInput']>>[0]

/** The fields of a new card. Digits are grouped while they are typed. */
export function CardForm({ card, problems, isDisabled, onChanged, onLeft }: CardFormProps): JSX.Element {
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
