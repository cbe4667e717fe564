import type { ComponentChildren, ComponentProps } from 'preact'
import { useId } from 'preact/hooks'

export interface TextFieldProps {
  readonly id?: string
  readonly label: string
  readonly value: string
  /** What to write; screen readers read it with the field. */
  readonly hint?: ComponentChildren
  /** What is wrong with the value. */
  readonly problem?: string | undefined
  /** How its problem is announced, unless it is only read with the field. */
  readonly problemRole?: 'alert'
  /** Further classes. */
  readonly class?: string
  /** Everything else about the field itself. */
  readonly input: ComponentProps<'input'>
  /** What is next to the field, such as buttons that fill it. */
  readonly children?: ComponentChildren
}

/** A text field with its label, a hint, and the problem that makes it invalid. */
export function TextField({
  label,
  value,
  hint,
  problem,
  problemRole,
  input,
  children,
  ...props
}: TextFieldProps) {
  const ownId = useId()
  const id = props.id ?? ownId
  const described = [hint === undefined ? '' : `${id}-hint`, problem === undefined ? '' : `${id}-problem`]
    .filter((part) => part !== '')
    .join(' ')
  return (
    <div class={props.class === undefined ? 'field' : `field ${props.class}`}>
      <label for={id}>{label}</label>
      <div class="input">
        <input
          type="text"
          {...input}
          id={id}
          value={value}
          spellcheck={false}
          aria-invalid={problem === undefined ? undefined : true}
          aria-describedby={described === '' ? undefined : described}
        />
        {children}
      </div>
      {hint === undefined ? null : (
        <p id={`${id}-hint`} class="hint">
          {hint}
        </p>
      )}
      {problem === undefined ? null : (
        <p id={`${id}-problem`} class="problem" role={problemRole}>
          {problem}
        </p>
      )}
    </div>
  )
}
