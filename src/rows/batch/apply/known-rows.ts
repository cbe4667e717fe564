import type { Expectation } from '../../../client/calls/client-port.ts'
import { EXIT, PayError, isInterruption } from '../../../errors.ts'
import { differenceOf, differsByRow } from './difference.ts'
import type { PlanIdentity, ReadyRow } from './ready-row.ts'
import { RowLeft } from './row-ports.ts'
import type { RowPorts } from './row-ports.ts'
import { DONE, PROCESSOR_REFUSED, TICKET_USED } from './row-result.ts'
import type { RowResult } from './row-result.ts'
import type { RunRow, RunRows } from './run-rows.ts'

/** A write in the ledger with the key of a row. */
export interface RecordedWrite {
  readonly id: string
  readonly idempotencyKey: string | null
  readonly state: 'sending' | 'in-doubt' | 'confirmed' | 'rejected' | 'abandoned'
  readonly amount: number | null
  readonly exitCode: number | null
  /** The way in which the outcome is known, if not from the direct response. */
  readonly note: string | null
}

/** The writes in the ledger that have one of these keys. */
export type WritesWith = (keys: readonly string[]) => Promise<readonly RecordedWrite[]>

interface KnownRowsOptions {
  readonly rows: Iterable<ReadyRow>
  readonly keyOf: (row: ReadyRow) => string
  readonly runRows: RunRows
  readonly writesWith: WritesWith
}

/** The number of rows that are looked up at a time. */
const PART = 500

/**
 * Compares what earlier runs have noted with the ledger, which alone says what was done: a kill may have come between the two.
 * Then the run has the result of each row that is over, and no other. Returns the rows with an open write, which have to be
 * settled before anything else is sent.
 * @throws {PayError} `run_damaged`, if the run has a row that the plan doesn't have, or one as done that the ledger doesn't know
 */
export async function findKnownRows(
  options: KnownRowsOptions,
): Promise<{ readonly open: readonly OpenRow[]; readonly over: number }> {
  const { rows, runRows } = options
  const open: OpenRow[] = []
  let [over, last] = [0, 0]
  let part: ReadyRow[] = []
  const take = async (upTo: number) => {
    const known = await knownPart(options, part, { after: last, upTo })
    runRows.noteAll(known.filter(({ isNoted }) => !isNoted))
    open.push(...known.flatMap(({ row, write }) => (write === undefined ? [] : [{ row, write }])))
    over += known.filter(({ result, write }) => result !== undefined && write === undefined).length
    last = upTo
    part = []
  }
  for (const row of rows) {
    part.push(row)
    if (part.length === PART) await take(row.row)
  }
  await take(Number.MAX_SAFE_INTEGER)
  return { open, over }
}

async function knownPart(
  { keyOf, runRows, writesWith }: KnownRowsOptions,
  rows: readonly ReadyRow[],
  { after, upTo }: { readonly after: number; readonly upTo: number },
): Promise<readonly (RunRow & Partial<OpenRow> & { readonly isNoted: boolean })[]> {
  const noted = new Map(runRows.between(after, upTo).map((known) => [known.row.row, known]))
  const writes = byKey(await writesWith(rows.map(keyOf)))
  const known = rows.map((row) => {
    const before = noted.get(row.row)
    const found = knownOf(row, before?.result, writes.get(keyOf(row)) ?? [])
    if (found === undefined) throw runRows.damaged(`has row ${row.row} as done, and the ledger does not`)
    noted.delete(row.row)
    const isNoted = JSON.stringify(before) === JSON.stringify({ row, result: found.result })
    return { row, ...found, isNoted }
  })
  for (const row of noted.keys())
    throw runRows.damaged(`has row ${row}, which is not a ready row of the plan`)
  return known
}

export function byKey(writes: readonly RecordedWrite[]): Map<string | null, readonly RecordedWrite[]> {
  const found = new Map<string | null, readonly RecordedWrite[]>()
  for (const write of writes)
    found.set(write.idempotencyKey, [...(found.get(write.idempotencyKey) ?? []), write])
  return found
}

/**
 * What is known about a row: its result if it is over, or its open write. A write that was refused or abandoned is not over: the
 * row is compared with its payment and sent with the same key. Undefined if it was noted as done, and the ledger doesn't say so.
 */
export function knownOf(
  row: Pick<ReadyRow, 'amount' | 'ticket'>,
  noted: RowResult | undefined,
  writes: readonly RecordedWrite[],
): { readonly result?: RowResult; readonly write?: RecordedWrite } | undefined {
  const result = overBy(row, writes)
  const write = writes.find((one) => isOpenFor(row, one))
  // The run may know more than the ledger after a power cut, but an open write blocks its payment until it is settled.
  if (noted?.outcome === 'done' && result?.outcome !== 'done' && write === undefined) return undefined
  if (result !== undefined) return { result }
  if (write !== undefined) return { result: NOT_SETTLED, write }
  return noted?.outcome === 'skipped' ? { result: noted } : {}
}

