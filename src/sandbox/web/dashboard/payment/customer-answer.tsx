import { useSignal } from '@preact/signals'
import type { Payment } from '../../../../api/models/payment.ts'
import { formatField, formatFreeText } from '../../../../views/format-fields.ts'
import { call } from '../../page/service.ts'
import { ServiceError } from '../../page/service-error.ts'
import { announce } from '../parts/announcement.tsx'
import { ErrorText } from '../parts/states.tsx'

interface CustomerAnswerProps {
  readonly payment: Payment
  /** The resume token that the answer returned. */
  readonly onAnswered: (resumeToken: string) => void
}

/** What a pending payment waits for, and a way to answer for the customer or the third party. */
export function CustomerAnswer({ payment: { id, requiredAction }, onAnswered }: CustomerAnswerProps) {
  const answered = useSignal<string | undefined>(undefined)
  const error = useSignal<ServiceError | undefined>(undefined)

  async function answer(outcome: 'pass' | 'fail', word: string): Promise<void> {
    error.value = undefined
    try {
      const body = { paymentId: id, outcome }
      const { resumeToken } = await call<{ resumeToken: string }>('POST', '/sandbox/challenge', body)
      onAnswered(resumeToken)
      answered.value = `${word}. Resume the payment to continue.`
      announce(answered.value)
    } catch (reason) {
      if (!(reason instanceof ServiceError)) throw reason
      error.value = reason
    }
  }

  return (
    <section class="waiting" aria-label="Required action">
      <p>
        {formatFreeText(requiredAction?.description)}{' '}
        <span class="quiet">({formatField(requiredAction?.name)})</span>
      </p>
      {/* You answer for the customer, as on the sandbox's challenge page. */}
      <div class="buttons">
        <button type="button" onClick={() => void answer('pass', 'Approved')}>
          Approve
        </button>
        <button type="button" onClick={() => void answer('fail', 'Rejected')}>
          Reject
        </button>
      </div>
      {answered.value === undefined ? null : <p class="answered">{answered.value}</p>}
      {error.value === undefined ? null : (
        <div class="refusal" role="alert">
          <ErrorText error={error.value} />
        </div>
      )}
    </section>
  )
}
