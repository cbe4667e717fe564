import type { Payment } from '../../../../api/models/payment.ts'
import { formatReason } from '../../../../views/status.ts'
import { explainDecline, RETRY_TEXTS } from '../../../../views/payment/decline.ts'
import { Details } from '../parts/details.tsx'

/** Why a payment was declined or failed, and what to do. */
export function Decline({ payment: { status, statusReason } }: { readonly payment: Payment }) {
  if (status !== 'DECLINED' && status !== 'FAILED') return null
  const { means, retry, advice } = explainDecline(statusReason)
  return (
    <section aria-label="Reason" class="decline">
      <Details
        entries={[
          ['Reason', formatReason(statusReason)],
          ['What it means', means],
          ['Try again', RETRY_TEXTS[retry].text],
          ['What to do', advice],
        ]}
      />
    </section>
  )
}