const NOT_SETTLED: RowResult = { outcome: 'unknown', message: 'Not settled yet' }

/** The result of a row by its confirmed writes. */
export function overBy(
  row: Pick<ReadyRow, 'amount' | 'ticket'>,
  writes: readonly RecordedWrite[],
): RowResult | undefined {
  const results = writes.flatMap((write) =>
    write.state === 'confirmed' ? (resultOfWrite(row, write) ?? []) : [],
  )
  return results.find(({ outcome }) => outcome === 'done') ?? results[0]
}

/** Whether a write is the open one of a row. Another amount makes it another write with its ticket, which blocks the payment. */
export const isOpenFor = (
  { amount }: Pick<ReadyRow, 'amount'>,
  write: Pick<RecordedWrite, 'state' | 'amount'>,
): boolean => (write.state === 'sending' || write.state === 'in-doubt') && write.amount === (amount ?? null)

/** The result that a write proves for the row; undefined if it proves none. */
export function resultOfWrite(
  row: Pick<ReadyRow, 'amount' | 'ticket'>,
  { amount, exitCode, note }: Pick<RecordedWrite, 'amount' | 'exitCode' | 'note'>,
): RowResult | undefined {
  const isThisRow = amount === (row.amount ?? null)
  if (isThisRow) {
    if (exitCode === EXIT.done) return row.ticket === undefined || note === null ? DONE : DONE_BY_TICKET
    return exitCode === EXIT.declined ? { outcome: 'failed', message: PROCESSOR_REFUSED } : undefined
  }
  return row.ticket === undefined ? undefined : { outcome: 'skipped', message: TICKET_USED }
}

const DONE_BY_TICKET: RowResult = { ...DONE, isAnyTime: true }

/** The most sums. Each row that was found done by its ticket doubles them. A payment that shows one that is left out is skipped. */
const MOST_SUMS = 1_000

/**
 * What the rows of a payment may have moved since the plan, in minor units, all of them first. A row that was found done by its
 * ticket may have been done before the plan, so that its figures include it.
 */
export function movedBy(rows: readonly RunRow[]): readonly number[] {
  let moved: readonly number[] = [0]
  for (const { row, result } of rows) {
    const { amount } = row
    if (result?.outcome !== 'done' || amount === undefined) continue
    const counted = moved.map((one) => one + amount)
    moved = result.isAnyTime === true ? [...new Set([...counted, ...moved])].slice(0, MOST_SUMS) : counted
  }
  return moved
}

/** The earlier capture that is not done, before the last one of a payment. */
export const undoneBefore = ({ continues }: ReadyRow, siblings: readonly RunRow[]): RunRow | undefined =>
  continues === true
    ? undefined
    : siblings.find(({ row, result }) => row.continues === true && result?.outcome !== 'done')

/** A row whose write has been begun and has no outcome. */
export interface OpenRow {
  readonly row: ReadyRow
  readonly write: RecordedWrite
}

export interface SettlePorts extends RowPorts {
  readonly settleWrite: SettleWrite
}

/** The ledger's recovery: reads the payment, asks what to expect of it, and may send the same request with the same key. */
type SettleWrite = (recordId: string, expects: (payment: unknown) => Expectation) => Promise<SettledWrite>

/** An open write after the ledger's recovery has tried to find its outcome. */
interface SettledWrite {
  readonly record: RecordedWrite
  /** How the outcome was found, or why it is still unknown. */
  readonly words: string
}

/**
 * Finds the outcome of a row that an earlier run has begun. Resends it only if the payment is as the plan expects. If it
 * differs by exactly this row, the row is done, no matter who did it; otherwise someone has changed the payment. Undefined if the
 * run has to begin it again: it was not done, or another process is working on it or has ended it, which beginning it will tell.
 */
export async function settleOpen(
  ports: SettlePorts,
  { operation }: PlanIdentity,
  { row, write }: OpenRow,
  moved: readonly number[],
): Promise<RowResult | undefined> {
  const expects = (payment: unknown): Expectation => {
    const difference = differenceOf(operation, row, moved, payment)
    if (difference === undefined) return { kind: 'without' }
    return differsByRow(operation, row, moved, payment)
      ? { kind: 'with' }
      : { kind: 'other', why: `the payment changed: ${difference}` }
  }
  try {
    const { record, words } = await ports.settleWrite(write.id, expects)
    if (record.state === 'confirmed') return resultOfWrite(row, record)
    if (record.state === 'rejected' || record.state === 'abandoned') return undefined
    return { outcome: 'unknown', message: ports.clean(words) }
  } catch (error) {
    if (isInterruption(error)) throw new RowLeft()
    if (!(error instanceof PayError)) throw error
    if (error.code === 'in_progress' || error.code === 'no_such_operation') return undefined
    return { outcome: 'unknown', message: ports.clean(error.message) }
  }
}
