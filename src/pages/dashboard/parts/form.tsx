import type { ComponentChildren } from 'preact'
import { Failure } from './states.tsx'
import { problemAt } from './use-submit.ts'
import type { Submit } from './use-submit.ts'

interface FormProps {
  readonly submitting: Submit
  readonly act: () => Promise<void>
  /** The name of its button. */
  readonly button: string
  /** The paths of fields that show their problems themselves. */
  readonly fields: readonly string[]
  readonly class?: string
  readonly children: ComponentChildren
  /** Shown next to the button. */
  readonly outcome?: ComponentChildren
}

/** A form with its button, and why it was refused unless a field says so. */
export function Form({ submitting, act, button, fields, children, outcome, ...props }: FormProps) {
  const { isBusy, error, submit } = submitting
  const isShown = error !== undefined && fields.every((path) => problemAt(error, path) === undefined)
  return (
    <form
      class={props.class === undefined ? 'form' : `form ${props.class}`}
      onSubmit={(event) => {
        event.preventDefault()
        submit(act)
      }}
    >
      {children}
      {isShown ? <Failure error={error} /> : null}
      <div class="buttons">
        <button type="submit" class="primary" disabled={isBusy}>
          {button}
        </button>
        {outcome}
      </div>
    </form>
  )
}
