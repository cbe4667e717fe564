import type { Payment } from '../../../api/models/payment.ts'
import { bodyIn, paymentIn } from '../service/client.ts'
import type { CheckoutPayment } from '../service/client.ts'
import { readPaymentUntilKnown, sendRepeatable } from './create-payment.ts'
import type { Created, Sending } from './create-payment.ts'
import { followDelayMs } from './pause.ts'

/** Follows payments that wait for a third party. */
interface Follower {
  /** Ends when the payment's status changes, or when another payment is followed. Keeps showing the `problem`. */
  follow(payment: CheckoutPayment, problem: string | undefined): Promise<void>
  stop(): void
}

export function createFollower(
  { client, pause, show }: Sending,
  onChanged: (payment: CheckoutPayment) => void,
): Follower {
  let turn = 0
  return {
    follow: async (payment, earlierProblem) => {
      turn += 1
      const mine = turn
      for (let looks = 0; ; looks += 1) {
        await pause.wait(followDelayMs(looks))
        if (mine !== turn) return
        const answer = await client.send<Payment>('GET', `/payments/${encodeURIComponent(payment.id)}`)
        if (mine !== turn) return
        const read = paymentIn(answer)
        if (read?.status !== undefined && read.status !== payment.status) return onChanged(read)
        const problem =
          answer.kind === 'lost'
            ? `${answer.why} The page keeps trying.`
            : answer.kind === 'refused'
              ? answer.description
              : earlierProblem
        show({ kind: 'pending', payment, isAnswering: false, problem })
        if (answer.kind === 'refused') return
      }
    },
    stop: () => {
      turn += 1
    },
  }
}

/**
 * Gives the customer's answer to a required action and resumes the payment. A resume is never repeated blindly: without a
 * response, the payment is read.
 */
export async function answerAction(
  payment: CheckoutPayment,
  outcome: 'pass' | 'fail',
  sending: Sending,
): Promise<Created | { readonly kind: 'unanswered'; readonly why: string }> {
  const body = { paymentId: payment.id, outcome }
  const given = await sendRepeatable<{ resumeToken: string }>(sending, 'POST', '/sandbox/challenge', { body })
  if (given.kind === 'lost') return { kind: 'unanswered', why: given.why }
  const resumeToken = bodyIn(given)?.resumeToken
  if (resumeToken !== undefined) {
    const path = `/payments/${encodeURIComponent(payment.id)}/resume`
    const after = paymentIn(await sending.client.send<Payment>('POST', path, { body: { resumeToken } }))
    if (after?.status !== undefined) return { kind: 'payment', payment: after }
  }
  // Someone else may have answered.
  return readPaymentUntilKnown(payment.id, sending)
}
