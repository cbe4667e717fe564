import type { JSX } from 'preact'
import type { CheckoutPayment } from '../service/payment.ts'
import { Money } from '../summary/grouped.tsx'
import { FocusedHeading } from './focused-heading.tsx'

export interface PendingProps {
  readonly payment: CheckoutPayment
  /** The method's name, such as iDEAL. */
  readonly methodName: string
  readonly amount: string | undefined
  readonly isAnswering: boolean
  readonly problem: string | undefined
  readonly onAnswer: (outcome: 'pass' | 'fail') => void
}

export const isChallenge = ({ requiredAction }: CheckoutPayment): boolean =>
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
