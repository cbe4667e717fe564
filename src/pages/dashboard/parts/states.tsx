import type { ComponentChildren } from 'preact'
import type { ServiceError } from '../../page/send.ts'
import type { Fetched } from './use-fetched.ts'

/** What a page shows instead of data. */

export function Empty({
  title,
  children,
}: {
  readonly title: string
  readonly children?: ComponentChildren
}) {
  return (
    <div class="state">
      <p class="state-title">{title}</p>
      {children}
    </div>
  )
}

export function Failure({ error, onRetry }: { readonly error: ServiceError; readonly onRetry?: () => void }) {
  return (
    <div class="state failure" role="alert">
      <ErrorText error={error} />
      {onRetry === undefined ? null : (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  )
}

interface FetchStateProps {
  readonly what: string
  readonly of: Pick<Fetched<unknown>, 'data' | 'error' | 'reload'>
}

/** What a page shows of a fetch besides its data: why it failed, or that it loads. */
export function FetchState({ what, of: { data, error, reload } }: FetchStateProps) {
  if (error !== undefined) return <Failure error={error} onRetry={reload} />
  return data === undefined ? (
    <p class="state" role="status">
      Loading {what}…
    </p>
  ) : null
}

/** The service's words, each problem of a field, and what to do. */
export function ErrorText({ error }: { readonly error: ServiceError }) {
  return (
    <>
      <p class="state-title">{error.description}</p>
      {error.validationErrors.length === 0 ? null : (
        <ul>
          {error.validationErrors.map(({ path, description }) => (
            <li key={path}>
              <code>{path}</code> {description}
            </li>
          ))}
        </ul>
      )}
      {error.recoverySuggestion === undefined ? null : <p>{error.recoverySuggestion}</p>}
    </>
  )
}
