import type { LoggedRequest } from '../../page/logged-request.ts'

/** `✓ 200`, `✗ 422 RequestValidationError`, or that there was no response. */
export function RequestStatus({ entry: { status, errorId } }: { readonly entry: LoggedRequest }) {
  const [mark, tone] = styleOf(status)
  return (
    <span class={`status ${tone}`}>
      <span class="mark" aria-hidden="true">
        {mark}
      </span>
      {status ?? 'No response'}
      {errorId === undefined ? null : ` ${errorId}`}
    </span>
  )
}

function styleOf(status: number | undefined): readonly [mark: string, tone: string] {
  if (status === undefined) return ['–', 'warn']
  if (status >= 500) return ['✗', 'bad']
  return status >= 300 ? ['!', 'warn'] : ['✓', 'good']
}
