import { EXIT, UsageError, AlreadyDoneError, DuplicateError } from '../errors.ts'
import type { PayError } from '../errors.ts'
import type { Answer, Call, CallOperation } from '../client/calls/call.ts'
import { refuseBadIds, refuseEscapedId } from '../client/calls/bad-id.ts'
import { refuseCardNumber } from '../client/calls/card-number.ts'
import { stringifyJson } from '../json/json.ts'
import { safeText } from '../output/safe-text.ts'
import { figuresOf, refuseForbidden, settleAmount } from './request/amount.ts'
import { confirmOrRefuse, confirmRepeat } from './guard/confirm.ts'
import { startDraft, completeDraft } from './request/build-draft.ts'
import type { Draft } from './command/draft.ts'
import { showRequest } from './guard/dry-run.ts'
import { fieldAt, textAt } from '../json/fields.ts'
import type { CommandRun } from './command/spec.ts'
import { holdsSecrets, recordedReason } from './guard/ledger-redaction.ts'
import { refuseForOperation } from './parse/flag-conflicts.ts'
import { showRaw } from './command/result.ts'
import type { Result } from './command/result.ts'
import { textFlag } from './command/input.ts'
import { accountFlagsOf } from './command/flag-words.ts'
import { isMachine } from './command/settings.ts'
import { notFinished } from './report/report-error.ts'

/** Runs a command that sends one operation: draft, questions, checks, preview, confirmation, call, result. */
export async function runOperation(invocation: CommandRun, follow?: FollowUp): Promise<Result> {
  const { spec } = invocation
  const { operation } = spec
  if (operation === undefined)
    throw new Error(`pay ${spec.path.join(' ')} neither runs nor names an operation`)
  await invocation.account()
  if (invocation.isInteractive) await refuseForbidden(invocation, operation)
  const draft = await completeDraft(invocation, await startDraft(invocation))
  return operate(invocation, operation, draft, follow)
}

/** Connects to a team's ledger while the payment is read. A failure is reported when the ledger is used. */
async function connectLedger(
  { context, settings, account }: CommandRun,
  { risk }: CallOperation,
): Promise<void> {
  const used = await account()
  if (used.ledger.kind === 'team' && risk !== 'read' && settings.mode === 'send')
    context.ledger(used).catch(() => {})
}

/** What a command does after the response. The write is recorded by then, so no error may say that nothing was done. */
export type FollowUp = (
  answer: Answer,
  draft: Draft,
) => Promise<{ readonly answer: Answer; readonly problem: PayError | undefined }>

