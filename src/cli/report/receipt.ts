import { factsOf } from '../../api/facts.ts'
import { takesAmount } from '../../api/operation.ts'
import { EXIT } from '../../errors.ts'
import type { Answer, CallOperation } from '../../client/calls/call.ts'
import { formatMoney, formatPoints } from '../../money/format.ts'
import { maskCardNumbers } from '../../output/card-number.ts'
import { renderDetails } from '../../output/details.ts'
import { maskEmails } from '../../output/redact.ts'
import { plainPaint } from '../../output/paint.ts'
import { safeText } from '../../output/safe-text.ts'
import type { Draft } from '../command/draft.ts'
import { fieldAt, numberAt, textAt } from '../../json/fields.ts'
import type { Figures } from '../request/amount.ts'
import type { CommandRun } from '../command/spec.ts'
import { recordedReason } from '../guard/ledger-redaction.ts'
import type { Result } from '../command/result.ts'
import { isMachine } from '../command/settings.ts'
import { hasCaptured } from './decline-errors.ts'
import { ownRefunds } from './own-refunds.ts'

interface CompletedCall {
  readonly operation: CallOperation
  readonly draft: Draft
  readonly figures: Figures
  readonly answer: Answer
}

/** Adds a receipt below a table on stdout. With a machine format it goes to stderr, so that stdout stays parseable. */
export async function withReceipt(
  invocation: CommandRun,
  result: Result,
  completed: CompletedCall,
): Promise<Result> {
  const text = invocation.hideSecrets(await receiptOf(invocation, completed))
  if (isMachine(invocation.settings.format)) {
    await invocation.warn(text, 'ids')
    return result
  }
  return {
    ...result,
    render: async (presentation) =>
      `${(await result.render(presentation)).replace(/(?<!\n)\n*$/, '\n\n')}${text}\n`,
  }
}

/** What a colleague needs to find the operation, without anything sensitive: people paste it into tickets. */
async function receiptOf(invocation: CommandRun, completed: CompletedCall): Promise<string> {
  const { settings, context } = invocation
  const { operation, answer } = completed
  const { profile, mode, baseUrl } = await invocation.account()
  return `Receipt\n${renderDetails({ paint: plainPaint, width: undefined }, [
    ['Done', operation.id === 'api' ? `${operation.method} by pay api` : operation.id],
    ['Outcome', outcomeText(completed)],
    ['Amount', amountText(completed)],
    ['Card', cardText(answer.json)],
    ['State', serviceConstant(textAt(answer.json, 'status'))],
    ['Refund', refundText(completed)],
    ['Left to refund', leftText(completed)],
    ['Order', maskedText(textAt(answer.json, 'orderId') ?? textAt(fieldAt(answer.json, ['order']), 'id'))],
    ['Reason', maskedText(recordedReason(invocation, completed.draft.body))],
    ['Ticket', maskedText(settings.ticket)],
    [labelOf(operation) ?? 'ID', idOf(operation, answer.json)],
    ['Profile', `${safeText(profile?.value ?? baseUrl.value)} (${mode.value})`],
    ['Time', `${context.now().toISOString().slice(0, 19)}Z`],
    ['Operation', answer.operationId],
    ['Idempotency key', answer.idempotencyKey],
    ['Request', maskedText(answer.requestId)],
  ]).replaceAll(/^/gm, '  ')}`
}

function outcomeText({ operation, answer }: CompletedCall): string {
  if (answer.exitCode === EXIT.notFinished) return 'accepted, not finished yet'
  if (answer.exitCode !== EXIT.declined) return 'done'
  if (operation.verdict === 'refund') return 'failed: this refund returned no money'
  return hasCaptured(answer.json) ? 'declined or failed' : 'declined or failed: no money moved'
}

function amountText({ operation, figures, answer }: CompletedCall): string | undefined {
  const points = operation.amount === 'points' ? figures.recorded : undefined
  if (points !== undefined) return formatPoints(points)
  const currencyCode = figures.currencyCode ?? textAt(answer.json, 'currencyCode')
  const omitted =
    operation.amount === 'rest'
      ? `all that was left to ${factsOf(operation.id)?.words?.verb ?? 'move'}`
      : undefined
  const amountMinor =
    figures.amountMinor ??
    (omitted === undefined && takesAmount(operation) ? numberAt(answer.json, 'amount') : undefined)
  return amountMinor === undefined ? omitted : safeText(formatMoney(amountMinor, currencyCode))
}

/** The state of the refund, which the state of the payment does not show. */
function refundText({ operation, draft, answer }: CompletedCall): string | undefined {
  if (operation.verdict !== 'refund') return undefined
  const [refund, ...others] = ownRefunds(draft.body, answer.json)
  const state = others.length > 0 ? undefined : serviceConstant(textAt(refund, 'processorStatus'))
  const meaning =
    state !== undefined && Object.hasOwn(REFUND_STATES, state) ? REFUND_STATES[state] : undefined
  return meaning === undefined ? state : `${state}: ${meaning}`
}

const REFUND_STATES: Readonly<Record<string, string>> = {
  PENDING: 'accepted, not final yet',
  SETTLED: 'final',
  FAILED: 'the money did not go back',
}

function leftText({ operation, answer }: CompletedCall): string | undefined {
  const processor = fieldAt(answer.json, ['processor'])
  const [captured, refunded] = [numberAt(processor, 'amountCaptured'), numberAt(processor, 'amountRefunded')]
  if (operation.verdict !== 'refund' || captured === undefined || refunded === undefined) return undefined
  return safeText(formatMoney(Math.max(0, captured - refunded), textAt(answer.json, 'currencyCode')))
}

/** The card: `VISA •••• 1111`. A receipt may show only the last four digits. */
function cardText(json: unknown): string | undefined {
  for (const path of [['paymentMethod', 'paymentMethodData'], ['paymentMethodData']]) {
    const card = fieldAt(json, path)
    const lastFour = textAt(card, 'last4Digits')
    if (lastFour === undefined || !/^\d{4}$/.test(lastFour)) continue
    return [serviceConstant(textAt(card, 'network')), `•••• ${lastFour}`].filter(Boolean).join(' ')
  }
  return undefined
}

/** What a receipt may name. The IDs of sessions and saved methods are tokens, and those of `pay api` are unknown. */
const ID_LABELS: Readonly<Record<string, string>> = {
  payment: 'Payment',
  record: 'Record',
  transaction: 'Transaction',
}

const labelOf = ({ creates, targets }: CallOperation): string | undefined =>
  ID_LABELS[creates ?? targets[0]?.kind ?? '']

function idOf(operation: CallOperation, json: unknown): string | undefined {
  const field = operation.ownId ?? operation.echoes
  const id = field === undefined || labelOf(operation) === undefined ? undefined : textAt(json, field)
  return id === undefined ? undefined : safeText(maskEmails(id))
}

/** A constant of the service, such as a status, or undefined for any other text. */
const serviceConstant = (text: string | undefined): string | undefined =>
  text !== undefined && /^[A-Z0-9_]{1,40}$/.test(text) ? text : undefined

/** Text that a person has written, masked. */
const maskedText = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : safeText(maskCardNumbers(maskEmails(text)))
