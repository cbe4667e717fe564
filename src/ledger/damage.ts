import { EXIT, PayError } from '../errors.ts'
import { isSuspect, isTorn, mayHold } from './files/damaged-line.ts'
import type { DamagedLine } from './files/damaged-line.ts'
import type { StoredRecord } from './files/record.ts'

/** Why nothing is sent where a part of the ledger is damaged. */

const ledgerDamaged = (
  message: string,
  details: { readonly hint: string; readonly next?: readonly string[]; readonly operationId?: string },
): PayError =>
  new PayError('ledger_damaged', EXIT.conflict, message, { outcome: 'none', retryable: false, ...details })

const LINE = 'The line is cut short or does not match its checksum; pay doctor counts such lines.'

export const damagedRecord = (name: string, path: string): PayError =>
  ledgerDamaged(`Nothing was sent: the record of an earlier write on this target is damaged: ${path}`, {
    hint: 'Its content does not match its checksum, or has none. That write may have been done: look at the service first. Then pay ops abandon sets the file aside.',
    next: [`pay ops abandon ${name}`],
  })

export const damagedBefore = (path: string): PayError =>
  ledgerDamaged(
    `Nothing was sent: a damaged line of the last ten minutes may be the same write, already done: ${path}`,
    { hint: `${LINE} Look at the payment. If this is to be done all the same, add --again.` },
  )

export const damagedSince = (path: string): PayError =>
  ledgerDamaged(
    `Nothing was sent: a damaged line may be a write on this target that came in between: ${path}`,
    { hint: `${LINE} Look at the payment as it is now, then decide again.` },
  )

export const damagedTicket = (path: string): PayError =>
  ledgerDamaged(`Nothing was sent: a damaged line may be this ticket, already used: ${path}`, {
    hint: `${LINE} Look at the payment. If this was not done, use another ticket, with --again.`,
  })

/** An intent in doubt about which the history may know more than can be read. */
const damagedEvidence = (id: string, path: string): PayError =>
  ledgerDamaged(
    `Nothing was sent: a damaged line of the history may be the end of this write, or of another on its target: ${path}`,
    {
      operationId: id,
      hint: `${LINE} What the payment shows can't be told apart by it. Look at the payment, then abandon the record.`,
      next: [`pay ops show ${id}`, `pay ops abandon ${id}`],
    },
  )

/** What a payment shows is held against what has ended since a day before. */
const EVIDENCE_MS = 24 * 60 * 60 * 1000

/** Why an open record can't be resolved: its end, or what another write has done, may stand in one of these lines. */
export function damageTo(record: StoredRecord, lines: readonly DamagedLine[]): PayError | undefined {
  const { id } = record
  const since = new Date(Date.parse(record.createdAt) - EVIDENCE_MS)
  for (const damaged of lines) {
    const { line, path, until } = damaged
    // A crash leaves that of a write that is still open, or that was not done.
    if (isTorn(line)) continue
    const isOwnEnd = new Date(until) >= since && mayHold(line, 'id', id)
    const isOther = record.target !== null && isSuspect(damaged, { target: record.target, since })
    if (isOwnEnd || isOther) return damagedEvidence(id, path)
  }
  return undefined
}