/** Everything from the complete draft to the result. `pay api` starts here. */
export async function operate(
  invocation: CommandRun,
  operation: CallOperation,
  filledDraft: Draft,
  follow?: FollowUp,
): Promise<Result> {
  // Every request is checked again when it is built; this comes before the first question, and in a dry run.
  refuseCardNumber([filledDraft.params, filledDraft.body])
  const mayBeBad = invocation.input.flags['validate'] === false
  refuseBadIds(mayBeBad ? { ...filledDraft, body: undefined } : filledDraft)
  if (invocation.settings.ticket !== undefined) refuseEscapedId(filledDraft.params['id'])
  refuseForOperation(operation.id, operation, invocation.settings)
  if (invocation.input.flags['validate'] !== false) refuseTwoTargets(filledDraft)
  invocation.target.id = filledDraft.params['id']
  await connectLedger(invocation, operation)
  await refuseOpenIntent(invocation, operation, filledDraft)
  const amount = await settleAmount(invocation, operation, filledDraft)
  const review = await invocation.spec.reviewTarget?.(invocation, amount.draft)
  const unchecked = [...amount.unchecked, ...(review?.unchecked ?? [])]
  const draft = review?.draft ?? amount.draft
  const body = bodyOf(operation, draft)
  if (invocation.settings.mode !== 'send')
    return showRequest(invocation, operation, { ...draft, body }, unchecked)
  const figures = figuresOf(operation, draft, amount.payment?.json)
  if (invocation.context.onWholeLine !== undefined) {
    const { wholeLine } = await import('./guard/whole-line.ts')
    invocation.context.onWholeLine(wholeLine(invocation.spec, draft, figures.currencyCode))
  }
  const call: Call = {
    operation,
    params: draft.params,
    query: draft.query,
    ...(body === undefined ? {} : { body }),
    idempotencyKey: invocation.settings.idempotencyKey,
    reason: recordedReason(invocation, draft.body),
    holdsSecrets: holdsSecrets(invocation, operation, draft.body),
    ticket: invocation.settings.ticket,
    amount: figures.recorded,
    currencyCode: figures.currencyCode,
    orderId: orderOf(invocation, operation, draft, amount.payment?.json),
  }
  if (invocation.isInteractive && invocation.spec.money === undefined)
    await invocation.spec.warnMore?.(invocation, draft.body)
  const duplicate = await findDuplicateBeforeAsking(invocation, call, amount.payment)
  if (invocation.isInteractive && invocation.spec.money !== undefined) {
    const { showPreview } = await import('./request/ask-amount.ts')
    await showPreview(invocation, draft, amount.payment?.json, 'plan')
  }
  const wasAsked = await confirmOrRefuse(invocation, operation, { draft, ...figures, duplicate })
  if (wasAsked && operation.effect === 'captured') {
    const { refuseCapturedMeanwhile } = await import('./guard/captured-meanwhile.ts')
    await refuseCapturedMeanwhile(invocation, operation, amount.payment?.json)
  }
  const first = await callOnce(invocation, call, duplicate)
  const followed = (await follow?.(first, draft)) ?? { answer: first, problem: undefined }
  const { answer } = followed
  const problem = followed.problem ?? (await createDeclineError(operation, answer, body?.value))
  await showHeadline(invocation, answer, body?.value)
  const presented = await present(invocation, answer)
  const result = problem === undefined ? presented : { ...presented, problem }
  if (!invocation.settings.wantsReceipt) return result
  const { withReceipt } = await import('./report/receipt.ts')
  return withReceipt(invocation, result, { operation, draft, figures, answer })
}

/** Refuses a payment with an open write, or a used ticket, before the first question: both block every amount. */
async function refuseOpenIntent(
  invocation: CommandRun,
  operation: CallOperation,
  { params }: Draft,
): Promise<void> {
  const { spec, settings, isInteractive } = invocation
  if (spec.money === undefined || settings.mode !== 'send' || !isInteractive) return
  const { ticket, idempotencyKey } = settings
  const { findDuplicate } = await import('./guard/earlier-write.ts')
  await findDuplicate(invocation, { operation, params, ticket, idempotencyKey, mayRepeat: true })
}

/** How far back a person is asked about an equal refund that the payment shows. */
const SHOWN_MS = 24 * 60 * 60 * 1000

/**
 * Finds an equal write of the last 10 minutes, or an equal refund of the last day that the payment shows, for the confirmation to
 * mention. Scripts get no confirmation, so they skip this.
 */
async function findDuplicateBeforeAsking(
  invocation: CommandRun,
  call: Call,
  payment: Answer | undefined,
): Promise<DuplicateError | undefined> {
  if (!invocation.isInteractive || call.operation.risk === 'read') return undefined
  const { findDuplicate } = await import('./guard/earlier-write.ts')
  const { equalRefunds } = await import('../client/calls/matching-refunds.ts')
  return findDuplicate(
    invocation,
    call,
    payment === undefined || call.operation.effect !== 'refunded'
      ? undefined
      : { ...equalRefunds(call, payment, SHOWN_MS), agreedTo: 0 },
  )
}

/** One line on a terminal that sums up the result below. */
async function showHeadline(
  { spec, settings, context, note, paint: paintOf }: CommandRun,
  { exitCode, json }: Answer,
  request: unknown,
): Promise<void> {
  if (exitCode !== EXIT.done || !context.stderr.isTTY || isMachine(settings.format)) return
  const headline = spec.money?.headline(request, json)
  if (headline === undefined) return
  const paint = await paintOf('stderr')
  const mark = headline.isFinal ? paint('✓', 'good') : paint('…', 'warn')
  await note(`${mark} ${paint(safeText(headline.text), 'strong')}`, 'ids')
}

/** The error to report for a response with exit code 13. */
async function createDeclineError(
  { id: operation, verdict }: CallOperation,
  { exitCode, json }: Answer,
  request: unknown,
): Promise<PayError | undefined> {
  if (exitCode !== EXIT.declined) return undefined
  const { paymentDeclined, refundFailed } = await import('./report/decline-errors.ts')
  const details = { operation, outcome: 'none' } as const
  return verdict === 'refund' ? refundFailed(json, request, details) : paymentDeclined(json, details)
}

