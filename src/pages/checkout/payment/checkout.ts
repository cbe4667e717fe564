import { signal } from '@preact/signals'
import type { ReadonlySignal } from '@preact/signals'
import { bodyIn, outcomeOf, paymentIn } from '../service/client.ts'
import type { Answer, Client, CheckoutPayment } from '../service/client.ts'
import { priceOf } from '../summary/price.ts'
import type { Choice, Price, Terms } from '../summary/price.ts'
import { createPayment, readPaymentUntilKnown, sendRepeatable, tokenize } from './create-payment.ts'
import type { Created, Sending } from './create-payment.ts'
import { loadDetails, whyRefused, whyUnpayable } from './load.ts'
import type { Details } from './load.ts'
import { retryDelayMs, followDelayMs } from './pause.ts'
import type { Pause } from './pause.ts'
import type { Phase, Result, Unusable } from './phase.ts'
import type { Payment } from '../../../api/models/payment.ts'

interface CheckoutOptions {
  readonly client: Client
  readonly pause: Pause
  /** Makes the idempotency key of a payment. */
  readonly newKey: () => string
  /** Called with the result of each payment. */
  readonly onEnded: (result: Result) => void
  /** Called with the error's ID when this checkout can't be used. */
  readonly onUnusable: (errorId: string) => void
}

/** The checkout of one session, from loading to the result. */
export interface Checkout {
  readonly phase: ReadonlySignal<Phase>
  readonly details: ReadonlySignal<Details | undefined>
  /** What the customer agreed to pay; undefined until then. */
  readonly paying: ReadonlySignal<Price | undefined>
  load(): Promise<void>
  /**
   * Does nothing unless the customer is choosing, so a second click can't pay twice. Calls `forgetCard` as soon as the card
   * has become a token.
   */
  pay(choice: Choice, cardDigits: string, forgetCard: () => void): Promise<void>
  /** Answers the action that a pending payment needs. */
  answer(outcome: 'pass' | 'fail'): Promise<void>
  /** Ends the current wait, for example because the connection is back. */
  checkNow(): void
}

