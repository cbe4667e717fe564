import { read, call } from '../../page/service.ts'
import type { ShownRecord } from '../../../sandbox/domain/records.ts'
import type { PaymentRecord } from '../../../api/models/external-payment.ts'
import { Link } from '../parts/router.tsx'
import { NothingThere, PageFrame } from '../parts/page-frame.tsx'
import { Empty, Failure, FetchState, ErrorText } from '../parts/states.tsx'
import { useFetched } from '../parts/use-fetched.ts'
import type { ComponentChild } from 'preact'
import { formatField, formatFreeText, joinParts } from '../../../views/format-fields.ts'
import { capitalize } from '../../../text/words.ts'
import { formatTime, formatAmount, groupDigits, withoutZone } from '../../page/format.ts'
import { Details } from '../parts/details.tsx'
import { Status, RequestStatus } from '../parts/status.tsx'
import { accountOf, Metadata, reasonOf, words, PaymentDetails } from './payment-details.tsx'
import { PaymentFrame, customerOf } from './payment-heading.tsx'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { ACTION_NAMES, actionOf } from '../../../api/actions/actions.ts'
import type { ActionName } from '../../../api/actions/actions.ts'
import type { Payment, Transaction } from '../../../api/models/payment.ts'
import { describeStatus } from '../../../views/payment/build-explanation.ts'
import { isAllowed } from '../../../views/payment/actions.ts'
import { announce } from '../parts/announcement.tsx'
import { ActionDialog } from './action-dialog.tsx'
import { useSubmit } from '../parts/form.tsx'
import { explainDecline, RETRY_TEXTS } from '../../../views/payment/decline.ts'
import { wordsOf, processorName } from '../../page/words.ts'
import { deriveAmounts } from '../../../views/payment/amounts.ts'
import { buildTimeline } from '../../../views/payment/timeline.ts'
import { hasUnrepairedRefund, transactionTypeOf } from '../../../api/payment-states.ts'
import { Table } from '../parts/table.tsx'
import type { Column } from '../parts/table.tsx'
import type { LoggedRequest } from '../../../sandbox/log/logged-request.ts'
import { writeQuery } from '../../page/send.ts'

/** A payment or an external record, kept up to date. */
export function PaymentPage({ id }: { readonly id: string }) {
  const fetched = useFetched(
    (signal) => read<ShownRecord>('/sandbox/record', { query: { id }, signal }),
    [id],
  )
  const { data, error, reload } = fetched
  if (error?.errorId === 'EntityNotFound')
    return <NothingThere title={id} why="The sandbox has no payment with this ID." />
  if (data === undefined)
    return (
      <PageFrame title={id}>
        <FetchState what="the payment" of={fetched} />
      </PageFrame>
    )
  const failure = error === undefined ? null : <Failure error={error} onRetry={reload} />
  return data.source === 'payments' ? (
    <PaymentView id={id} payment={data.payment} failure={failure} onChanged={reload} />
  ) : (
    <RecordView id={id} record={data.record} failure={failure} />
  )
}

interface RecordViewProps {
  readonly id: string
  readonly record: PaymentRecord
  readonly failure: ComponentChild
}

/** An external record: the payment was made elsewhere, so it has no actions here. */
function RecordView({ id, record, failure }: RecordViewProps) {
  const { status, statusReason, processor, order, paymentMethod, metadata = {} } = record
  const network = paymentMethod?.data?.binData?.network
  return (
    <PaymentFrame
      id={id}
      amount={record.amount}
      currencyCode={record.currencyCode}
      status={<Status status={status} />}
    >
      {failure}
      <p class="headline">External record: this payment was made outside the sandbox.</p>
      <Details
        entries={[
          ['Reason', reasonOf(statusReason)],
          ['Created', formatTime(record.createdAt)],
          ['Order', formatField(order?.id)],
          ['Country', formatField(order?.countryCode)],
          ['Method', joinParts([words(paymentMethod?.paymentMethodType), words(network)])],
          ['Processor', accountOf(processor?.name, processor?.merchantId)],
          ['Payment type', words(record.paymentType)],
          ['Descriptor', formatFreeText(record.descriptor)],
        ]}
      />
      <Metadata metadata={metadata} heading="h2" />
      <PaymentRequests id={id} />
    </PaymentFrame>
  )
}

