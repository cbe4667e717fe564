import { AlreadyDoneError, DuplicateError, EXIT, PayError, UsageError } from '../../errors.ts'
import type { Owner, ownerVisibility } from './owner.ts'
import type { StoredRecord } from './record.ts'
import { factsOf } from '../../api/facts.ts'
import { formatMoney, formatPoints } from '../../money/format.ts'
import { pluralize } from '../../text/words.ts'
import { lastWords, shellWord } from '../../files/shell.ts'

/** The errors for writes that the ledger refuses to begin, or that another process has taken over. Exit 6 unless stated. */

export function blocked(record: StoredRecord, now: Date): PayError {
  const { id, operation, isRepeatable } = record
  return new PayError(
    'open_intent',
    EXIT.conflict,
    `Nothing was sent: ${describeWrite(record)} is in doubt, started ${describeTime(record.createdAt, now)} by ${writerOf(record)}`,
    {
      operation,
      operationId: id,
      outcome: 'none',
      retryable: false,
      hint: isRepeatable
        ? 'It may have been done. Running that command again is harmless and resolves it; if you no longer want it, abandon it.'
        : 'It may have been done, and this write would come on top of it. Resolve it first: resolving never does it twice.',
      next: isRepeatable
        ? [`pay ops show ${shellWord(id)}`, `pay ops abandon ${shellWord(id)}`]
        : [`pay ops resolve ${shellWord(id)}`, `pay ops show ${shellWord(id)}`],
    },
  )
}

export function inProgress(
  record: StoredRecord,
  {
    owner,
    visibility,
    now,
    leaseUntilMs,
  }: {
    readonly owner: Owner | undefined
    readonly visibility: ReturnType<typeof ownerVisibility> | undefined
    readonly now: Date
    /** Until when the owner's lease runs, in a team's ledger. */
    readonly leaseUntilMs?: number | undefined
  },
): PayError {
  const host = owner?.machine ?? record.host
  return new PayError(
    'in_progress',
    EXIT.conflict,
    `Nothing was sent: ${describeWrite(record)} is in progress, started ${describeTime(record.createdAt, now)} by ${record.user} (process ${owner?.pid ?? 'unknown'} on ${host})`,
    {
      operation: record.operation,
      operationId: record.id,
      outcome: 'none',
      retryable: true,
      hint:
        leaseUntilMs === undefined
          ? IN_PROGRESS_HINTS[visibility ?? 'full']
          : `Its process may be sending it until ${new Date(leaseUntilMs).toISOString().slice(11, 19)} UTC, in ${Math.ceil((leaseUntilMs - now.getTime()) / 1000)} s. If it has not ended by then, pay ops resolve finds out what happened to it.`,
      next: [
        `pay ops show ${shellWord(record.id)}`,
        ...(visibility === 'pid-only' ? [`pay ops abandon ${shellWord(record.id)}`] : []),
      ],
    },
  )
}

const IN_PROGRESS_HINTS = {
  full: 'Wait until it has ended. If that process hangs, stop it: then pay ops resolve finds out what happened to the write.',
  'pid-only':
    'Wait until it has ended. This machine does not report when a process started, so that process number may belong to another program by now: check which program it is. If it is not pay, check the payment, then abandon the record.',
  none: 'That process runs on another machine or in another container, where pay cannot check it. Ten minutes after it last sent something it counts as dead: then pay ops resolve finds out what happened to the write.',
} as const

/** The error if another process took this one for dead and owns the record. */
export const takenOverError = ({ operation, id }: StoredRecord): PayError =>
  new PayError('in_progress', EXIT.conflict, 'Another process has taken over this operation', {
    operation,
    operationId: id,
    retryable: true,
    next: [`pay ops show ${shellWord(id)}`],
  })

/** The error if the ledger is another one by now, or was restored to an earlier state. */
export const recordGone = ({ operation, id }: StoredRecord): PayError =>
  new PayError('record_gone', EXIT.conflict, 'The ledger has no record of this write any more', {
    operation,
    operationId: id,
    retryable: false,
  })

/** The error for a claim that the database confirmed so late that a colleague has taken it over. It must not be repeated. */
export const claimLost = ({ operation, id }: StoredRecord): PayError =>
  new PayError(
    'lease_lapsed',
    EXIT.conflict,
    'This process sent nothing and has lost its claim on the write: a colleague has taken it over, and may have sent it',
    {
      operation,
      operationId: id,
      outcome: 'unknown',
      retryable: false,
      next: [`pay ops show ${shellWord(id)}`],
    },
  )

