import { useSignal } from '@preact/signals'
import type { ComponentChild } from 'preact'
import { useEffect } from 'preact/hooks'
import { ACTION_NAMES, actionOf } from '../../../api/actions/actions.ts'
import type { ActionName } from '../../../api/actions/actions.ts'
import type { Payment } from '../../../api/models/payment.ts'
import { describeStatus } from '../../../views/payment/build-explanation.ts'
import { isAllowed } from '../../../views/payment/actions.ts'
import { announce } from '../parts/announcement.tsx'
import { PageFrame } from '../parts/page-frame.tsx'
import { Status } from '../parts/status.tsx'
import { ActionDialog } from './action-dialog.tsx'
import { PaymentDetails, reasonOf } from './payment-details.tsx'
import { CopyId, customerOf, PaymentHeading } from './payment-heading.tsx'
import { PaymentRequests } from './payment-requests.tsx'
import { Timeline } from './timeline.tsx'
import { Transactions } from './transactions.tsx'
import { formatFreeText } from '../../../views/format-fields.ts'
import { call } from '../../page/service.ts'
import { useSubmit } from '../parts/use-submit.ts'
import { ErrorText } from '../parts/states.tsx'
import { explainDecline, RETRY_TEXTS } from '../../../views/payment/decline.ts'
import { Details } from '../parts/details.tsx'
import { formatAmount } from '../../page/format.ts'
import { wordsOf } from '../../page/words.ts'
import { deriveAmounts } from '../../../views/payment/amounts.ts'
import { capitalize } from '../../../text/words.ts'

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
      heading={
        <PaymentHeading
          id={id}
          amount={payment.amount}
          currencyCode={payment.currencyCode}
          customer={customerOf(payment)}
          status={
            <Status
              status={payment.status}
              captured={payment.processor?.amountCaptured}
              refunded={payment.processor?.amountRefunded}
            />
          }
        />
      }
      below={<CopyId id={id} />}
      actions={
        <div class="buttons actions">
          {ACTION_NAMES.filter((action) => isAllowed(action, payment)).map((action) => (
            <button
              key={action}
              type="button"
              class={action === 'capture' ? 'primary' : undefined}
              aria-keyshortcuts={action === 'refund' ? 'r' : undefined}
              onClick={() => (open.value = action)}
            >
              {actionOf(action).title}
            </button>
          ))}
        </div>
      }
    >
      {failure}
      {notice.value === undefined ? null : <p class="payment-notice">{notice.value}</p>}
      <p class="headline">{describeStatus(payment)}</p>
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
  const { error, submit } = useSubmit()
  const answer = (outcome: 'pass' | 'fail', word: string) => () =>
    submit(async () => {
      const body = { paymentId: id, outcome }
      const { resumeToken } = await call<{ resumeToken: string }>('POST', '/sandbox/challenge', body)
      onAnswered(resumeToken)
      answered.value = `${word}. Resume the payment to continue.`
      announce(answered.value)
    })

  return (
    <section class="waiting" aria-label="Required action">
      <p>{formatFreeText(requiredAction?.description) ?? wordsOf(requiredAction?.name ?? '')}</p>
      {/* You answer for the customer, as on the sandbox's challenge page. */}
      <div class="buttons">
        <button type="button" onClick={answer('pass', 'Approved')}>
          Approve
        </button>
        <button type="button" onClick={answer('fail', 'Rejected')}>
          Reject
        </button>
      </div>
      {answered.value === undefined ? null : <p class="answered">{answered.value}</p>}
      {error === undefined ? null : (
        <div class="refusal" role="alert">
          <ErrorText error={error} />
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
          ['Reason', reasonOf(statusReason)],
          ['What it means', means],
          ['Try again', capitalize(RETRY_TEXTS[retry].text)],
          ['What to do', advice],
        ]}
      />
    </section>
  )
}

/** What was authorized, captured and refunded, and what is left. */
function Money({ payment }: { readonly payment: Payment }) {
  const { amount = 0, currencyCode } = payment
  const figures = deriveAmounts(payment)
  const { authorized, captured = 0, refunded = 0, released = 0, leftToCapture = 0 } = figures
  const parts = [
    ['kept', 'Kept', captured - refunded],
    ['refunded', 'Refunded', refunded],
    ['left', 'Left to capture', leftToCapture],
    ['released', 'Released', released],
  ] as const
  const shown = parts.filter(([, , part]) => part > 0)
  return (
    <section aria-label="Money">
      <h2>Money</h2>
      {shown.length === 0 || amount === 0 ? null : (
        <div class="money-bar" aria-hidden="true">
          {shown.map(([name, , part]) => (
            <div key={name} class={name} style={{ flexGrow: part / amount }} />
          ))}
        </div>
      )}
      <dl class="money">
        {[
          ['', authorized === undefined ? 'Requested' : 'Authorized', authorized ?? payment.amount],
          ...(authorized === undefined && captured === 0 ? [] : [['', 'Captured', figures.captured]]),
          ...shown.filter(([name]) => name !== 'kept'),
          ...(captured === 0 ? [] : [['kept', 'Left to refund', figures.leftToRefund]]),
        ].map(([mark, name, figure]) =>
          typeof figure === 'number' ? (
            <div key={name}>
              <dt class={`${mark}`}>{name}</dt>
              <dd>{formatAmount(figure, currencyCode)}</dd>
            </div>
          ) : null,
        )}
      </dl>
    </section>
  )
}
