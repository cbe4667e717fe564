import { AlreadyDoneError, DuplicateError, EXIT, PayError, UsageError } from '../../errors.ts'
import type { Owner, ownerVisibility } from './owner.ts'
import { describeWrite, describeTime } from './describe-record.ts'
import type { StoredRecord } from './record.ts'

/** Why a write is not begun. Nothing was sent for any of these. */

export function blocked(record: StoredRecord, now: Date): PayError {
  const { id, operation, isRepeatable } = record
  return new PayError(
    'open_intent',
    EXIT.conflict,
    `Nothing was sent: ${describeWrite(record)} is in doubt, begun ${describeTime(record.createdAt, now)} by ${record.user}`,
    {
      operation,
      operationId: id,
      outcome: 'none',
      retryable: false,
      hint: isRepeatable
        ? 'It may have been done. Typing that command once more is harmless and clears it up; if it is no longer wanted, abandon it.'
        : 'It may have been done, and this would come on top of it. Find out first: that never does it twice.',
      next: isRepeatable
        ? [`pay ops show ${id}`, `pay ops abandon ${id}`]
        : [`pay ops resolve ${id}`, `pay ops show ${id}`],
    },
  )
}

export function inProgress(
  record: StoredRecord,
  {
    owner,
    visibility,
    now,
  }: {
    readonly owner: Owner | undefined
    readonly visibility: ReturnType<typeof ownerVisibility> | undefined
    readonly now: Date
  },
): PayError {
  const host = owner?.machine ?? record.host
  return new PayError(
    'in_progress',
    EXIT.conflict,
    `Nothing was sent: ${describeWrite(record)} is under way, begun ${describeTime(record.createdAt, now)} by ${record.user} (process ${owner?.pid ?? 'unknown'} on ${host})`,
    {
      operation: record.operation,
      operationId: record.id,
      outcome: 'none',
      retryable: true,
      hint: WAITING[visibility ?? 'full'],
      next: [
        `pay ops show ${record.id}`,
        ...(visibility === 'pid-only' ? [`pay ops abandon ${record.id}`] : []),
      ],
    },
  )
}

const WAITING = {
  full: 'Wait until it has ended. If that process hangs, end it: then pay ops resolve finds out what became of it.',
  'pid-only':
    'Wait until it has ended. This machine does not tell when a process started, so that number may be another program’s by now: look at what it is. If it is not pay, look at the payment, and abandon the record.',
  none: 'It is another machine’s or another container’s, where nothing can be asked of it. Ten minutes after it took this in hand it counts as gone: then pay ops resolve finds out what became of it.',
} as const

/** Another process has taken the one that asks for dead. */
export const takenOverError = ({ operation, id }: StoredRecord): PayError =>
  new PayError('in_progress', EXIT.conflict, 'Another process has gone on with it meanwhile', {
    operation,
    operationId: id,
    retryable: true,
    next: [`pay ops show ${id}`],
  })

/** Another process has recorded another end of it. */
export const settledElsewhere = (end: StoredRecord, now: Date): PayError =>
  new PayError(
    'overtaken',
    EXIT.conflict,
    `Another process took this one for dead, and recorded it as ${end.state} ${describeTime(end.updatedAt, now)}`,
    { operation: end.operation, operationId: end.id, next: [`pay ops show ${end.id}`] },
  )

/** Of what is no reason to stop: two merchants may each have an order of that name. */
export const sameNameWarning = (other: StoredRecord, now: Date): string =>
  `With another API key, ${describeWrite(other)} was begun ${describeTime(other.createdAt, now)} by ${other.user}, and has not ended (pay ops show ${other.id}). If both keys are of one account, it may have been done twice.`

export function overtaken(record: StoredRecord, now: Date): PayError {
  return new PayError(
    'overtaken',
    EXIT.conflict,
    `Nothing was sent: ${describeWrite(record)} came in between, ${describeTime(record.updatedAt, now)} by ${record.user}`,
    {
      operation: record.operation,
      operationId: record.id,
      outcome: 'none',
      retryable: true,
      hint: 'Look at the payment as it is now, then decide again.',
      next: [`pay ops show ${record.id}`],
    },
  )
}

export function writtenBefore(record: StoredRecord, now: Date): DuplicateError {
  return new DuplicateError(
    `done ${describeTime(record.updatedAt, now)} by ${record.user} (${describeWrite(record)})`,
    {
      operation: record.operation,
      operationId: record.id,
      outcome: 'none',
      retryable: false,
      hint: 'If it is to be done once more, add --again.',
      next: [`pay ops show ${record.id}`],
    },
  )
}

export function ticketUsed(record: StoredRecord, now: Date): AlreadyDoneError {
  const wasDeclined = record.exitCode === EXIT.declined
  return new AlreadyDoneError(
    `Already done for this ticket ${describeTime(record.updatedAt, now)} by ${record.user} (${describeWrite(record)}): nothing was sent`,
    {
      operation: record.operation,
      operationId: record.id,
      idempotencyKey: record.idempotencyKey ?? undefined,
      paymentId:
        record.resource ?? (record.targetKind === 'payment' ? (record.target ?? undefined) : undefined),
      hint: wasDeclined ? 'It was declined or failed then. Another try needs another ticket.' : undefined,
      next: [`pay ops show ${record.id}`],
    },
  )
}

export const ticketAbandoned = (record: StoredRecord, now: Date): PayError =>
  new PayError(
    'ticket_abandoned',
    EXIT.conflict,
    `Nothing was sent: ${describeWrite(record)} for this ticket was abandoned, begun ${describeTime(record.createdAt, now)} by ${record.user}. It may have been done, and the service may have forgotten its key`,
    {
      operation: record.operation,
      operationId: record.id,
      idempotencyKey: record.idempotencyKey ?? undefined,
      outcome: 'none',
      retryable: false,
      hint: 'Look at the payment. If it does not show it, use another ticket.',
      next: [`pay ops show ${record.id}`],
    },
  )

const IN_ID = { code: 'bad_value', outcome: 'none', next: ['pay ops list -o id'] } as const

export const tooShort = (signs: number): PayError =>
  new UsageError(`An operation is named by its id, or by its first ${signs} signs or more`, IN_ID)

export function noSuchOperation(isAmbiguous: boolean, which: 'open' | 'any'): PayError {
  if (isAmbiguous) return new UsageError('Several operations begin with that id: write more of it', IN_ID)
  return new PayError(
    'no_such_operation',
    EXIT.notFound,
    which === 'open' ? 'There is no open operation with that id' : 'There is no operation with that id',
    { outcome: 'none', next: ['pay ops list'] },
  )
}
