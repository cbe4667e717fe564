import { EXIT } from '../../errors.ts'
import type { ReadyRow } from './ready-row.ts'
import { DONE, PROCESSOR_REFUSED, TICKET_USED } from './row-result.ts'
import type { RowResult } from './row-result.ts'

/** A write in the ledger of this machine with the key of a row. */
export interface RecordedWrite {
  readonly id: string
  readonly idempotencyKey: string | null
  readonly state: 'sending' | 'in-doubt' | 'confirmed' | 'rejected' | 'abandoned'
  readonly amount: number | null
  readonly exitCode: number | null
  /** ISO 8601. */
  readonly createdAt: string
}

/** A row whose write an earlier run has begun. */
export interface OpenRow {
  readonly row: ReadyRow
  readonly write: RecordedWrite
}

/** What this machine knows about the rows of a plan before it continues. */
export interface KnownRows {
  /** Finished rows: done, skipped, or processed and refused. They aren't sent again. */
  readonly over: Map<number, RowResult>
  /** The open writes of rows, which have to be settled before anything else is sent. */
  readonly open: readonly OpenRow[]
}

/** Reads the ledger: calls `visit` with every open write, then with every ended one, some of which may just have ended. */
export type VisitWrites = (visit: (write: RecordedWrite) => void) => Promise<void>

/**
 * Combines the journal with the ledger, which alone says what was done: a kill may have come between the two. A write that was
 * refused or abandoned is not over: the row is compared with its payment and sent with the same key.
 * @throws what `damaged` makes, if the journal has a row that the plan doesn't have, or one as done that the ledger
 * doesn't know
 */
export async function findKnownRows(
  rows: Iterable<ReadyRow>,
  keyOf: (row: ReadyRow) => string,
  journal: ReadonlyMap<number, RowResult>,
  visitWrites: VisitWrites,
  damaged: (why: string) => Error,
): Promise<KnownRows> {
  const byKey = new Map<string, KeyedRow>()
  for (const row of rows) byKey.set(keyOf(row), { row: row.row, amount: row.amount, ticket: row.ticket })
  const over = new Map<number, RowResult>()
  for (const [row, result] of journal) if (result.outcome === 'skipped') over.set(row, result)
  const open = new Map<number, RecordedWrite>()
  const ended = new Set<number>()
  await visitWrites((write) => {
    const row = byKey.get(write.idempotencyKey ?? '')
    if (row === undefined) return
    if (write.state === 'confirmed') {
      const result = resultOfWrite(row, write)
      if (result === undefined) return
      ended.add(row.row)
      if (over.get(row.row)?.outcome !== 'done') over.set(row.row, result)
      // With another amount it is another write with the row's ticket, which blocks the payment.
    } else if (isOpen(write) && write.amount === (row.amount ?? null)) open.set(row.row, write)
  })
  const isReady = new Set([...byKey.values()].map(({ row }) => row))
  for (const [row, { outcome }] of journal) {
    if (!isReady.has(row)) throw damaged(`has row ${row}, which is not a ready row of the plan`)
    // The journal may know more than the ledger after a power cut, but an open write blocks its payment until it is settled.
    if (outcome === 'done' && over.get(row)?.outcome !== 'done' && !open.has(row))
      throw damaged(`has row ${row} as done, and the ledger does not`)
  }
  for (const row of ended) open.delete(row)
  for (const row of open.keys()) over.delete(row)
  return { over, open: open.size === 0 ? [] : [...openRows(rows, open)] }
}

/** What decides about a row's writes. Smaller than the row, because a plan may have 100,000. */
type KeyedRow = Pick<ReadyRow, 'row' | 'amount' | 'ticket'>

function* openRows(
  rows: Iterable<ReadyRow>,
  open: ReadonlyMap<number, RecordedWrite>,
): Generator<OpenRow, void, undefined> {
  for (const row of rows) {
    const write = open.get(row.row)
    if (write !== undefined) yield { row, write }
  }
}

const isOpen = ({ state }: RecordedWrite): boolean => state === 'sending' || state === 'in-doubt'

/** Undefined if the write proves nothing about the row. */
export function resultOfWrite(
  row: Pick<ReadyRow, 'amount' | 'ticket'>,
  { amount, exitCode }: Pick<RecordedWrite, 'amount' | 'exitCode'>,
): RowResult | undefined {
  const isThisRow = amount === (row.amount ?? null)
  if (isThisRow) {
    if (exitCode === EXIT.done) return DONE
    return exitCode === EXIT.declined ? { outcome: 'failed', message: PROCESSOR_REFUSED } : undefined
  }
  return row.ticket === undefined ? undefined : { outcome: 'skipped', message: TICKET_USED }
}
