import type { Payment } from '../../../../api/models/payment.ts'
import { formatAmount } from '../../page/format.ts'
import { deriveAmounts } from '../../../../views/payment/amounts.ts'
import { Details } from '../parts/details.tsx'

/** What was authorized, captured and refunded, and what is left. */
export function Money({ payment }: { readonly payment: Payment }) {
  const { amount = 0, currencyCode } = payment
  const { captured, released, refunded, leftToCapture, leftToRefund } = deriveAmounts(payment)
  const money = (amountMinor: number | undefined) => formatAmount(amountMinor, currencyCode)
  const parts = [
    ['kept', (captured ?? 0) - (refunded ?? 0)],
    ['refunded', refunded ?? 0],
    ['left', leftToCapture ?? 0],
    ['released', released ?? 0],
  ] as const
  return (
    <section aria-label="Money">
      <h2>Money</h2>
      <div class="money-bar" aria-hidden="true">
        {parts.map(([name, part]) =>
          part > 0 && amount > 0 ? <div key={name} class={name} style={{ flexGrow: part / amount }} /> : null,
        )}
      </div>
      <Details
        entries={[
          ['Amount', money(payment.amount)],
          ['Authorized', money(deriveAmounts(payment).authorized)],
          ['Captured', money(captured)],
          ['Released', released === undefined || released === 0 ? undefined : money(released)],
          ['Refunded', money(refunded)],
          ['Left to capture', money(leftToCapture)],
          ['Left to refund', money(leftToRefund)],
        ]}
      />
    </section>
  )
}
