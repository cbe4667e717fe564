import { payment as paymentSchema } from '../api/models/payment.ts'
import { parseResponse } from '../api/parse-response.ts'
import { factsOf } from '../rows/payments/payment-facts.ts'
import { isRecord } from '../json/is-record.ts'
import { compareWrites } from './compare-writes.ts'
import type { Invocation } from '../cli/command/invocation.ts'
import { accountFlagsOf } from '../cli/command/flag-words.ts'
import { limitsOf } from '../cli/request/amount.ts'
import { LimitError, isInterruption, messageOf } from '../errors.ts'
import { buildExplanation } from '../views/payment/build-explanation.ts'
import { withPaymentCurrency } from '../views/payment/explanation.ts'
import type { Explanation, ExplainedAction, ExplainedOperation } from '../views/payment/explanation.ts'
import { isWaiting, otherPaymentsOf } from '../views/payment/stands-out.ts'
import { describeOperation, isOpen } from '../views/ops/state.ts'
import type { PaymentAction } from '../views/payment/actions.ts'
import { warnAboutDamage } from '../cli/report/ledger-damage.ts'
import { paymentOf, published } from '../client/ledger/record.ts'
import type { OperationRecord, StoredRecord } from '../client/ledger/record.ts'
import { serviceTime } from './find/service-clock.ts'
import { readOrderSiblings } from './order-siblings.ts'
import { shellWord } from '../files/shell.ts'

/** Explains a payment from the response, this machine's ledger and the profile's limits. */
export async function explainPayment(
  invocation: Invocation,
  id: string,
  json: unknown,
): Promise<Explanation> {
  const parsed = parseResponse(paymentSchema, json)
  if (parsed === undefined)
    await invocation.warn(
      "Warning: The response has an unexpected form and can't be explained. To see it as received, run pay payment get.",
    )
  // If the payment is unreadable, only its ID is known.
  const { kind } = await invocation.account()
  const explanation = buildExplanation(parsed ?? { id }, {
    id,
    pay: `pay${accountFlagsOf(invocation)}`,
    isSandbox: kind === 'sandbox',
    now: isWaiting(parsed?.status) ? await serviceTime(invocation) : invocation.context.now(),
  })
  const others = otherPaymentsOf(await readOrderSiblings(invocation, json))
  const history = await readLedgerHistory(invocation, id, parsed?.orderId, json)
  return {
    ...explanation,
    standsOut: [...others, ...explanation.standsOut],
    timeline: parsed === undefined ? [] : explanation.timeline,
    actions: await possibleActions(invocation, explanation, history),
    ledger: history === undefined ? null : [...history.open, ...history.ended],
  }
}

/** The actions to suggest. An open write comes first: until it is resolved, it blocks every other write to the payment. */
async function possibleActions(
  invocation: Invocation,
  { actions, payment }: Pick<Explanation, 'actions' | 'payment'>,
  history: Awaited<ReturnType<typeof readLedgerHistory>>,
): Promise<readonly ExplainedAction[]> {
  const blocking =
    history?.blocking === undefined ? undefined : withPaymentCurrency(payment, history.blocking)
  const describeLimit = async ({ operation: id, risk, amount }: PaymentAction): Promise<string | null> => {
    if (id === null) return null
    const judge = await limitsOf(invocation, { id, risk })
    const verdict = judge({ amountMinor: amount ?? undefined, currencyCode: payment.currencyCode })
    return verdict instanceof LimitError ? invocation.cleanText(verdict.message) : null
  }
  const explained = actions.map(async (action) => ({
    ...action,
    blocked:
      blocking !== undefined && action.risk !== 'read'
        ? `Resolve this first: ${describeOpen(blocking)}.`
        : await describeLimit(action),
  }))
  return [...(blocking === undefined ? [] : [resolveAction(blocking)]), ...(await Promise.all(explained))]
}

function resolveAction(operation: OperationRecord): ExplainedAction {
  const isSending = operation.state === 'sending'
  return {
    action: isSending ? 'look' : 'clear-up',
    operation: null,
    risk: isSending ? 'read' : 'money',
    amount: null,
    command: `pay ops ${isSending ? 'show' : 'resolve'} ${shellWord(operation.id)}`,
    words: isSending
      ? `Let it finish first: ${describeOpen(operation)}.`
      : `Find its outcome first: ${describeOpen(operation)}.`,
    blocked: null,
  }
}

const describeOpen = (operation: OperationRecord): string =>
  `${describeOperation({ ...operation, target: null })} is ${operation.state === 'sending' ? 'in progress' : 'in doubt'}`

/** This machine's writes to one payment, latest first. */
interface LedgerHistory {
  readonly open: readonly OperationRecord[]
  readonly ended: readonly ExplainedOperation[]
  /** The open write that blocks others to the payment. */
  readonly blocking: OperationRecord | undefined
}

/** Reads this machine's ledger. Undefined if it is a team's, or, after a warning, if it can't be read: the payment can still be explained. */
async function readLedgerHistory(
  invocation: Invocation,
  id: string,
  orderId: string | undefined,
  json: unknown,
): Promise<LedgerHistory | undefined> {
  try {
    const account = await invocation.account()
    if (account.ledger.kind === 'team') return undefined
    const { baseUrl } = account
    const ledger = await invocation.context.ledger(account)
    // Read-only: leaves even the leftovers of a crash as they are.
    const listing = await ledger.list({ holding: id })
    await warnAboutDamage(invocation, listing)
    const records = listing.records.filter(
      (record) => record.baseUrl === baseUrl.value && isAbout(record, id, orderId),
    )
    const open = records.filter(isOpen)
    return {
      open: open.map(published),
      ended: withVerdicts(
        records.filter((record) => !isOpen(record)),
        json,
        id,
      ),
      blocking: open.filter(({ targetKind }) => targetKind === 'payment').map(published)[0],
    }
  } catch (error) {
    if (isInterruption(error)) throw error
    const why = messageOf(error)
    await invocation.warn(`Warning: This machine's ledger could not be read: ${invocation.cleanText(why)}`)
    return undefined
  }
}

/** Marks the refunds that failed after they were accepted, by the payment as it is. `records`: latest first. */
function withVerdicts(
  records: readonly StoredRecord[],
  json: unknown,
  id: string,
): readonly ExplainedOperation[] {
  if (!isRecord(json)) return records.map(published)
  const confirmed = records.filter(({ state }) => state === 'confirmed').toReversed()
  const compared = compareWrites(confirmed, { kind: 'payment', facts: factsOf(json, id) })
  return records.map((record) =>
    compared.get(record.id)?.verdict === 'failed_later'
      ? { ...published(record), verdict: 'failed_later' }
      : published(record),
  )
}

/** Whether a write is about the payment. The target of a `payment.create` is the order; the payment's ID is known only from the response. */
const isAbout = (record: StoredRecord, id: string, orderId: string | undefined): boolean =>
  paymentOf(record) === id || (record.targetKind === 'order' && isOpen(record) && record.target === orderId)