/** The error for a claim that may be in the ledger although it could not be completed: a later resolve would send it. */
export const unretracted = (id: string, cause: unknown): PayError =>
  new PayError(
    'outcome_unrecorded',
    EXIT.outcomeUnknown,
    'Nothing was sent, but the ledger failed while it recorded that the write begins, and may have kept it',
    {
      operationId: id,
      outcome: 'unknown',
      retryable: false,
      hint: `If pay ops list shows it, pay ops resolve may send it. To prevent that, run pay ops abandon ${shellWord(id)}.`,
      next: ['pay ops list --state in-doubt'],
      cause,
    },
  )

/** The error if another process took this one for dead and recorded a different outcome. */
export const settledElsewhere = (end: StoredRecord, now: Date): PayError =>
  new PayError(
    'overtaken',
    EXIT.conflict,
    `Another process assumed that this one was dead, and recorded the operation as ${end.state} ${describeTime(end.updatedAt, now)}`,
    { operation: end.operation, operationId: end.id, next: [`pay ops show ${shellWord(end.id)}`] },
  )

/** The warning about an open write on a target of the same name. Only a warning, because two merchants may use the same order id. */
export const sameNameWarning = (other: StoredRecord, now: Date): string =>
  `With another API key, ${describeWrite(other)} was started ${describeTime(other.createdAt, now)} by ${writerOf(other)} and has not ended (pay ops show ${shellWord(other.id)}). If both keys belong to one account, it may have been done twice.`

export function overtaken(record: StoredRecord, now: Date): PayError {
  return new PayError(
    'overtaken',
    EXIT.conflict,
    `Nothing was sent: ${describeWrite(record)} was made in the meantime, ${describeTime(record.updatedAt, now)} by ${writerOf(record)}`,
    {
      operation: record.operation,
      operationId: record.id,
      outcome: 'none',
      retryable: true,
      hint: "Check the payment's current state, then decide again.",
      next: [`pay ops show ${shellWord(record.id)}`],
    },
  )
}

export function writtenBefore(record: StoredRecord, now: Date): DuplicateError {
  return new DuplicateError(
    `done ${describeTime(record.updatedAt, now)} by ${writerOf(record)} (${describeWrite(record)})`,
    {
      operation: record.operation,
      operationId: record.id,
      outcome: 'none',
      retryable: false,
      hint: 'To do it again anyway, add --again.',
      next: [`pay ops show ${shellWord(record.id)}`],
    },
  )
}

/**
 * The error for a write that equals one which was ended by absence. A payment that never showed a write proves little, so an
 * equal write counts as a repeat for a day.
 */
export function endedByAbsence(record: StoredRecord, now: Date): DuplicateError {
  return new DuplicateError(
    `sent ${describeTime(record.createdAt, now)} by ${writerOf(record)} (${describeWrite(record)}), and counts as not done only because the payment did not show it`,
    {
      operation: record.operation,
      operationId: record.id,
      outcome: 'none',
      retryable: false,
      hint: "Look at the payment first: if it shows that write by now, don't repeat it. To do it again anyway, add --again.",
      next: [`pay ops show ${shellWord(record.id)}`, ...paymentCommands(record)],
    },
  )
}

const paymentCommands = ({ targetKind, target }: StoredRecord): readonly string[] =>
  targetKind === 'payment' && target !== null ? [`pay payment explain ${lastWords(target)}`] : []

/**
 * The error if the payment shows an equal refund that this ledger has not confirmed: a colleague's, one made by hand, or one that
 * was abandoned here.
 */
export function shownElsewhere(
  record: StoredRecord,
  dates: readonly (string | undefined)[],
  { now, abandoned }: { readonly now: Date; readonly abandoned: StoredRecord | undefined },
): DuplicateError {
  const dated = dates.filter((date) => date !== undefined).toSorted()
  const latest = dated.at(-1)
  const at =
    latest === undefined ? Number.NaN : Date.parse(/Z$|[+-]\d\d:?\d\d$/.test(latest) ? latest : `${latest}Z`)
  const when = Number.isNaN(at) ? 'recently' : describeTime(new Date(at).toISOString(), now)
  const others = dates.length === 1 ? '' : `, and ${dates.length - 1} more`
  const whose =
    abandoned === undefined
      ? " that this ledger doesn't know, so someone else made it"
      : `, either the one that was abandoned here (sent ${describeTime(abandoned.createdAt, now)} by ${writerOf(abandoned)}) or a colleague's`
  return new DuplicateError(
    `made ${when}${others}: the payment shows ${describeWrite(record)}${whose}`,
    {
      operation: record.operation,
      outcome: 'none',
      retryable: false,
      hint: `${abandoned === undefined ? 'Ask your colleagues.' : 'The abandoned write may have been done.'} To refund it again anyway, add --again.`,
      next: [
        ...(abandoned === undefined ? [] : [`pay ops show ${shellWord(abandoned.id)}`]),
        ...paymentCommands(record),
      ],
    },
    dates.length,
  )
}

