import { useSignal } from '@preact/signals'
import type { ComponentChild } from 'preact'
import type { Payment } from '../../../../api/models/payment.ts'
import { describeStatus } from '../../../../views/payment/build-explanation.ts'
import { isAllowed, PAYMENT_ACTIONS } from '../../../../views/payment/allowed-actions.ts'
import type { PaymentActionName } from '../../../../views/payment/allowed-actions.ts'
import { announce } from '../parts/announcement.tsx'
import { PageFrame } from '../parts/page-frame.tsx'
import { Status } from '../parts/status.tsx'
import { ACTION_FORMS } from './action-forms.ts'
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
  const open = useSignal<PaymentActionName | undefined>(undefined)
  const notice = useSignal<string | undefined>(undefined)
  // In memory only, for the next step.
  const resumeToken = useSignal('')

  function finish(action: PaymentActionName, changed: Payment, wasAnswerLost: boolean): void {
    const { title } = ACTION_FORMS[action]
    notice.value = wasAnswerLost
      ? `The answer to ${title} was lost, but the payment shows that it was applied. ${describeStatus(changed)}`
      : `${title}: ${describeStatus(changed)}`
    announce(notice.value)
    open.value = undefined
    resumeToken.value = ''
    onChanged()
  }

  return (
    <PageFrame
      title={id}
      actions={
        <div class="buttons">
          {PAYMENT_ACTIONS.filter((action) => isAllowed(action, payment)).map((action) => (
            <button key={action} type="button" onClick={() => (open.value = action)}>
              {ACTION_FORMS[action].title}
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
          onDone={(changed, wasAnswerLost) => {
            if (open.value !== undefined) finish(open.value, changed, wasAnswerLost)
          }}
        />
      )}
    </PageFrame>
  )
}
