import { EXIT, IS_REQUIRED } from '../errors.ts'
import type { DeclineReason, Outcome, PayError, ValidationProblem } from '../errors.ts'
import { withheldNote } from '../text/shell-word.ts'
import { maskCardNumbers } from './card-number.ts'
import { safeJson, safeLines, safeText } from './safe-text.ts'
import { wrapWords } from './wrap.ts'
import { renderIndentedDetails } from './details.ts'
import type { LabelledText, TextLayout } from './details.ts'

const OUTCOME_TEXTS = {
  none: 'nothing changed and no money moved',
  applied: 'the operation was applied',
  unknown: 'unknown: no usable response came back, so it may have been applied',
} as const satisfies Record<Outcome, string>

interface ErrorLayout extends TextLayout {
  /** Names a body field for people: the flag that sets it, or its path. */
  readonly nameOf?: (path: string) => string
  /** The state after a command that did nothing, where "no money moved" would sound like a statement about other writes. */
  readonly unchanged?: string | undefined
}

/**
 * An error for people: what failed, why (in the service's words), the resulting state, commands to run next and IDs to
 * quote to support. Unknown parts are left out. Wrapped to the width, except commands. No trailing line break.
 */
export function renderError(
  error: PayError,
  { paint, width, nameOf = (path) => path, unchanged }: ErrorLayout,
): string {
  const { details } = error
  const lines: readonly LabelledText[] = [
    ...describeCause(error, nameOf),
    ...toEntries('State', stateOf(error, unchanged)),
    ...toEntries('Hint', joinParts([details.hint, withheldNote(details.next ?? [])], ' ')),
    ...(details.next ?? []).map(
      (command) => ({ label: 'Next', text: safeText(command), tone: 'accent', noWrap: true }) as const,
    ),
    ...toEntries('Quote', formatReferences(error)),
  ]
  const body = lines.map((line, index) =>
    lines[index - 1]?.label === line.label ? { ...line, label: '' } : line,
  )
  const [headline = '', ...more] = shorten(safeLines(formatMessage(error, nameOf))).split('\n')
  const [first = '', ...rest] = wrapWords(headline, width === undefined ? undefined : Math.max(1, width - 2))
  return [
    // A call that is accepted but not finished hasn't failed.
    `${error.exitCode === EXIT.notFinished ? paint('…', 'warn') : paint('✗', 'bad')} ${paint(first, 'strong')}`,
    ...rest.map((line) => `  ${paint(line, 'strong')}`),
    ...more.map((line) => `  ${line}`),
    ...renderIndentedDetails(body, { paint, width }),
  ].join('\n')
}

/**
 * Codes whose message states the outcome. "Nothing changed" would mislead there: an earlier call was applied, a payment
 * exists, or another process has the write.
 */
const STATE_IN_MESSAGE: readonly string[] = [
  'already_done',
  'duplicate',
  'idempotency_key_used',
  'in_progress',
  'lease_lapsed',
  'open_intent',
  'outcome_unrecorded',
  'payment_declined',
  'refund_failed',
  'not_finished',
  'ticket_abandoned',
]

function stateOf(
  { code, exitCode, details: { outcome } }: PayError,
  unchanged: string = OUTCOME_TEXTS.none,
): string | undefined {
  if (outcome === undefined || STATE_IN_MESSAGE.includes(code)) return undefined
  if (outcome === 'none') return unchanged
  // After an error of files or of the ledger, a response may have come.
  const isOfCall = exitCode === EXIT.outcomeUnknown || exitCode === EXIT.bulk
  return outcome === 'unknown' && !isOfCall ? 'unknown: it may have been applied' : OUTCOME_TEXTS[outcome]
}

/** The message; if it ends with its only problem, with the field named as a flag, like in the lines below. */
function formatMessage(
  { message, details: { headline, validationErrors: [problem] = [] } }: PayError,
  nameOf: (path: string) => string,
): string {
  return headline === undefined || problem === undefined
    ? message
    : `${headline}: ${nameOf(problem.path)}: ${problem.description}`
}

/** Whether the description only repeats the listed problems. */
const repeatsProblems = (description: string, problems: readonly ValidationProblem[]): boolean =>
  problems.length > 0 &&
  problems.every(
    ({ path, description: problem }) => description.includes(path) && description.includes(problem),
  )

