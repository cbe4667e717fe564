import { isRefund } from '../../api/facts.ts'
import type { Answer, CallOperation } from '../../client/calls/call.ts'
import { checkLimits } from '../../client/config/limits.ts'
import { LimitError, PayError, UsageError, isInterruption } from '../../errors.ts'
import { formatMoney } from '../../money/format.ts'
import type { Draft } from '../command/draft.ts'
import type { Invocation } from '../command/invocation.ts'
import type { CommandRun } from '../command/spec.ts'
import { fieldAt, numberAt, textAt } from '../../json/fields.ts'

/** A draft with its amount settled: checked against the payment and the profile's limits. */
interface SettledAmount {
  readonly draft: Draft
  /** The payment that was read; undefined if none was. */
  readonly payment: Answer | undefined
  /** Checks that a dry run leaves out because they need the service. */
  readonly unchecked: readonly string[]
}

/**
 * Settles the amount of a call, in this order: the typed currency, which must be the payment's; a typed decimal, which takes that
 * currency; what the payment rules out; the profile's limits; an amount that a person is asked for, after a preview. Reads the
 * payment only if one of them needs it.
 * @throws {PayError} exit 2 for another currency, 12 for an amount beyond a limit
 */
export async function settleAmount(
  run: CommandRun,
  operation: CallOperation,
  draft: Draft,
): Promise<SettledAmount> {
  const { settings, spec, isInteractive } = run
  const isSent = settings.mode === 'send'
  const reader = createPaymentReader(run, draft)
  const typedCurrency = draft.money?.currencyCode
  if (isSent && typedCurrency !== undefined) await refuseOtherCurrency(typedCurrency, reader)
  // Loaded only on a terminal.
  const terminal =
    isSent && isInteractive && spec.money !== undefined ? await import('./ask-amount.ts') : undefined
  const typed = (await terminal?.withTypedAmount(run, draft, reader.read)) ?? draft
  const judge = await limitsOf(run, operation)
  // With --no-validate, the amount may not be a number. Reading the payment doesn't help then.
  const bodyAmount = fieldAt(typed.body, ['amount'])
  const isFinal = bodyAmount !== undefined && typeof bodyAmount !== 'number'
  const figures = figuresOf(operation, typed, reader.answer()?.json)
  const verdict = judge(figures, { isFinal })
  if (verdict instanceof LimitError) throw verdict
  if (!isSent) return { draft, payment: undefined, unchecked: await listUnchecked(run, draft, verdict) }
  const refusal = (amountMinor: number) => {
    const answered = judge({ ...figures, amountMinor })
    return answered instanceof LimitError ? answered.message : undefined
  }
  const settled = (await terminal?.askAmount(run, typed, reader.answer()?.json, refusal)) ?? typed
  if (verdict !== 'needs-payment') return { draft: settled, payment: reader.answer(), unchecked: [] }
  const checked = await refuseWithPayment(run, operation, settled, reader, judge)
  // A total counts what was checked, so that is what is sent.
  const isCounted = isRefund(operation.id) && (await run.account()).limits.maxTotal !== undefined
  const amounts = isCounted && bodyAmount === undefined ? await import('./ask-amount.ts') : undefined
  return { draft: amounts?.withAmount(settled, checked) ?? settled, payment: reader.answer(), unchecked: [] }
}

async function listUnchecked(
  { account }: CommandRun,
  { money }: Draft,
  verdict: 'ok' | 'needs-payment',
): Promise<readonly string[]> {
  const { profile } = await account()
  return [
    ...(money?.currencyCode === undefined ? [] : [`that the payment is in ${money.currencyCode}`]),
    ...(verdict === 'ok'
      ? []
      : [`the limits of profile ${profile?.value ?? ''}, which depend on the payment`]),
  ]
}

/** Reads the payment of a call at most once. */
interface PaymentReader {
  readonly read: () => Promise<unknown>
  /** The whole response; undefined before the payment is read. */
  readonly answer: () => Answer | undefined
}

function createPaymentReader({ call }: CommandRun, { params }: Draft): PaymentReader {
  let reading: Promise<unknown> | undefined
  let found: Answer | undefined
  async function read(): Promise<unknown> {
    const { getPayment } = await import('../../api/operations/payment.ts')
    found = await call({ operation: getPayment, params: { id: params['id'] ?? '' } })
    return found.json
  }
  return { read: () => (reading ??= read()), answer: () => found }
}

/** The amount that a call moves, in minor units. */
export interface Figures {
  readonly amountMinor: number | undefined
  readonly currencyCode: string | undefined
  /** The amount for the ledger, which also records points. Limits do not apply to points. */
  readonly recorded: number | undefined
}

