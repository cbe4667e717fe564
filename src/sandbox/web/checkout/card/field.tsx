import type { JSX } from 'preact'

export interface FieldProps {
  readonly id: string
  readonly label: string
  readonly value: string
  readonly problem: string | undefined
  readonly hint?: string | undefined
  readonly autocomplete: 'cc-number' | 'cc-exp' | 'cc-csc' | 'cc-name'
  readonly isNumeric: boolean
  readonly maxLength: number
  readonly isDisabled: boolean
  readonly isRequired: boolean
  readonly onTyped: (field: HTMLInputElement, inputType: string) => void
  readonly onLeft: () => void
  readonly badge?: string | undefined
}

/** A text field with its label, a hint, and the problem that makes it invalid. */
export function Field(props: FieldProps): JSX.Element {
  const { id, problem } = props
  // The problem says what the hint says, and more.
  const hint = problem === undefined ? props.hint : undefined
  const describedBy = [
    ...(problem === undefined ? [] : [`${id}-problem`]),
    ...(hint === undefined ? [] : [`${id}-hint`]),
  ].join(' ')
  return (
    <div class={`field field-${id}`}>
      <label for={id}>{props.label}</label>
      <div class="field-box">
        <input
          id={id}
          type="text"
          value={props.value}
          autocomplete={props.autocomplete}
          inputMode={props.isNumeric ? 'numeric' : 'text'}
          maxLength={props.maxLength}
          spellcheck={false}
          autocapitalize={props.isNumeric ? 'off' : 'words'}
          disabled={props.isDisabled}
          aria-required={props.isRequired ? 'true' : undefined}
          aria-invalid={problem === undefined ? undefined : 'true'}
          aria-describedby={describedBy === '' ? undefined : describedBy}
          onInput={(event) => props.onTyped(event.currentTarget, event.inputType)}
          onBlur={props.onLeft}
        />
        {props.badge === undefined ? null : (
          <span class="badge" aria-hidden="true">
            {props.badge}
          </span>
        )}
      </div>
      {problem === undefined ? null : (
        <p class="problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
      {hint === undefined ? null : (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}
