import { rowKey } from '../../../src/batch/apply/ready-row.ts'
import type { PlanIdentity, ReadyRow } from '../../../src/batch/apply/ready-row.ts'
import type { RowResult } from '../../../src/batch/apply/row-result.ts'
import type { HttpRequest } from '../../../src/http/transport-port.ts'
import type { StoredPayment } from '../../../src/sandbox/domain/store/stored-payment.ts'
import { InvariantViolation } from '../invariant-violation.ts'
import { describe, ticketName, writeIn } from './batch-write.ts'
import type { BatchWrite } from './batch-write.ts'

/** A plan that both machines have. */
export interface SimulatedPlan extends PlanIdentity {
  readonly rows: readonly ReadyRow[]
  /** How many writes had been performed when its figures were read. */
  readonly plannedAfter: number
}

/** A write that the service has performed. */
export interface Applied extends BatchWrite {
  /** How many were performed before it. */
  readonly index: number
  readonly key: string
  /** Whose request it was; undefined for a colleague without pay. */
  readonly machine: string | undefined
}

/** What one run of `batch apply` has seen and said. Moments are counts of the writes that had been performed. */
export interface ApplyRun {
  readonly name: string
  readonly machine: string
  readonly plan: SimulatedPlan
  readonly startedAfter: number
  /** Each payment as it was last read, and when. */
  readonly seen: Map<string, { readonly after: number; readonly payment: StoredPayment }>
  /** The keys that it has sent. */
  readonly sent: Set<string>
  /** When each of its keys last reached the service. */
  readonly arrivedAfter: Map<string, number>
}

/** What happened at the service, and the promises that the rows of plans keep at every moment. */
export class BatchFacts {
  readonly plans: SimulatedPlan[] = []
  readonly applied: Applied[] = []
  /** Keys of writes that people make without a plan. */
  readonly singleKeys = new Set<string>()
  /** Payments that someone has tried to change without a plan: an open write blocks the rows of its payment. */
  readonly touched = new Set<string>()
  /** The last outcome of each row, by machine and row. */
  readonly outcomes = new Map<string, RowResult>()
  readonly #tickets = new Map<string, string>()

  /** Calls it with each write that arrives and is performed. */
  afterArrival(machine: string | undefined, request: HttpRequest): void {
    const write = writeIn(request)
    const key = keyIn(request)
    const rows = this.#rowsOf(key)
    if (rows.length > 0 && !this.singleKeys.has(key) && !rows.some((one) => isExactly(write, one)))
      throw new InvariantViolation('A row does exactly what its plan says.', describe(write))
    this.applied.push({ ...write, key, machine, index: this.applied.length })
  }

  /** Calls it with each write of a run that reaches the service, before it is handled. */
  atArrival(run: ApplyRun, request: HttpRequest): void {
    if (!isQuestion(run, writeIn(request))) run.arrivedAfter.set(keyIn(request), this.applied.length)
  }

  /** Checks a write of a plan before it leaves its process. */
  beforeSend(run: ApplyRun, request: HttpRequest): void {
    const write = writeIn(request)
    const key = keyIn(request)
    if (isQuestion(run, write) || run.sent.has(key)) return
    run.sent.add(key)
    const { plan } = run
    const readAfter = run.seen.get(write.paymentId)?.after ?? -1
    const evidence = `${run.name} sends ${describe(write)}`
    const changes = this.changesBy(plan, write.paymentId)
    const change = changes.find(({ index }) => index >= plan.plannedAfter && index < readAfter)
    if (readAfter < run.startedAfter || change !== undefined)
      throw new InvariantViolation(
        'A row is sent only if its payment, read right before, is as planned.',
        `${evidence}, which was changed by ${change === undefined ? 'someone' : describe(change)}`,
      )
    // Another machine can change it at any moment; the ledger of this one knows of each other write.
    const own = changes.find(({ index, machine }) => index >= readAfter && machine === run.machine)
    if (own !== undefined)
      throw new InvariantViolation(
        'No write of the same machine comes between reading a payment and sending a row.',
        `${evidence} after ${describe(own)}`,
      )
    const missing = write.isFinal && this.#undoneBefore(plan, key)
    if (missing)
      throw new InvariantViolation(
        'The last capture of a payment is sent only after the others of its plan.',
        evidence,
      )
  }

  /** Checks an outcome when a run notes it. */
  onResult(run: ApplyRun, row: ReadyRow, result: RowResult): void {
    const { plan } = run
    this.outcomes.set(nameOf(run.machine, plan, row.row), result)
    const { outcome, message = '' } = result
    const applied = this.appliedFor(plan, row)
    const evidence = `${run.name}: row ${row.row} is ${outcome} (${message})`
    this.checkDone(plan, row, result, evidence)
    // A row has also failed if its payment could not be read: nothing was sent then, and another machine may have done it.
    const arrivedAfter = Math.max(...applied.map(({ key }) => run.arrivedAfter.get(key) ?? -1))
    if (outcome === 'failed' && applied.some(({ index }) => index < arrivedAfter))
      throw new InvariantViolation(
        'A row that was done when it reached the service has not failed.',
        evidence,
      )
    if (outcome !== 'skipped') return
    if (applied.some(({ index }) => index < run.startedAfter))
      throw new InvariantViolation('A row that was done is not reported as skipped.', evidence)
    const isChanged = this.changesBy(plan, row.paymentId).some(({ index }) => index >= plan.plannedAfter)
    if (message.startsWith('The payment changed') && !isChanged)
      throw new InvariantViolation('A payment that is reported as changed has changed.', evidence)
  }

