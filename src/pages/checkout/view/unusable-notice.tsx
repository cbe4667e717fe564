import type { JSX } from 'preact'
import type { Unusable } from '../payment/phase.ts'

export interface UnusableNoticeProps {
  readonly problem: Unusable
  readonly onRetry: () => void
}

/** Why this checkout can't be used, and what to do. */
export function UnusableNotice({ problem, onRetry }: UnusableNoticeProps): JSX.Element {
  return (
    <section class="unusable" role="alert">
      <h2>{problem.title}</h2>
      {problem.text.map((line) => (
        <p key={line}>{line}</p>
      ))}
      {problem.canRetry ? (
        <button type="button" class="secondary" onClick={onRetry}>
          Load again
        </button>
      ) : null}
    </section>
  )
}