async function present(invocation: CommandRun, answer: Answer): Promise<Result> {
  if (answer.note !== undefined) await invocation.note(answer.note)
  if (answer.warning !== undefined) await invocation.warn(`Warning: ${answer.warning}`)
  if (answer.json === undefined)
    await invocation.warn(
      answer.text.trim() === ''
        ? `Warning: The service responded with ${answer.status} and no body.`
        : 'Warning: The response is not JSON; it is shown unchanged.',
    )
  const result = (invocation.spec.present ?? showRaw)(answer)
  const { kind } = await invocation.account()
  const facts = { pay: `pay${accountFlagsOf(invocation)}`, isSandbox: kind === 'sandbox' }
  // These lines may repeat text of the response.
  for (const line of invocation.spec.successNotes?.(answer.json, facts) ?? [])
    await invocation.note(safeText(line), 'ids')
  const { exitCode, unfinished } = answer
  if (unfinished === undefined) return { ...result, exitCode }
  return {
    ...result,
    exitCode,
    problem: notFinished(invocation.spec, { ...unfinished, httpStatus: answer.status }),
  }
}

function bodyOf(
  operation: CallOperation,
  draft: Draft,
): { readonly value: unknown; readonly text: string } | undefined {
  const value =
    draft.body ?? (operation.request === undefined || operation.bodyOptional === true ? undefined : {})
  return value === undefined ? undefined : { value, text: stringifyJson(value) }
}

/** The order that the call is about, as far as it is known. A refund's own orderId may be another one. */
function orderOf(
  { input }: CommandRun,
  { targets }: CallOperation,
  { body }: Draft,
  payment: unknown,
): string | undefined {
  const isOfPayment = targets.some(({ kind }) => kind === 'payment')
  return isOfPayment
    ? (textAt(payment, 'orderId') ?? textFlag(input, 'order'))
    : (textAt(body, 'orderId') ?? textAt(fieldAt(body, ['order']), 'id'))
}

/** Refuses a body that names another resource than the path. */
function refuseTwoTargets({ params, body }: Draft): void {
  for (const [name, value] of Object.entries(params)) {
    const inBody = fieldAt(body, [name])
    if (inBody === undefined || inBody === value) continue
    throw new UsageError(`The path and the body give two values for ${name}`, {
      code: 'two_sources',
      hint: `Leave ${name} out of the body`,
    })
  }
}

/**
 * Sends the call unless an equal write was made a few minutes ago or, on a live profile, the payment shows one made by somebody
 * else. In that case asks a person, and refuses a script on a live profile; `--again` allows it, `--yes` does not. For a used ticket,
 * shows the payment and rethrows. `confirmed` is the equal write that the person has already agreed to repeat; any other needs
 * its own confirmation.
 * @throws {DuplicateError} if the equal write is not repeated
 */
async function callOnce(
  invocation: CommandRun,
  call: Call,
  confirmed: DuplicateError | undefined,
): Promise<Answer> {
  const { settings, isInteractive } = invocation
  const { mode } = await invocation.account()
  const isLive = mode.value === 'live'
  const mayRepeat = settings.allowsRepeat || (!isLive && !isInteractive)
  const counted =
    isLive && call.operation.effect === 'refunded' && !settings.allowsRepeat
      ? { countsOthers: { agreedTo: confirmed?.unknownEffects ?? 0 } }
      : {}
  try {
    return await invocation.call({ ...call, ...counted, mayRepeat })
  } catch (error) {
    if (error instanceof AlreadyDoneError) {
      const { showTicketPayment } = await import('./guard/earlier-write.ts')
      await showTicketPayment(invocation, error.paymentId)
    }
    if (!(error instanceof DuplicateError) || !isInteractive) throw error
    const isAgreed =
      confirmed !== undefined &&
      error.details.operationId === confirmed.details.operationId &&
      error.unknownEffects <= confirmed.unknownEffects
    if (!isAgreed) await confirmRepeat(invocation, error, undefined)
    return invocation.call({ ...call, mayRepeat: true })
  }
}
