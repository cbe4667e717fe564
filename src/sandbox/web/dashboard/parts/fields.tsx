import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

interface FieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly isDisabled?: boolean
}

const INPUTS = {
  text: { type: 'text' },
  search: { type: 'search' },
  password: { type: 'password' },
  date: { type: 'date' },
} as const

interface TextFieldProps extends FieldProps {
  readonly type?: keyof typeof INPUTS
  /** What to write; read with the field. */
  readonly hint?: ComponentChildren
  /** What is wrong with the value. */
  readonly problem?: string | undefined
  readonly placeholder?: string
  /** Takes the focus when it appears, as the first field of a dialog does. */
  readonly isFirst?: boolean
  readonly isRequired?: boolean
  /** The key that focuses it, if the page has one for it. */
  readonly shortcut?: string
  readonly onEnter?: () => void
  /** Buttons that fill it. */
  readonly children?: ComponentChildren
}

export function TextField(props: TextFieldProps) {
  const { label, value, onChange, type = 'text', hint, problem, placeholder, isDisabled } = props
  const id = useId()
  const described = [hint === undefined ? '' : `${id}-hint`, problem === undefined ? '' : `${id}-problem`]
    .filter((part) => part !== '')
    .join(' ')
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="input">
        <input
          id={id}
          {...INPUTS[type]}
          value={value}
          placeholder={placeholder}
          disabled={isDisabled}
          required={props.isRequired}
          autofocus={props.isFirst}
          autocomplete="off"
          spellcheck={false}
          aria-keyshortcuts={props.shortcut}
          aria-invalid={problem === undefined ? undefined : true}
          aria-describedby={described === '' ? undefined : described}
          onInput={(event) => onChange(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') props.onEnter?.()
          }}
        />
        {props.children}
      </div>
      {hint === undefined ? null : (
        <p id={`${id}-hint`} class="hint">
          {hint}
        </p>
      )}
      {problem === undefined ? null : (
        <p id={`${id}-problem`} class="problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}

export interface Choice {
  readonly value: string
  readonly label: string
}

interface ComboBoxProps extends FieldProps {
  readonly choices: readonly Choice[]
}

/** A native list of choices, which assistive technology calls a combo box. A value that isn't listed is added, so that it shows. */
export function ComboBox({ label, value, onChange, choices, isDisabled }: ComboBoxProps) {
  const id = useId()
  const isListed = choices.some((choice) => choice.value === value)
  return (
    <div class={value === '' ? 'field' : 'field chosen'}>
      <label for={id}>{label}</label>
      <select
        id={id}
        value={value}
        disabled={isDisabled}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        {(isListed ? choices : [...choices, { value, label: value }]).map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    </div>
  )
}

interface CheckBoxProps {
  readonly label: string
  readonly isChecked: boolean
  readonly onChange: (isChecked: boolean) => void
  readonly isDisabled?: boolean
}

export function CheckBox({ label, isChecked, onChange, isDisabled }: CheckBoxProps) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={isChecked}
        disabled={isDisabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />{' '}
      {label}
    </label>
  )
}
