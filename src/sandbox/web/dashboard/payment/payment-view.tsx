import { useSignal } from '@preact/signals'
import type { ComponentChild } from 'preact'
import { useEffect } from 'preact/hooks'
import { ACTION_NAMES, actionOf } from '../../../../api/actions/actions.ts'
import type { ActionName } from '../../../../api/actions/actions.ts'
import type { Payment } from '../../../../api/models/payment.ts'
import { describeStatus } from '../../../../views/payment/build-explanation.ts'
import { isAllowed } from '../../../../views/payment/actions.ts'
import { announce } from '../parts/announcement.tsx'
import { PageFrame } from '../parts/page-frame.tsx'
import { Status } from '../parts/status.tsx'
import { ActionDialog } from './action-dialog.tsx'
import { CustomerAnswer } from './customer-answer.tsx'
import { Decline } from './decline.tsx'
import { Money } from './money.tsx'
import { PaymentDetails } from './payment-details.tsx'
import { PaymentRequests } from './payment-requests.tsx'
import { Timeline } from './timeline.tsx'
import { Transactions } from './transactions.tsx'

interface PaymentViewProps {
  readonly id: string
  readonly payment: Payment
  readonly failure: ComponentChild
  readonly onChanged: () => void
}

export function PaymentView({ id, payment, failure, onChanged }: PaymentViewProps) {
  const open = useSignal<ActionName | undefined>(undefined)
  const notice = useSignal<string | undefined>(undefined)
  // In memory only, for the next step.
  const resumeToken = useSignal('')

  function finish(action: ActionName, wasAnswerLost: boolean): void {
    notice.value = wasAnswerLost
      ? `The answer to ${actionOf(action).title} was lost, but the payment shows that it was applied.`
      : actionOf(action).done
    announce(notice.value)
    open.value = undefined
    resumeToken.value = ''
    onChanged()
  }

  useEffect(() => {
    // The button of a finished action may be gone, and the focus with it.
    if (notice.value !== undefined && document.activeElement === document.body)
      document.querySelector('h1')?.focus({ preventScroll: true })
  }, [payment])

  return (
    <PageFrame
      title={id}
      actions={
        <div class="buttons">
          {ACTION_NAMES.filter((action) => isAllowed(action, payment)).map((action) => (
            <button key={action} type="button" onClick={() => (open.value = action)}>
              {actionOf(action).title}
            </button>
          ))}
        </div>
      }
    >
      {failure}
      {notice.value === undefined ? null : <p class="payment-notice">{notice.value}</p>}
      <p class="headline">
        <Status status={payment.status} /> <span>{describeStatus(payment)}</span>
      </p>
      {isAllowed('resume', payment) ? (
        <CustomerAnswer
          payment={payment}
          onAnswered={(token) => {
            resumeToken.value = token
          }}
        />
      ) : null}
      <Decline payment={payment} />
      <div class="payment-columns">
        <div>
          <Money payment={payment} />
          <Timeline payment={payment} />
        </div>
        <PaymentDetails payment={payment} />
      </div>
      <Transactions payment={payment} />
      <PaymentRequests id={id} />
      {open.value === undefined ? null : (
        <ActionDialog
          action={open.value}
          payment={payment}
          resumeToken={resumeToken.value}
          onClose={() => (open.value = undefined)}
          onDone={(wasAnswerLost) => {
            if (open.value !== undefined) finish(open.value, wasAnswerLost)
          }}
        />
      )}
    </PageFrame>
  )
}