export function createCheckout(options: CheckoutOptions): Checkout {
  const { client, pause, newKey, onEnded, onUnusable } = options
  const phase = signal<Phase>({ kind: 'loading' })
  const details = signal<Details | undefined>(undefined)
  const paying = signal<Price | undefined>(undefined)
  const show = (next: Phase) => {
    if (next.kind === 'loading' || next.kind === 'choosing') paying.value = undefined
    phase.value = next
  }
  const sending = { client, pause, show }
  const follower = createFollower(sending, (payment) => settle({ kind: 'payment', payment }))

  /** Only the latest load counts: the customer may request one while the page retries. */
  let loads = 0

  async function load(): Promise<void> {
    show({ kind: 'loading' })
    loads += 1
    const mine = loads
    for (let lost = 0; ; lost += 1) {
      const loaded = await loadDetails(client)
      if (mine !== loads) return
      if (loaded.kind === 'loaded') return start(loaded.details)
      stop(loaded.problem)
      if (loaded.problem.errorId !== undefined) return
      await pause.wait(retryDelayMs(lost))
      if (mine !== loads) return
    }
  }

  async function start(loaded: Details): Promise<void> {
    details.value = loaded
    const { payment } = loaded.terms
    if (payment !== undefined && isOpen(payment))
      return settle(await readPaymentUntilKnown(payment.id, sending))
    const problem = whyUnpayable(loaded)
    if (problem === undefined) return show({ kind: 'choosing' })
    stop(problem)
  }

  /** Shows the state of a payment, and follows it until it ends. */
  function settle(created: Created, problem?: string): void {
    if (created.kind === 'unknown') return
    if (created.kind === 'refused') return end(created.result)
    const { payment } = created
    const outcome = outcomeOf(payment)
    if (outcome === undefined) {
      show({ kind: 'pending', payment, isAnswering: false, problem })
      void follower.follow(payment, problem)
      return
    }
    const { code, message } = payment.statusReason ?? {}
    end({ outcome, payment, reason: code, message })
  }

  function end(result: Result): void {
    show({ kind: 'ended', result })
    onEnded(result)
  }

  async function pay(choice: Choice, cardDigits: string, forgetCard: () => void): Promise<void> {
    const before = details.value
    if (phase.value.kind !== 'choosing' || before === undefined) return
    paying.value = priceOf(choice, before.terms, cardDigits)
    show({ kind: 'busy', isSent: false })
    if (!(await isUnchanged(choice, cardDigits, before))) return
    const answer = await tokenize(choice, cardDigits, sending)
    const token = bodyIn(answer)?.paymentMethodToken
    if (token === undefined) return goBack(answer)
    forgetCard()
    show({ kind: 'busy', isSent: true })
    settle(await createPayment(token, newKey(), sending))
  }

  /** Returns to the form, unless the client token is refused. */
  function goBack(answer: Answer): void {
    if (answer.kind === 'refused' && answer.status === 401) return stop(whyRefused(answer))
    show({ kind: 'choosing', problem: `${describe(answer)} Nothing was charged.` })
  }

  function stop(problem: Unusable): void {
    show({ kind: 'unusable', problem })
    if (problem.errorId !== undefined) onUnusable(problem.errorId)
  }

  /** The service charges the session's price at that moment, so the price on the button must still be current. */
  async function isUnchanged(choice: Choice, cardDigits: string, before: Details): Promise<boolean> {
    const answer = await sendRepeatable<Terms>(sending, 'GET', '/sandbox/checkout')
    const terms = bodyIn(answer)
    if (terms === undefined) {
      goBack(answer)
      return false
    }
    if (terms.payment !== undefined && isOpen(terms.payment)) {
      settle(await readPaymentUntilKnown(terms.payment.id, sending))
      return false
    }
    const [shown, actual] = [before.terms, terms].map((one) => ({
      amount: priceOf(choice, one, cardDigits).amount,
      currencyCode: one.currencyCode,
    }))
    if (shown?.amount === actual?.amount && shown?.currencyCode === actual?.currencyCode) return true
    await load()
    if (phase.value.kind === 'choosing')
      show({ kind: 'choosing', problem: 'The shop has changed the order. Check the total, then pay again.' })
    return false
  }

  async function giveAnswer(outcome: 'pass' | 'fail'): Promise<void> {
    if (phase.value.kind !== 'pending' || phase.value.isAnswering) return
    const { payment } = phase.value
    follower.stop()
    show({ kind: 'pending', payment, isAnswering: true })
    const answered = await answerAction(payment, outcome, sending)
    if (answered.kind === 'unanswered')
      settle({ kind: 'payment', payment }, `${answered.why} ${ANSWER_AGAIN}`)
    else settle(answered, ANSWER_AGAIN)
  }

  return { phase, details, load, pay, answer: giveAnswer, checkNow: () => pause.endAll(), paying }
}

/** The problem of a payment that is still pending after the customer's answer. */
const ANSWER_AGAIN = 'Your answer did not arrive. Answer again.'

const isOpen = ({ status }: { readonly status: string }): boolean => !['DECLINED', 'FAILED'].includes(status)

function describe(answer: Answer): string {
  switch (answer.kind) {
    case 'done':
      return 'The service sent an incomplete response.'
    case 'lost':
      return answer.why
    case 'refused':
      return [answer.description, answer.recoverySuggestion].filter((text) => text !== undefined).join(' ')
  }
}

/** Follows payments that wait for a third party. */
interface Follower {
  /** Ends when the payment's status changes, or when another payment is followed. Keeps showing the `problem`. */
  follow(payment: CheckoutPayment, problem: string | undefined): Promise<void>
  stop(): void
}

function createFollower(
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
