import { createTemporaryRows } from '../../keep/temporary-rows.ts'
import { createLeftOutTally } from '../../left-out.ts'
import type { LeftOutCount, LeftOutTally } from '../../left-out.ts'
import type { InputFormat } from '../../read/input-format.ts'
import { readMappedRows } from '../../read/mapped-rows.ts'
import { inOrder } from '../../send/row-loop.ts'
import type { PlanRow } from '../plan.ts'
import type { PaymentReader, Reading } from '../../payments/payment-reader.ts'
import { readBatchRow } from './batch-row.ts'
import type { BatchRow, RowOptions } from './batch-row.ts'
import { createCaptureOrder, releasedBy } from './capture-order.ts'
import type { CaptureOrder } from './capture-order.ts'
import { judge } from './judge.ts'
import type { EarlierRow, Judgement } from './judge.ts'

/** The knowledge of this machine about earlier writes to payments. Each function describes the write, or returns undefined. */
export interface EarlierWrites {
  /** A write on the payment whose outcome is unknown. */
  readonly openOn: (paymentId: string) => string | undefined
  /** The use of the ticket for this operation on the payment. */
  readonly useOfTicket: (paymentId: string, ticket: string) => string | undefined
  /** A write of this operation and amount on the payment that was done. */
  readonly equalTo: (
    paymentId: string,
    amount: number | undefined,
    currencyCode: string,
  ) => string | undefined
}

export interface PlanRowsOptions extends RowOptions {
  readonly source: Pick<InputFormat, 'start' | 'records' | 'rowOf'>
  readonly chunks: AsyncIterable<Uint8Array>
  readonly reader: PaymentReader
  readonly writes: EarlierWrites
  /** Whether no capture is final: `--no-final`. */
  readonly noFinal: boolean
  /** Whether repeats are intentional. */
  readonly allowsRepeats: boolean
  /** Why the profile forbids the amount; undefined if it allows it. */
  readonly overLimit: (amount: number | undefined, currencyCode: string) => string | undefined
  /** Called with each row and its cells, in file order. */
  readonly onRow: (row: PlanRow, cells: readonly string[]) => void
  /** Called after each row. `share`: the part of the rows read so far that is judged, from 0 to 1. */
  readonly onProgress: (share: number) => void
  readonly stop: AbortSignal
}

/** In rows: twice as many as are read concurrently, so that one slow response rarely holds up others. More would outlive garbage collections. */
const WINDOW = 128

/**
 * Reads every row and its payment, and judges the rows in file order. Reads ahead of the judge, so that many payments are
 * read at once. Returns the rows that the mapping leaves out.
 * @throws {UsageError} if the input can't be read to its end; what the reader throws
 */
export async function planRows(options: PlanRowsOptions): Promise<readonly LeftOutCount[]> {
  const { stop } = options
  const counts = { read: 0, judged: 0 }
  const leftOut = createLeftOutTally()
  const read = readRows(options, counts, leftOut)
  const order = createCaptureOrder(options.noFinal)
  const parts = options.operation === 'capture' ? [await readAhead(read, order)] : read
  const judgeRow = createRowJudge(options, order)
  const readings = inOrder(parts, (row) => readingOf(options.reader, row), WINDOW)
  for await (const [row, reading] of readings) {
    if (stop.aborted) return []
    options.onRow(judgeRow(row, reading), row.cells)
    counts.judged += 1
    options.onProgress(counts.judged / counts.read)
  }
  return leftOut.all()
}

/** The rows of the input, a part at a time. */
async function* readRows(
  options: PlanRowsOptions,
  counts: { read: number },
  leftOut: LeftOutTally,
): AsyncGenerator<Iterable<BatchRow>> {
  const { source, chunks } = options
  const parts = readMappedRows(source, chunks, leftOut, (input, { row, line }) =>
    readBatchRow(input, { row, line }, options),
  )
  for await (const rows of parts) {
    counts.read += rows.length
    yield rows
  }
}

/** Reads all rows ahead: whether a capture is final depends on the rows after it. */
async function readAhead(
  read: AsyncIterable<Iterable<BatchRow>>,
  order: CaptureOrder,
): Promise<Iterable<BatchRow>> {
  const all = createTemporaryRows<BatchRow>()
  for await (const rows of read)
    for (const row of rows) {
      order.note(row)
      all.add(row)
    }
  return all.all()
}

const UNREAD: Reading = { kind: 'unread', message: '' }