export function ticketUsed(record: StoredRecord, now: Date): AlreadyDoneError {
  const wasDeclined = record.exitCode === EXIT.declined
  return new AlreadyDoneError(
    `Already done for this ticket ${describeTime(record.updatedAt, now)} by ${writerOf(record)} (${describeWrite(record)}): nothing was sent`,
    {
      operation: record.operation,
      operationId: record.id,
      idempotencyKey: record.idempotencyKey ?? undefined,
      paymentId:
        record.resource ?? (record.targetKind === 'payment' ? (record.target ?? undefined) : undefined),
      hint: wasDeclined ? 'It was declined or failed. To try again, use another ticket.' : undefined,
      next: [`pay ops show ${shellWord(record.id)}`],
    },
  )
}

export const ticketAbandoned = (record: StoredRecord, now: Date): PayError =>
  new PayError(
    'ticket_abandoned',
    EXIT.conflict,
    `Nothing was sent: ${describeWrite(record)} for this ticket was abandoned, started ${describeTime(record.createdAt, now)} by ${writerOf(record)}. It may have been done, and the service may have forgotten its idempotency key`,
    {
      operation: record.operation,
      operationId: record.id,
      idempotencyKey: record.idempotencyKey ?? undefined,
      outcome: 'none',
      retryable: false,
      hint: 'Check the payment. If it does not show this write, use another ticket.',
      next: [`pay ops show ${shellWord(record.id)}`],
    },
  )

/** Whose write it is; in a team's ledger also where, since a user's name may mean another person on another machine. */
const writerOf = ({ user, host, account, apiKeyId }: StoredRecord): string =>
  account === apiKeyId ? user : `${user}@${host}`

const ID_ERROR_DETAILS = { code: 'bad_value', outcome: 'none', next: ['pay ops list -o id'] } as const

export const tooShort = (characters: number): PayError =>
  new UsageError(`Give an operation ID, or at least its first ${characters} characters`, ID_ERROR_DETAILS)

export function noSuchOperation(id: string, isAmbiguous: boolean, which: 'open' | 'any'): PayError {
  if (isAmbiguous)
    return new UsageError('Several operation IDs start with that: give more characters', ID_ERROR_DETAILS)
  return new PayError(
    'no_such_operation',
    EXIT.notFound,
    `No ${which === 'open' ? 'open ' : ''}operation has the ID ${id}`,
    {
      outcome: 'none',
      hint: 'Give the ID of an operation in this ledger, or its first characters. The ID of a payment is another one.',
      next: ['pay ops list'],
    },
  )
}

/** Describes a record in words. */

const TARGETS: Readonly<Record<string, string>> = {
  payment: 'payment',
  order: 'order',
  record: 'record',
  points: 'order',
}

/** "a refund of 5.00 EUR on payment p1" */
function describeWrite(record: StoredRecord): string {
  const { operation, amount } = record
  const facts = factsOf(operation)
  const money = amount === null ? '' : `${facts?.amount === 'total' ? ' to' : ' of'} ${figure(record)}`
  const deed = facts?.words?.deed ?? (operation === 'api' ? 'a call of pay api' : operation)
  return `${deed}${money} on ${describeTarget(record)}`
}

/** A target of kind `points` moves points, not money. */
const figure = ({ targetKind, amount, currencyCode }: StoredRecord): string =>
  targetKind === 'points' ? formatPoints(amount ?? 0) : formatMoney(amount ?? 0, currencyCode ?? undefined)

function describeTarget({ target, targetKind }: StoredRecord): string {
  const noun = targetKind !== null && Object.hasOwn(TARGETS, targetKind) ? TARGETS[targetKind] : undefined
  return noun === undefined || target === null ? 'the same target' : `${noun} ${target}`
}

/** "3 minutes ago"; from one hour on, with the time. */
function describeTime(at: string, now: Date): string {
  const minutes = Math.max(0, Math.floor((now.getTime() - Date.parse(at)) / 60_000))
  if (minutes === 0) return 'less than a minute ago'
  if (minutes < 60) return `${pluralize(minutes, 'minute')} ago`
  const hours = Math.floor(minutes / 60)
  const past = hours < 48 ? pluralize(hours, 'hour') : pluralize(Math.floor(hours / 24), 'day')
  return `${past} ago (${at.slice(0, 16).replace('T', ' ')} UTC)`
}
