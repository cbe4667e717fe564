import type { ComponentChildren } from 'preact'
import { Failure } from './states.tsx'
import { batch, useSignal } from '@preact/signals'
import { ServiceError } from '../../page/send.ts'

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

interface Submit {
  readonly isBusy: boolean
  /** Why the last attempt was refused; undefined after a success. */
  readonly error: ServiceError | undefined
  /** Runs the work, unless it is already running. */
  readonly submit: (work: () => Promise<void>) => void
}

/** Sends a form, never twice at the same time, and keeps the reason if it was refused. */
export function useSubmit(): Submit {
  const isBusy = useSignal(false)
  const error = useSignal<ServiceError | undefined>(undefined)

  const run = async (work: () => Promise<void>): Promise<void> => {
    isBusy.value = true
    const outcome = await work().then(
      () => undefined,
      (reason: unknown) => ({ reason }),
    )
    batch(() => {
      isBusy.value = false
      error.value = outcome?.reason instanceof ServiceError ? outcome.reason : undefined
    })
    if (outcome !== undefined && error.value === undefined) throw outcome.reason
  }

  return {
    isBusy: isBusy.value,
    error: error.value,
    submit: (work) => {
      if (!isBusy.value) void run(work)
    },
  }
}

/** What the service says about a field, such as `$.duration`, or about anything below it. */
export function problemAt(error: ServiceError | undefined, path: string): string | undefined {
  const problems = error?.validationErrors.filter(
    (problem) => problem.path === path || problem.path.startsWith(`${path}[`),
  )
  return problems === undefined || problems.length === 0
    ? undefined
    : problems.map(({ description }) => description).join('; ')
}
