import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { actionOf } from '../../../api/actions/actions.ts'
import type { ActionName } from '../../../api/actions/actions.ts'
import { FACTS } from '../../../api/facts.ts'
import type { Payment } from '../../../api/models/payment.ts'
import { UsageError } from '../../../errors.ts'
import { newIdempotencyKey, ServiceError, NO_RESPONSE } from '../../page/send.ts'
import { Dialog } from '../parts/dialog.tsx'
import { CheckBox, ComboBox, TextField } from '../parts/fields.tsx'
import { ErrorText } from '../parts/states.tsx'
import {
  amountChoices,
  amountFacts,
  amountHint,
  amountOf,
  bodyOf,
  describeProcessor,
  planOf,
} from './action-forms.ts'
import type { ActionInput, Processor } from './action-forms.ts'
import { describePayment } from './payment-heading.tsx'
import { read, call } from '../../page/service.ts'
import type { Scenarios } from '../../../sandbox/domain/scenarios/scenarios.ts'
import { useFetched } from '../parts/use-fetched.ts'
import { withFullStop } from '../../../text/words.ts'
import { deriveAmounts } from '../../../views/payment/amounts.ts'
import type { ShownRecord } from '../../../sandbox/domain/records.ts'

interface ActionDialogProps {
  readonly action: ActionName
  /** As the page shows it; may change while the dialog is open. */
  readonly payment: Payment
  /** From an answer that was given for the customer. */
  readonly resumeToken: string
  readonly onDone: (wasAnswerLost: boolean) => void
  readonly onClose: () => void
}

/** Asks for what an action needs, shows what will happen, and sends it once. */
export function ActionDialog({ action, payment, resumeToken, onDone, onClose }: ActionDialogProps) {
  const { title, fields, operation } = actionOf(action)
  const key = useMemo(() => newIdempotencyKey('dashboard'), [])
  const input = useSignal<ActionInput>({
    amount: '',
    reason: '',
    isFinal: true,
    processor: undefined,
    resumeToken,
  })
  const isSending = useSignal(false)
  const problem = useSignal<string | undefined>(undefined)
  const refusal = useSignal<ServiceError | string | undefined>(undefined)
  const processors = useProcessors(fields.includes('processor'))
  const change = (changes: Partial<ActionInput>) => {
    input.value = { ...input.value, ...changes }
    problem.value = undefined
  }
  useEffect(() => {
    const first = processors.find(({ name }) => name === payment.processor?.name) ?? processors[0]
    if (first !== undefined && input.value.processor === undefined) change({ processor: first })
  }, [processors])

  async function send(): Promise<void> {
    const body = bodyOf(action, payment, input.value)
    isSending.value = true
    const outcome = await sendAction({ action, payment, body, key })
    isSending.value = false
    if (outcome.kind === 'done') return onDone(outcome.wasAnswerLost)
    if (outcome.kind === 'refused') refusal.value = outcome.error
    else refusal.value = UNANSWERED[outcome.kind](FACTS[operation].idempotencyKey)
  }

  function submit(): void {
    refusal.value = undefined
    problem.value = undefined
    send().catch((error: unknown) => {
      isSending.value = false
      if (!(error instanceof UsageError)) throw error
      const { hint } = error.details
      const sentence = withFullStop(error.message)
      problem.value = hint === undefined ? sentence : `${sentence} ${hint}`
    })
  }

  const hasAmount = fields.includes('amount')
  return (
    <Dialog
      title={`${title} payment`}
      onClose={onClose}
      isBusy={isSending.value}
      confirm={{ label: title, act: submit }}
    >
      <p class="quiet">{describePayment(payment)}</p>
      {hasAmount ? (
        <TextField
          label="Amount"
          value={input.value.amount}
          onChange={(amount) => change({ amount })}
          hint={amountHint(action, payment, input.value)}
          problem={problem.value}
          isFirst
        >
          {amountChoices(action, payment).map(([name, amount]) => (
            <button key={name} type="button" onClick={() => change({ amount })}>
              {name}
            </button>
          ))}
        </TextField>
      ) : null}
      {fields.includes('final') && isPartial(action, payment, input.value) ? (
        <p>
          <CheckBox
            label="Final: release the rest"
            isChecked={input.value.isFinal}
            onChange={(isFinal) => change({ isFinal })}
          />
        </p>
      ) : null}
      {fields.includes('reason') ? (
        <TextField
          label="Reason"
          value={input.value.reason}
          onChange={(reason) => change({ reason })}
          hint="Why, for your records. Optional."
          isFirst={!hasAmount}
        />
      ) : null}
      {fields.includes('processor') ? (
        <ComboBox
          label="Processor"
          value={String(processors.findIndex((row) => row === input.value.processor))}
          choices={processors.map((processor, index) => ({
            value: String(index),
            label: describeProcessor(processor),
          }))}
          onChange={(index) => change({ processor: processors[Number(index)] })}
        />
      ) : null}
      {fields.includes('resumeToken') ? (
        <TextField
          label="Resume token"
          type="password"
          value={input.value.resumeToken}
          onChange={(token) => change({ resumeToken: token })}
          hint={
            resumeToken === ''
              ? 'Returned by the checkout.'
              : 'From the answer that you gave for the customer.'
          }
          problem={problem.value}
          isFirst
        />
      ) : null}
      <Plan {...planOf(action, payment, input.value)} />
      {refusal.value === undefined ? null : (
        <div class="refusal" role="alert">
          {refusal.value instanceof ServiceError ? (
            <ErrorText error={refusal.value} />
          ) : (
            <p>{refusal.value}</p>
          )}
        </div>
      )}
    </Dialog>
  )
}

