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
import { PaymentDetails } from './payment-details.tsx'
import { PaymentRequests } from './payment-requests.tsx'
import { Transactions } from './transactions.tsx'
import { formatField, formatFreeText } from '../../../../views/format-fields.ts'
import { call } from '../../page/service.ts'
import { ServiceError } from '../../page/service-error.ts'
import { ErrorText } from '../parts/states.tsx'
import { formatReason } from '../../../../views/status.ts'
import { explainDecline, RETRY_TEXTS } from '../../../../views/payment/decline.ts'
import { Details } from '../parts/details.tsx'
import { formatAmount, formatTime } from '../../page/format.ts'
import { deriveAmounts } from '../../../../views/payment/amounts.ts'
import { buildTimeline } from '../../../../views/payment/timeline.ts'

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

interface CustomerAnswerProps {
  readonly payment: Payment
  /** The resume token that the answer returned. */
  readonly onAnswered: (resumeToken: string) => void
}

/** What a pending payment waits for, and a way to answer for the customer or the third party. */
function CustomerAnswer({ payment: { id, requiredAction }, onAnswered }: CustomerAnswerProps) {
  const answered = useSignal<string | undefined>(undefined)
  const error = useSignal<ServiceError | undefined>(undefined)

  async function answer(outcome: 'pass' | 'fail', word: string): Promise<void> {
    error.value = undefined
    try {
      const body = { paymentId: id, outcome }
      const { resumeToken } = await call<{ resumeToken: string }>('POST', '/sandbox/challenge', body)
      onAnswered(resumeToken)
      answered.value = `${word}. Resume the payment to continue.`
      announce(answered.value)
    } catch (reason) {
      if (!(reason instanceof ServiceError)) throw reason
      error.value = reason
    }
  }

  return (
    <section class="waiting" aria-label="Required action">
      <p>
        {formatFreeText(requiredAction?.description)}{' '}
        <span class="quiet">({formatField(requiredAction?.name)})</span>
      </p>
      {/* You answer for the customer, as on the sandbox's challenge page. */}
      <div class="buttons">
        <button type="button" onClick={() => void answer('pass', 'Approved')}>
          Approve
        </button>
        <button type="button" onClick={() => void answer('fail', 'Rejected')}>
          Reject
        </button>
      </div>
      {answered.value === undefined ? null : <p class="answered">{answered.value}</p>}
      {error.value === undefined ? null : (
        <div class="refusal" role="alert">
          <ErrorText error={error.value} />
        </div>
      )}
    </section>
  )
}

/** Why a payment was declined or failed, and what to do. */
function Decline({ payment: { status, statusReason } }: { readonly payment: Payment }) {
  if (status !== 'DECLINED' && status !== 'FAILED') return null
  const { means, retry, advice } = explainDecline(statusReason)
  return (
    <section aria-label="Reason" class="decline">
      <Details
        entries={[
          ['Reason', formatReason(statusReason)],
          ['What it means', means],
          ['Try again', RETRY_TEXTS[retry].text],
          ['What to do', advice],
        ]}
      />
    </section>
  )
}

/** What was authorized, captured and refunded, and what is left. */
function Money({ payment }: { readonly payment: Payment }) {
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

/** What happened to the payment, in order. */
function Timeline({ payment }: { readonly payment: Payment }) {
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
