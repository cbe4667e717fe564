import { styleOf, styleOfPayment } from '../../../views/payment/status.ts'
import type { RefundFigures } from '../../../views/payment/status.ts'
import { ABSENT } from '../../page/format.ts'
import type { LoggedRequest } from '../../../sandbox/log/logged-request.ts'
import { wordsOf } from '../../page/words.ts'

interface BadgeProps {
  readonly tone: string
  readonly word: string
  /** As the API writes it. */
  readonly code?: string
}

export const Badge = ({ tone, word, code }: BadgeProps) => (
  <span class={`badge ${tone}`} title={code}>
    {word}
  </span>
)

interface StatusProps extends RefundFigures {
  readonly status: string | undefined
}

/** The state of a payment, a record or a transaction. */
export function Status({ status, ...figures }: StatusProps) {
  if (status === undefined) return <span class="quiet">{ABSENT}</span>
  const { tone, words } = styleOfPayment(status, figures)
  return <Badge tone={tone} word={wordsOf(words)} code={status} />
}

/** `Partially settled` */
export const statusWords = (status: string): string => wordsOf(styleOf(status).words)

/** `200`, `422 RequestValidationError`, or that there was no response. */
export function RequestStatus({ entry: { status, errorId } }: { readonly entry: LoggedRequest }) {
  const tone = status === undefined ? 'warn' : status >= 500 ? 'bad' : status >= 300 ? 'warn' : 'good'
  return (
    <>
      <Badge tone={tone} word={String(status ?? 'No response')} /> {errorId}
    </>
  )
}