/**
 * The amount and currency of a call; undefined where they depend on a payment that has not been read. The payment takes
 * precedence over the body, which may not be validated: the service ignores fields that the operation does not take.
 */
export function figuresOf(operation: CallOperation, draft: Draft, payment: unknown): Figures {
  const isNew = draft.params['id'] === undefined
  const amountMinor = numberAt(!isNew && operation.amount === 'of-payment' ? payment : draft.body, 'amount')
  return {
    amountMinor,
    currencyCode: textAt(isNew ? draft.body : payment, 'currencyCode') ?? draft.money?.currencyCode,
    recorded: operation.amount === 'points' ? pointsOf(draft.body) : amountMinor,
  }
}

/** Taking and returning points are one operation; the sign tells them apart in the ledger. */
function pointsOf(body: unknown): number | undefined {
  const value = numberAt(body, 'value')
  return value !== undefined && textAt(body, 'type') === 'REFUND' ? -value : value
}

const UNCHECKED_HINT = 'A bare integer in minor units, without a currency, is sent unchecked.'

/** Checks a typed currency against the payment's. A read that fails ends the command with its own code. */
async function refuseOtherCurrency(typed: string, reader: PaymentReader): Promise<void> {
  let payment: unknown
  try {
    payment = await reader.read()
  } catch (error) {
    if (!(error instanceof PayError) || isInterruption(error)) throw error
    // Its advice leads to the payment that is meant.
    if (error.code === 'payment_not_found') throw error
    throw new PayError(error.code, error.exitCode, `${error.message}, so ${typed} could not be checked`, {
      ...error.details,
      outcome: 'none',
      hint: [error.details.hint, UNCHECKED_HINT].filter(Boolean).join(' '),
      cause: error,
    })
  }
  const currencyCode = textAt(payment, 'currencyCode')
  if (currencyCode === typed) return
  if (currencyCode === undefined)
    throw new UsageError(`The payment has no readable currency, so ${typed} could not be checked`, {
      code: 'currency_unchecked',
      hint: UNCHECKED_HINT,
    })
  throw new UsageError(`The payment is in ${currencyCode}, not in ${typed}`, {
    code: 'currency_conflict',
    hint: `Check that it is the right payment, and give the amount in ${currencyCode}.`,
  })
}

/**
 * What the profile's limits say of an amount. `needs-payment`: the amount or its currency is unknown; with `isFinal`, that is a
 * refusal too. Without any figures, only the operation is judged.
 */
type JudgeAmount = (
  figures?: Partial<Figures>,
  options?: { readonly isFinal?: boolean },
) => 'ok' | 'needs-payment' | LimitError

/** Returns what judges an amount of this operation by the profile's limits. */
export async function limitsOf(
  { account }: Pick<Invocation, 'account'>,
  { id, risk }: Pick<CallOperation, 'id' | 'risk'>,
): Promise<JudgeAmount> {
  const { limits, profile } = await account()
  const call = { operationId: id === 'api' ? undefined : id, risk, formatMoney }
  return (amount = {}, { isFinal = false } = {}) =>
    checkLimits(limits, profile?.value ?? '', { ...call, amount, isFinalCheck: isFinal })
}

/**
 * Refuses an operation that the profile forbids for every amount. Call this before the first question.
 * @throws {LimitError}
 */
export async function refuseForbidden(
  run: Pick<Invocation, 'account'>,
  operation: Pick<CallOperation, 'id' | 'risk'>,
): Promise<void> {
  const verdict = (await limitsOf(run, operation))()
  if (verdict instanceof LimitError) throw verdict
}

/** Refuses by limits that depend on the payment. An omitted amount is all that is left of it. Returns the amount that was checked. */
async function refuseWithPayment(
  { spec }: CommandRun,
  operation: CallOperation,
  draft: Draft,
  reader: PaymentReader,
  judge: JudgeAmount,
): Promise<number | undefined> {
  const payment = draft.params['id'] === undefined ? undefined : await readForLimit(reader)
  const figures = figuresOf(operation, draft, payment)
  const amountMinor = figures.amountMinor ?? spec.money?.fullAmount(payment) ?? numberAt(payment, 'amount')
  const verdict = judge({ ...figures, amountMinor }, { isFinal: true })
  if (verdict instanceof LimitError) throw verdict
  return amountMinor
}

async function readForLimit(reader: PaymentReader): Promise<unknown> {
  try {
    return await reader.read()
  } catch (error) {
    if (!(error instanceof PayError) || isInterruption(error)) throw error
    throw new LimitError(
      `The profile's limits depend on the payment, which could not be read (${error.message})`,
      { cause: error },
    )
  }
}
