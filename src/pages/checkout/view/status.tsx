import type { ComponentChildren, JSX } from 'preact'
import type { Phase, Result } from '../payment/phase.ts'
import type { Outcome } from '../service/payment.ts'
import { Money } from '../summary/grouped.tsx'
import { wordsOf } from '../../page/words.ts'
import { FocusedHeading } from './focused-heading.tsx'
import { isChallenge } from './pending-step.tsx'

export interface StatusProps {
  readonly phase: Phase
  readonly amount: string | undefined
  readonly methodName: string
}

const TITLES: Readonly<Record<Outcome, string>> = {
  successful: 'Payment successful',
  declined: 'Payment declined',
  failed: 'Payment failed',
}

/** Says what is known about the payment. The region is always there, so that screen readers announce every change. */
export function Status(props: StatusProps): JSX.Element {
  const { phase } = props
  const tone = phase.kind === 'ended' ? phase.result.outcome : phase.kind
  return (
    <div role="status" class={`status status-${tone}`}>
      {contentOf(props)}
    </div>
  )
}

function contentOf({ phase, amount, methodName }: StatusProps): ComponentChildren {
  switch (phase.kind) {
    case 'loading':
      return <p class="progress">Loading the order…</p>
    case 'unusable':
    case 'choosing':
      return null
    case 'busy':
      return (
        <p class="progress">
          Paying {amount === undefined ? '' : <Money text={amount} />}…{' '}
          {phase.isSent ? "Don't close this page." : ''}
        </p>
      )
    case 'unconfirmed':
      return <Unconfirmed phase={phase} />
    case 'pending':
      if (phase.isAnswering) return <p class="progress">Sending your answer…</p>
      return isChallenge(phase.payment) ? null : (
        <p class="progress">
          {methodName} has not answered yet. This page looks again regularly and shows the result. You can
          leave it open, or come back later.
        </p>
      )
    case 'ended':
      return <Ended result={phase.result} amount={amount} />
  }
}

function Unconfirmed({ phase }: { readonly phase: Extract<Phase, { kind: 'unconfirmed' }> }): JSX.Element {
  const { why, paymentId, continues } = phase
  return (
    <>
      <FocusedHeading id="result-title">Payment not confirmed yet</FocusedHeading>
      <p>
        {why}{' '}
        {paymentId === undefined
          ? 'The payment was sent, but its result is unknown.'
          : 'The payment exists, but its result is unknown.'}
      </p>
      {paymentId === undefined ? null : <PaymentId id={paymentId} />}
      <p>
        {continues
          ? "This page tries again automatically. That can't charge you twice."
          : "Don't pay again. Ask the shop whether it received the payment."}
      </p>
    </>
  )
}

function Ended({
  result,
  amount,
}: {
  readonly result: Result
  readonly amount: string | undefined
}): JSX.Element {
  const { outcome, payment, message, reason } = result
  const isSuccessful = outcome === 'successful'
  return (
    <>
      <FocusedHeading id="result-title">{TITLES[outcome]}</FocusedHeading>
      {isSuccessful && amount !== undefined ? (
        <p>
          You paid <Money text={amount} />.
        </p>
      ) : null}
      {isSuccessful ? null : <p>{message === undefined ? '' : `${message} `}You were not charged.</p>}
      {payment === undefined ? null : <PaymentId id={payment.id} />}
      {reason === undefined ? null : (
        <p class="hint">
          Reason: <span title={reason}>{wordsOf(reason)}</span>
        </p>
      )}
    </>
  )
}

const PaymentId = ({ id }: { readonly id: string }): JSX.Element => (
  <p class="hint">
    Payment <code>{id}</code>
  </p>
)
