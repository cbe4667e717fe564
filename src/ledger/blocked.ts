import { EXIT, PayError, UsageError } from '../errors.ts'
import { formatMoney } from '../money/format.ts'
import type { StoredRecord } from './record.ts'

/** Why a write is not begun. Nothing was sent for any of these. */

export function blocked(record: StoredRecord): PayError {
  return new PayError(
    'open_intent',
    EXIT.conflict,
    `Nothing was sent: ${nounOf(record)} of ${record.createdAt} on the same target is in doubt`,
    {
      operation: record.operation,
      operationId: record.id,
      outcome: 'none',
      retryable: false,
      hint: 'Clear that one up first: it may have been done, and this one on top of it may be too much.',
      next: [`pay ops resolve ${record.id}`, `pay ops show ${record.id}`],
    },
  )
}

export function inProgress(record: StoredRecord, pid: number | undefined): PayError {
  return new PayError(
    'in_progress',
    EXIT.conflict,
    `Nothing was sent: ${nounOf(record)} on the same target is in progress (process ${pid ?? 'unknown'} on ${record.host})`,
    {
      operation: record.operation,
      operationId: record.id,
      outcome: 'none',
      retryable: true,
      hint: 'Wait until that one has ended.',
      next: [`pay ops show ${record.id}`],
    },
  )
}

export function damagedRecord(name: string, path: string): PayError {
  return new PayError(
    'ledger_damaged',
    EXIT.conflict,
    `Nothing was sent: the record of an earlier write on this target cannot be read: ${path}`,
    {
      outcome: 'none',
      retryable: false,
      hint: 'That write may have been done. Look at the service first; then pay ops abandon sets the file aside.',
      next: [`pay ops abandon ${name}`],
    },
  )
}

export function writtenBefore(record: StoredRecord, now: Date): PayError {
  const minutes = Math.max(0, Math.round((now.getTime() - Date.parse(record.updatedAt)) / 60_000))
  const when =
    minutes === 0 ? 'less than a minute ago' : minutes === 1 ? 'a minute ago' : `${minutes} minutes ago`
  return new PayError(
    'duplicate',
    EXIT.conflict,
    `Nothing was sent: the same was done ${when} (${wordsOf(record)})`,
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

export function ticketUsed(record: StoredRecord): PayError {
  return new PayError(
    'already_done',
    EXIT.conflict,
    `Nothing was sent: that is already done for this ticket, ${record.updatedAt} (${wordsOf(record)})`,
    {
      operation: record.operation,
      operationId: record.id,
      idempotencyKey: record.idempotencyKey ?? undefined,
      outcome: 'none',
      retryable: false,
    },
  )
}

export function noSuchOperation(isAmbiguous: boolean, which: 'open' | 'any'): PayError {
  if (isAmbiguous)
    return new UsageError(`Several operations begin with that id: write more of it`, {
      code: 'bad_value',
      outcome: 'none',
    })
  return new PayError(
    'no_such_operation',
    EXIT.notFound,
    which === 'open' ? 'There is no open operation with that id' : 'There is no operation with that id',
    { outcome: 'none', next: ['pay ops list'] },
  )
}

const nounOf = (record: StoredRecord): string => `a ${wordsOf(record)}`

/** "payment.refund of 5.00 EUR" */
function wordsOf({ operation, amount, currencyCode }: StoredRecord): string {
  return amount === null ? operation : `${operation} of ${formatMoney(amount, currencyCode ?? undefined)}`
}
