import type { Payment } from '../../../../api/models/payment.ts'
import { formatTime } from '../../page/format.ts'
import { buildTimeline } from '../../../../views/payment/timeline.ts'

/** What happened to the payment, in order. */
export function Timeline({ payment }: { readonly payment: Payment }) {
  return (
    <section aria-label="Timeline">
      <h2>Timeline</h2>
      <ol class="timeline">
        {buildTimeline(payment).map(({ at, event, words }, index) => (
          // Events are only added at the end of their kind.
          <li key={`${event}-${index}`} class={event}>
            <p>{words}</p>
            {at === null ? null : <time dateTime={at}>{formatTime(at)}</time>}
          </li>
        ))}
      </ol>
    </section>
  )
}