  checkDone(plan: SimulatedPlan, row: ReadyRow, { outcome }: RowResult, evidence: string): void {
    if (outcome === 'done' && this.appliedFor(plan, row).length === 0)
      throw new InvariantViolation('A row that is reported as done was done.', evidence)
  }

  /** What the service has performed for a row. Keys distinguish rows of equal amount on one payment. */
  appliedFor(plan: SimulatedPlan, row: ReadyRow): readonly Applied[] {
    const name = rowName(plan, row)
    return this.applied.filter((one) => isSame(one, plan, row) && this.#nameOf(one.key) === name)
  }

  /** Changes of a payment by anything but the rows of this plan. */
  changesBy(plan: SimulatedPlan, paymentId: string): readonly Applied[] {
    return this.applied.filter(
      (one) =>
        one.paymentId === paymentId &&
        !plan.rows.some((row) => isSame(one, plan, row) && this.#nameOf(one.key) === rowName(plan, row)),
    )
  }

  /** Whether a write in a ledger belongs to a row. A ticket may also have been used for another amount. */
  isOfPlan(write: LedgerWrite): boolean {
    return this.#rowsOfWrite(write).length > 0
  }

  /** Without rows that have a ticket: a command by hand may have stopped before it found out that the ticket was used. */
  isDoneRow(machine: string, write: LedgerWrite): boolean {
    return this.#rowsOfWrite(write).some(
      ({ plan, row }) =>
        row.ticket === undefined && this.outcomes.get(nameOf(machine, plan, row.row))?.outcome === 'done',
    )
  }

  #rowsOfWrite({ idempotencyKey, amount }: LedgerWrite): readonly PlannedRow[] {
    return this.#rowsOf(idempotencyKey).filter(({ row }) => (row.amount ?? 0) === amount)
  }

  /** Remembers the key of a ticket, which is derived from the API key. */
  nameTicket(key: string, ...ticket: Parameters<typeof ticketName>): void {
    this.#tickets.set(key, ticketName(...ticket))
  }

  isTicketUsed(...ticket: Parameters<typeof ticketName>): boolean {
    const name = ticketName(...ticket)
    return this.applied.some(({ key }) => this.#nameOf(key) === name)
  }

  isKnown({ key }: Applied): boolean {
    return this.singleKeys.has(key) || this.#rowsOf(key).length > 0
  }

  #nameOf(key: string): string {
    return this.#tickets.get(key) ?? key
  }

  #rowsOf(key: string): readonly PlannedRow[] {
    const name = this.#nameOf(key)
    return this.plans.flatMap((plan) =>
      plan.rows.filter((row) => name === rowName(plan, row)).map((row) => ({ plan, row })),
    )
  }

  #undoneBefore(plan: SimulatedPlan, key: string): boolean {
    const last = plan.rows.find((row) => rowName(plan, row) === this.#nameOf(key))
    return plan.rows.some(
      (row) =>
        row.paymentId === last?.paymentId && row.row < last.row && this.appliedFor(plan, row).length === 0,
    )
  }
}

interface LedgerWrite {
  readonly idempotencyKey: string
  readonly amount: number
}

interface PlannedRow {
  readonly plan: SimulatedPlan
  readonly row: ReadyRow
}

/** Whether a run asks about a key, because the service refuses the write otherwise. */
function isQuestion({ seen }: ApplyRun, { operation, paymentId, amount }: BatchWrite): boolean {
  const payment = seen.get(paymentId)?.payment
  if (payment === undefined) return false
  return operation === 'cancel' ? payment.status === 'CANCELLED' : amount > payment.amount
}

const keyIn = ({ headers }: HttpRequest): string => headers['x-idempotency-key'] ?? ''

const isSame = (write: BatchWrite, { operation }: SimulatedPlan, { paymentId, amount = 0 }: ReadyRow) =>
  write.operation === operation && write.paymentId === paymentId && write.amount === amount

/** A service takes a capture as the last one unless the request says otherwise. */
function isExactly(write: BatchWrite, { plan, row }: PlannedRow): boolean {
  const isLast = !plan.rows.some((other) => other.paymentId === row.paymentId && other.row > row.row)
  return isSame(write, plan, row) && write.isFinal === (plan.operation === 'capture' && isLast)
}

/** A row of one machine. */
export const nameOf = (machine: string, { planId }: SimulatedPlan, row: number): string =>
  `${machine} ${planId} ${row}`

/** Computed once, because the facts are checked at every step. */
const names = new WeakMap<ReadyRow, string>()

function rowName(plan: SimulatedPlan, row: ReadyRow): string {
  const known = names.get(row)
  if (known !== undefined) return known
  const name = row.ticket === undefined ? rowKey(plan, row) : ticketName(plan.operation, row)
  names.set(row, name)
  return name
}
