import { styleOfStatus } from '../../../../views/status.ts'
import { ABSENT } from '../../page/format.ts'

/** `✓ SETTLED`. The mark goes with the colour; screen readers only need the word. */
export function Status({ status }: { readonly status: string | undefined }) {
  if (status === undefined) return <span class="quiet">{ABSENT}</span>
  const { mark, tone } = styleOfStatus(status)
  return (
    <span class={`status ${tone}`}>
      <span class="mark" aria-hidden="true">
        {mark}
      </span>
      {status}
    </span>
  )
}
