import type { ComponentChildren, JSX } from 'preact'
import type { Phase, Result, Unusable } from '../payment/phase.ts'
import type { Outcome, CheckoutPayment } from '../service/client.ts'
import { Money } from '../summary/grouped.tsx'
import { wordsOf } from '../../page/words.ts'
import { useLayoutEffect, useRef } from 'preact/hooks'

interface StatusProps {
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

interface PendingProps {
  readonly payment: CheckoutPayment
  /** The method's name, such as iDEAL. */
  readonly methodName: string
  readonly amount: string | undefined
  readonly isAnswering: boolean
  readonly problem: string | undefined
  readonly onAnswer: (outcome: 'pass' | 'fail') => void
}

const isChallenge = ({ requiredAction }: CheckoutPayment): boolean =>
  requiredAction?.name === '3DS_AUTHENTICATION' || requiredAction?.name === 'PROCESSOR_3DS'

/** What a pending payment needs: the bank's challenge, or the answer of a third party. In the sandbox, the customer gives both. */
export function PendingStep(props: PendingProps): JSX.Element {
  const { payment, methodName, amount, isAnswering, problem, onAnswer } = props
  const isBank = isChallenge(payment)
  return (
    <section class="step" aria-labelledby="step-title">
      <FocusedHeading id="step-title">
        {isBank ? 'Confirm the payment' : `Waiting for ${methodName}`}
      </FocusedHeading>
      {isBank ? (
        <p>
          Your bank asks: do you want to pay
          {amount === undefined ? (
            ''
          ) : (
            <strong>
              {' '}
              <Money text={amount} />
            </strong>
          )}
          ? (3D Secure)
        </p>
      ) : null}
      <p class="hint">
        Payment <code>{payment.id}</code>
      </p>
      <div class="answers" role="group" aria-labelledby="answers-title">
        <p class="hint" id="answers-title">
          {isBank
            ? 'In the sandbox, you answer for the cardholder.'
            : `In the sandbox, you can answer for ${methodName}.`}
        </p>
        <button type="button" class="primary" disabled={isAnswering} onClick={() => onAnswer('pass')}>
          Approve
        </button>
        <button type="button" class="secondary" disabled={isAnswering} onClick={() => onAnswer('fail')}>
          Reject
        </button>
      </div>
      {problem === undefined ? null : (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </section>
  )
}

/** The heading of a step. It takes the focus as soon as it is there, so that keyboards and screen readers continue there. */
export function FocusedHeading({
  id,
  children,
}: {
  readonly id: string
  readonly children: ComponentChildren
}): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => heading.current?.focus(), [])
  return (
    <h2 id={id} tabIndex={-1} ref={heading}>
      {children}
    </h2>
  )
}

interface UnusableNoticeProps {
  readonly problem: Unusable
  readonly onRetry: () => void
}

/** Why this checkout can't be used, and what to do. */
export function UnusableNotice({ problem, onRetry }: UnusableNoticeProps): JSX.Element {
  return (
    <section class="unusable" role="alert">
      <h2>{problem.title}</h2>
      {problem.text.map((line) => (
        <p key={line}>{line}</p>
      ))}
      {problem.canRetry ? (
        <button type="button" class="secondary" onClick={onRetry}>
          Load again
        </button>
      ) : null}
    </section>
  )
}