/** Whether less than all is moved: only a partial capture leaves something to release. */
function isPartial(action: ActionName, payment: Payment, input: ActionInput): boolean {
  const left = amountFacts(action, payment).fullAmount?.amountMinor
  const amount = amountOf(action, payment, input)
  return left !== undefined && amount !== undefined && amount < left
}

function Plan({ question, consequence, figures }: ReturnType<typeof planOf>) {
  return (
    <div class="plan" aria-live="polite">
      <p>{question}</p>
      {figures.length === 0 ? null : (
        <dl>
          {figures.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      <p class="quiet">{consequence}</p>
    </div>
  )
}

const UNANSWERED = {
  unchanged: (takesKey: boolean) =>
    `The sandbox didn't answer, and the payment is unchanged. ${takesKey ? "You can try again: this can't be applied twice." : 'You can try again.'}`,
  unknown: (takesKey: boolean) =>
    `The sandbox didn't answer, and the payment can't be read: it is unknown whether this was applied. ${takesKey ? "You can try again: this can't be applied twice." : 'Look at the payment before you try again.'}`,
} as const

const NONE: readonly Processor[] = []

/** The processors of the sandbox; none until they are loaded. */
function useProcessors(isNeeded: boolean): readonly Processor[] {
  const { data } = useFetched(
    async (signal) =>
      isNeeded ? (await read<Scenarios>('/sandbox/scenarios', { signal })).processors : NONE,
    [isNeeded],
  )
  return data ?? NONE
}

type ActionOutcome =
  /** The sandbox answered, or the payment shows the effect of a lost answer. */
  | { readonly kind: 'done'; readonly payment: Payment; readonly wasAnswerLost: boolean }
  | { readonly kind: 'refused'; readonly error: ServiceError }
  /** No response, and the payment is unchanged. */
  | { readonly kind: 'unchanged'; readonly payment: Payment }
  /** No response, and the payment can't be read either. */
  | { readonly kind: 'unknown' }

interface ActionRequest {
  readonly action: ActionName
  /** As it was shown. */
  readonly payment: Payment
  readonly body: Readonly<Record<string, unknown>>
  /** One for each opened dialog. */
  readonly key: string
}

/** A request that hangs counts as unanswered. */
const TIMEOUT_MS = 30_000

/** Sends an action. If the answer is lost, reads the payment and says what happened to it. */
async function sendAction(request: ActionRequest): Promise<ActionOutcome> {
  const { action, payment, body, key } = request
  const { method, path, idempotencyKey } = FACTS[actionOf(action).operation]
  try {
    const changed = await call<Payment>(
      method,
      path.replace('{id}', () => encodeURIComponent(payment.id ?? '')),
      body,
      { signal: AbortSignal.timeout(TIMEOUT_MS), ...(idempotencyKey ? { idempotencyKey: key } : {}) },
    )
    return { kind: 'done', payment: changed, wasAnswerLost: false }
  } catch (error) {
    if (error instanceof ServiceError && isRefusal(error)) return { kind: 'refused', error }
    if (!(error instanceof ServiceError) && !isTimeout(error)) throw error
    const now = await readPayment(payment.id ?? '')
    if (now === undefined) return { kind: 'unknown' }
    return isOwnKeyUsed(error) || hasChanged(action, payment, now)
      ? { kind: 'done', payment: now, wasAnswerLost: true }
      : { kind: 'unchanged', payment: now }
  }
}

/** Whether the action was refused. A server error is no refusal: it may come after the request was applied. */
const isRefusal = (error: ServiceError): boolean =>
  error.status !== NO_RESPONSE && error.status < 500 && !isOwnKeyUsed(error)

/**
 * Whether the key was used, which only a request of ours can have done, since it is random: an earlier one whose answer was
 * lost, or the same one, which browsers send again by themselves when a connection breaks.
 */
const isOwnKeyUsed = (error: unknown): boolean =>
  error instanceof ServiceError && error.errorId === 'IdempotencyKeyAlreadyExists'

const isTimeout = (error: unknown): boolean => error instanceof DOMException && error.name === 'TimeoutError'

async function readPayment(id: string): Promise<Payment | undefined> {
  try {
    const found = await read<ShownRecord>('/sandbox/record', { query: { id } })
    return found.source === 'payments' ? found.payment : undefined
  } catch (error) {
    if (error instanceof ServiceError) return undefined
    throw error
  }
}

/** Whether the payment shows the effect of an action that was sent once. */
function hasChanged(action: ActionName, before: Payment, after: Payment): boolean {
  const [was, is] = [deriveAmounts(before), deriveAmounts(after)]
  switch (FACTS[actionOf(action).operation].effect) {
    case 'captured':
      return is.captured !== was.captured
    case 'refunded':
      return (after.transactions?.length ?? 0) > (before.transactions?.length ?? 0)
    case 'adjusted':
      return after.amount !== before.amount
    case 'cancelled':
    case 'authorized':
    case 'resumed':
    case 'created':
    case 'none':
      return after.status !== before.status || after.transactions?.length !== before.transactions?.length
  }
}