function describeCause(
  { code, message, details }: PayError,
  nameOf: (path: string) => string,
): readonly LabelledText[] {
  const { description, errorId, httpStatus, validationErrors = [] } = details
  const source = [errorId === undefined ? undefined : toSafeText(errorId), httpStatus && `HTTP ${httpStatus}`]
    .filter(Boolean)
    .join(', ')
  const addsInformation =
    description !== undefined &&
    !message.includes(description) &&
    !repeatsProblems(description, validationErrors)
  const ownDescription = addsInformation ? toSafeText(description) : ''
  const why = [ownDescription, source === '' ? '' : `(${source})`].filter((part) => part !== '').join(' ')
  return [
    ...toEntries('Why', ownDescription === '' ? undefined : why),
    ...toEntries('Why', formatDeclineReason(details.reason)),
    // Left out where the message already contains them: a single problem, or missing input.
    ...validationErrors
      .filter(
        ({ description: problem }) =>
          details.headline === undefined && (code !== 'missing_input' || problem !== IS_REQUIRED),
      )
      .map(({ path, description: problem }) => ({
        label: 'Why',
        text: `${toSafeText(nameOf(path))}: ${toSafeText(problem)}`,
      })),
    ...toEntries('Why', ownDescription === '' ? why : undefined),
  ]
}

/** The reason of a decline: `INSUFFICIENT_FUNDS: not enough on the card (SOFT_DECLINE, ISSUER_DECLINED)` */
function formatDeclineReason({ code, message, declineType, type }: DeclineReason = {}): string {
  const kinds = joinParts([declineType, type], ', ')
  return joinParts([joinParts([code, message], ': '), kinds === '' ? '' : `(${kinds})`], ' ')
}

const joinParts = (parts: readonly (string | undefined)[], by: string): string =>
  parts.flatMap((part) => (part === undefined || part === '' ? [] : [toSafeText(part)])).join(by)

function formatReferences({ details }: PayError): string | undefined {
  const ids = [
    ['diagnostics ID', details.diagnosticsId],
    ['operation', details.operationId],
    ['idempotency key', details.idempotencyKey],
  ] as const
  const present = ids.flatMap(([name, id]) => (id === undefined ? [] : [`${name} ${safeText(id)}`]))
  return present.length === 0 ? undefined : present.join(', ')
}

const toEntries = (label: string, text: string | undefined): readonly LabelledText[] =>
  text === undefined || text === '' ? [] : [{ label, text }]

/** Makes text from the service or the command line safe: it may contain a card number. */
const toSafeText = (text: string) => safeText(shorten(text))

/** The longest word that is shown whole, in characters. A value that is quoted may have any length; a path rarely has more. */
const LONGEST_WORD = 300

/** Masks card numbers, and cuts very long words in their middle: both ends help to recognize them. */
const shorten = (text: string): string =>
  maskCardNumbers(text).replaceAll(/\S+/g, (word) =>
    word.length > LONGEST_WORD ? `${word.slice(0, 200)}…${word.slice(-50)}`.toWellFormed() : word,
  )

/** An error for scripts: one JSON object on one line, fields in a fixed order, without undefined fields. */
export function renderErrorJson({ code, exitCode, message, details }: PayError): string {
  const { hint, errorId, description, validationErrors, paymentId, paymentStatus, reason } = details
  const masked = maskTexts({ hint, errorId, description, paymentStatus })
  const fields = {
    code,
    exitCode,
    message: shorten(safeLines(message)),
    hint: masked.hint,
    httpStatus: details.httpStatus,
    errorId: masked.errorId,
    description: masked.description,
    diagnosticsId: details.diagnosticsId,
    validationErrors: nonEmpty(validationErrors)?.map(({ path, description: problem }) =>
      maskTexts({ path, description: problem }),
    ),
    paymentId: paymentId && maskCardNumbers(paymentId),
    paymentStatus: masked.paymentStatus,
    reason: reason && { ...reason, ...maskTexts({ message: reason.message }) },
    operation: details.operation,
    operationId: details.operationId,
    idempotencyKey: details.idempotencyKey,
    outcome: details.outcome,
    retryable: details.retryable,
    next: nonEmpty(details.next),
  }
  return safeJson(JSON.stringify({ error: fields }))
}

const maskTexts = (texts: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text && shorten(text)]))

const nonEmpty = <T>(list: readonly T[] | undefined) => (list?.length === 0 ? undefined : list)