async function readingOf(reader: PaymentReader, { problem, paymentId, orderId }: BatchRow): Promise<Reading> {
  if (problem !== undefined) return UNREAD
  if (paymentId !== undefined) return reader.byId(paymentId)
  return orderId === undefined ? UNREAD : reader.byOrder(orderId)
}

/** Judges rows one after another, each with regard to those before it. */
function createRowJudge(
  options: PlanRowsOptions,
  order: CaptureOrder,
): (row: BatchRow, reading: Reading) => PlanRow {
  const { operation, writes } = options
  const ready = createReadyRows()
  /** The first row with a ticket, by payment and ticket. */
  const tickets = new Map<string, number>()

  return (row, reading) => {
    const facts = reading.kind === 'payment' ? reading.facts : undefined
    const paymentId = facts?.id ?? row.paymentId
    const { ticket, takesAll } = row
    const named = { ...row, paymentId, orderId: row.orderId ?? facts?.orderId }
    const earlier = ready.of(paymentId ?? '')
    const judged = judge({
      operation,
      requested: row,
      problem:
        row.problem ??
        orderProblem(row, facts?.orderId) ??
        (operation === 'capture' ? order.problemOf(named) : undefined) ??
        ticketProblem(paymentId, row),
      reading,
      earlier,
      openWrite: paymentId === undefined ? undefined : writes.openOn(paymentId),
      usedTicket:
        paymentId === undefined || ticket === undefined ? undefined : writes.useOfTicket(paymentId, ticket),
      sameWrite: (amount) => writes.equalTo(paymentId ?? '', amount, facts?.currencyCode ?? ''),
      allowsRepeats: options.allowsRepeats,
      mayBeDone: row.mayBeDone,
      overLimit: options.overLimit,
    })
    if (judged.verdict === 'ready' && paymentId !== undefined)
      ready.add(paymentId, { row: row.row, amount: judged.amount ?? 0 })
    return {
      type: 'row',
      row: row.row,
      line: row.line,
      verdict: judged.verdict,
      message: judged.message,
      paymentId,
      orderId: named.orderId,
      amount: judged.amount,
      currencyCode: judged.currencyCode,
      reason: row.reason,
      ticket,
      ...(takesAll ? { takesAll } : {}),
      ...(operation === 'capture' ? finality(judged, earlier, order.isFinal(named)) : {}),
      figures: judged.figures,
    }
  }

  /** The problem of a ticket that occurs twice, which would be the same write. */
  function ticketProblem(
    paymentId: string | undefined,
    { row, ticket, orderId }: BatchRow,
  ): string | undefined {
    if (ticket === undefined) return undefined
    const key = JSON.stringify([paymentId ?? orderId ?? '', ticket])
    const first = tickets.get(key)
    if (first === undefined) tickets.set(key, row)
    return first === undefined
      ? undefined
      : `row ${first} has the same payment and ticket: remove one of them, or give one of them a different ticket`
  }
}

/** The effect of a ready capture on the rest of the authorization. */
function finality(
  { verdict, figures, amount = 0 }: Judgement,
  earlier: readonly EarlierRow[],
  isFinal: boolean,
): Pick<PlanRow, 'final' | 'releases'> {
  if (verdict !== 'ready' || figures === undefined) return {}
  if (!isFinal) return { final: false }
  const releases = releasedBy(figures, earlier, amount)
  return releases > 0 ? { releases } : {}
}

const orderProblem = ({ orderId }: BatchRow, actual: string | undefined): string | undefined =>
  orderId === undefined || actual === undefined || orderId === actual
    ? undefined
    : `the payment belongs to order ${actual}, not ${orderId}: correct one of them`

/** The ready rows by payment, in little memory: nearly every payment has one row, which takes two numbers. */
function createReadyRows() {
  const rows = new Map<string, number | number[]>()
  const amounts: number[] = []
  return {
    add: (paymentId: string, { row, amount }: EarlierRow) => {
      amounts[row] = amount
      const before = rows.get(paymentId)
      if (typeof before === 'object') before.push(row)
      else rows.set(paymentId, before === undefined ? row : [before, row])
    },
    of: (paymentId: string): readonly EarlierRow[] => {
      const found = rows.get(paymentId)
      if (found === undefined) return NO_ROWS
      return [found].flat().map((row) => ({ row, amount: amounts[row] ?? 0 }))
    },
  }
}

const NO_ROWS: readonly EarlierRow[] = []