interface PaymentViewProps {
  readonly id: string
  readonly payment: Payment
  readonly failure: ComponentChild
  readonly onChanged: () => void
}

function PaymentView({ id, payment, failure, onChanged }: PaymentViewProps) {
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
    <PaymentFrame
      id={id}
      amount={payment.amount}
      currencyCode={payment.currencyCode}
      customer={customerOf(payment)}
      status={
        <Status
          status={payment.status}
          captured={payment.processor?.amountCaptured}
          refunded={payment.processor?.amountRefunded}
          hasFailedRefund={hasUnrepairedRefund(payment.transactions ?? [])}
        />
      }
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
    </PaymentFrame>
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

/** What happened to the payment, in order. */
function Timeline({ payment }: { readonly payment: Payment }) {
  return (
    <section aria-label="Timeline">
      <h2>Timeline</h2>
      <ol class="timeline">
        {buildTimeline(payment).map(({ at, event, words: what }, index) => (
          // Events are only added at the end of their kind.
          <li key={`${event}-${index}`} class={event}>
            <p>{inWords(what, payment)}</p>
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
    (shown, [code, word]) => (code === undefined ? shown : shown.replaceAll(code, () => word)),
    groupDigits(text).replaceAll(/: [✓✗…–?] /g, ': '),
  )
}

/** Transactions at the processor; each refund has its own. */
function Transactions({ payment }: { readonly payment: Payment }) {
  const { transactions = [], currencyCode, orderId: ordered } = payment
  if (transactions.length === 0) return null
  const columns: readonly Column<Transaction>[] = [
    { name: 'Transaction', cell: (entry) => wordsOf(transactionTypeOf(entry) ?? '') },
    { name: 'Status', cell: ({ processorStatus }) => <Status status={processorStatus} /> },
    {
      name: 'Amount',
      isFigure: true,
      cell: (entry) => formatAmount(entry.amount, entry.currencyCode ?? currencyCode),
    },
    { name: 'Time', cell: ({ date }) => withoutZone(formatTime(date)) },
    { name: 'Processor', from: 'medium', cell: ({ processorName: name }) => processorName(name ?? '') },
    { name: 'Order', cell: ({ orderId }) => wrapped(orderId === ordered ? undefined : formatField(orderId)) },
    {
      name: 'Reason',
      cell: ({ reason, processorStatusReason: cause }) =>
        wrapped(joinParts([reasonOf(cause), formatFreeText(reason)], '; ')),
    },
    {
      name: 'Processor ID',
      cell: ({ processorTransactionId }) => wrapped(formatField(processorTransactionId)),
    },
  ]
  return (
    <section>
      <h2>Transactions</h2>
      <Table
        label="Transactions"
        columns={columns.filter(({ cell }) => transactions.some((entry) => cell(entry) !== null))}
        rows={transactions}
        keyOf={(entry) => `${entry.processorTransactionId ?? ''} ${entry.date ?? ''}`}
      />
    </section>
  )
}

const wrapped = (text: string | undefined) =>
  text === undefined || text === '' ? null : <span class="wrapped">{text}</span>

/** The requests that concerned the payment, as long as the log keeps them. */
function PaymentRequests({ id }: { readonly id: string }) {
  const { data, error, reload } = useFetched(
    (signal) =>
      read<{ data: readonly LoggedRequest[] }>('/sandbox/requests', { query: { payment: id }, signal }),
    [id],
  )
  return (
    <section>
      <h2>Requests</h2>
      {error === undefined ? null : <Failure error={error} onRetry={reload} />}
      {data?.data.length === 0 ? <Empty title="The log has no request for this payment." /> : null}
      {data === undefined || data.data.length === 0 ? null : (
        <Table
          label="Requests"
          rows={data.data}
          keyOf={({ requestId }) => requestId}
          isList
          columns={[
            {
              name: 'Request',
              phone: 'left',
              cell: ({ requestId, method, path }) => (
                <Link
                  class="row-link"
                  to={`/dashboard/requests${writeQuery({ payment: id, request: requestId })}`}
                >
                  {method} {path}
                </Link>
              ),
            },
            {
              name: 'Status',
              width: '14rem',
              phone: 'left',
              cell: (entry) => <RequestStatus entry={entry} />,
            },
            { name: 'Time', width: '11.5rem', phone: 'left', cell: ({ at }) => withoutZone(formatTime(at)) },
          ]}
        />
      )}
    </section>
  )
}
