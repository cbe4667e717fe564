import { styleOfStatus } from '../../../../views/status.ts'
import { ABSENT } from '../../page/format.ts'

interface MarkedProps {
  readonly mark: string
  readonly tone: string
  readonly word: string
}

/** `✓ SETTLED`. The mark goes with the colour; screen readers only need the word. */
export function Marked({ mark, tone, word }: MarkedProps) {
  return (
    <span class={`status ${tone}`}>
      <span class="mark" aria-hidden="true">
        {mark}
      </span>
      {word}
    </span>
  )
}

export function Status({ status }: { readonly status: string | undefined }) {
  if (status === undefined) return <span class="quiet">{ABSENT}</span>
  const { mark, tone } = styleOfStatus(status)
  return <Marked mark={mark} tone={tone} word={status} />
}
