import type { Payment } from '../../../api/models/payment.ts'
import { buildTimeline } from '../../../views/payment/timeline.ts'
import { formatTime, groupDigits } from '../../page/format.ts'
import { processorName, wordsOf } from '../../page/words.ts'

/** What happened to the payment, in order. */
export function Timeline({ payment }: { readonly payment: Payment }) {
  return (
    <section aria-label="Timeline">
      <h2>Timeline</h2>
      <ol class="timeline">
        {buildTimeline(payment).map(({ at, event, words }, index) => (
          // Events are only added at the end of their kind.
          <li key={`${event}-${index}`} class={event}>
            <p>{inWords(words, payment)}</p>
            {at === null ? null : <time dateTime={at}>{formatTime(at)}</time>}
          </li>
        ))}
      </ol>
    </section>
  )
}

/** The terminal's words about a payment, with words in place of the codes in it. */
function inWords(
  text: string,
  { transactions = [], paymentMethod, riskData, requiredAction }: Payment,
): string {
  const method = paymentMethod?.paymentMethodData
  const fraud = riskData?.fraudCheck
  const reasons = transactions.map(({ processorStatusReason: reason }) => reason)
  const codes = [
    transactions.map(({ processorStatus }) => processorStatus),
    reasons.flatMap((reason) => [reason?.code, reason?.declineType, reason?.type]),
    [method?.network, method?.binData?.network, paymentMethod?.paymentMethodType],
    [paymentMethod?.threeDSecureAuthentication?.reasonCode],
    [fraud?.preAuthorizationResult, fraud?.postAuthorizationResult],
  ].flat()
  return [
    [requiredAction === undefined ? undefined : ` (${requiredAction.name})`, ''] as const,
    ...[fraud?.source, ...transactions.map(({ processorName: name }) => name)].map(
      (name) => [name, processorName(name ?? '')] as const,
    ),
    ...codes.map((code) => [code, wordsOf(code ?? '')] as const),
  ].reduce(
    (words, [code, word]) => (code === undefined ? words : words.replaceAll(code, () => word)),
    groupDigits(text).replaceAll(/: [✓✗…–?] /g, ': '),
  )
}
