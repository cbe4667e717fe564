import { useId } from 'preact/hooks'
import { TextField as Field } from '../../page/text-field.tsx'
import type { TextFieldProps } from '../../page/text-field.tsx'

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

interface OwnTextFieldProps extends FieldProps, Pick<TextFieldProps, 'hint' | 'problem' | 'children'> {
  readonly type?: keyof typeof INPUTS
  readonly placeholder?: string
  /** Takes the focus when it appears, as the first field of a dialog does. */
  readonly isFirst?: boolean
  readonly isRequired?: boolean
  /** The key that focuses it, if the page has one for it. */
  readonly shortcut?: string
  readonly onEnter?: () => void
}

export function TextField(props: OwnTextFieldProps) {
  const { label, value, hint, problem, children, onChange } = props
  return (
    <Field
      {...{ label, value, hint, problem }}
      problemRole="alert"
      input={{
        ...INPUTS[props.type ?? 'text'],
        placeholder: props.placeholder,
        disabled: props.isDisabled,
        required: props.isRequired,
        autofocus: props.isFirst,
        autocomplete: 'off',
        'aria-keyshortcuts': props.shortcut,
        onInput: (event) => onChange(event.currentTarget.value),
        onKeyDown: (event) => {
          if (event.key === 'Enter') props.onEnter?.()
        },
      }}
    >
      {children}
    </Field>
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
