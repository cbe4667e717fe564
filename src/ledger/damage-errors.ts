import { EXIT, PayError } from '../errors.ts'
import { isSuspect, isTorn, mayHaveValue } from './files/damaged-line.ts'
import type { DamagedLine } from './files/damaged-line.ts'
import type { StoredRecord } from './files/record.ts'

/** The errors for writes that are blocked because part of the ledger is damaged. All exit 6. */

const ledgerDamaged = (
  message: string,
  details: { readonly hint: string; readonly next?: readonly string[]; readonly operationId?: string },
): PayError =>
  new PayError('ledger_damaged', EXIT.conflict, message, { outcome: 'none', retryable: false, ...details })

const LINE_HINT = 'The line is cut short or does not match its checksum; pay doctor counts such lines.'

export const damagedRecord = (name: string, path: string): PayError =>
  ledgerDamaged(`Nothing was sent: the record of an earlier write on this target is damaged: ${path}`, {
    hint: 'The file has no valid checksum. The earlier write may have been done: check the payment at the service first. Then pay ops abandon sets the file aside.',
    next: [`pay ops abandon ${name}`],
  })

export const damagedBefore = (path: string): PayError =>
  ledgerDamaged(
    `Nothing was sent: a damaged line of the last ten minutes may be the same write, already done: ${path}`,
    { hint: `${LINE_HINT} Check the payment. To do this anyway, add --again.` },
  )

export const damagedSince = (path: string): PayError =>
  ledgerDamaged(
    `Nothing was sent: a damaged line may be another write on this target, made in the meantime: ${path}`,
    { hint: `${LINE_HINT} Check the payment's current state, then decide again.` },
  )

export const damagedTicket = (path: string): PayError =>
  ledgerDamaged(`Nothing was sent: a damaged line may be this ticket, already used: ${path}`, {
    hint: `${LINE_HINT} Check the payment. If this was not done, use another ticket, with --again.`,
  })

/** For a write in doubt whose outcome may be in an unreadable line of the history. */
const damagedEvidence = (id: string, path: string): PayError =>
  ledgerDamaged(
    `Nothing was sent: a damaged line of the history may record the outcome of this write, or another write on its target: ${path}`,
    {
      operationId: id,
      hint: `${LINE_HINT} So pay can't tell which write the payment shows. Check the payment, then abandon the record.`,
      next: [`pay ops show ${id}`, `pay ops abandon ${id}`],
    },
  )

/** Resolving also considers other writes from up to a day before the record. */
const EVIDENCE_MS = 24 * 60 * 60 * 1000

/** Why an open record can't be resolved: one of these lines may hold its outcome or another write on its target. */
export function damageTo(record: StoredRecord, lines: readonly DamagedLine[]): PayError | undefined {
  const { id } = record
  const since = new Date(Date.parse(record.createdAt) - EVIDENCE_MS)
  for (const damaged of lines) {
    const { line, path, until } = damaged
    // A crash leaves a torn line. The write in it is still open or was not done, so it has no outcome to lose.
    if (isTorn(line)) continue
    const isOwnEnd = new Date(until) >= since && mayHaveValue(line, 'id', id)
    const isOther = record.target !== null && isSuspect(damaged, { target: record.target, since })
    if (isOwnEnd || isOther) return damagedEvidence(id, path)
  }
  return undefined
}
