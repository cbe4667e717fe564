import type { PlanIdentity, ReadyRow } from '../../../src/rows/batch/apply/ready-row.ts'
import type { RowResult } from '../../../src/rows/batch/apply/row-result.ts'
import type { HttpRequest } from '../../../src/client/http/transport-port.ts'
import type { StoredPayment } from '../../../src/sandbox/domain/stored.ts'
import type { Handled } from '../service.ts'
import { InvariantViolation } from '../invariant-violation.ts'
import { isExactly, isSame } from './planned-row.ts'
import type { PlannedRow } from './planned-row.ts'
import { rowName } from './row-name.ts'
import { describe, looksLike, ticketName, writeIn } from './batch-write.ts'
import type { BatchWrite } from './batch-write.ts'

/** A plan that both machines have. */
export interface SimulatedPlan extends PlanIdentity {
  readonly rows: readonly ReadyRow[]
  readonly createdAtMs: number
  /** How many writes had been performed when its figures were read. */
  readonly plannedAfter: number
}

/** A write that the service has performed. */
export interface Applied extends BatchWrite {
  /** How many were performed before it. */
  readonly index: number
  readonly key: string
  /** When it was performed, by the service's clock. */
  readonly servedAtMs: number
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
  /** The keys of the open records that it has found in the ledger. */
  readonly recorded: ReadonlySet<string>
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
  /** Ledger records with an attempt whose outcome its process never learned. */
  readonly doubtful = new Set<string>()
  /** When each ledger record was first sent, by true time. */
  readonly firstSentMs = new Map<string, number>()
  /** The process that last sent each ledger record. */
  readonly senders = new Map<string, string>()
  readonly #tickets = new Map<string, string>()

  /** Calls it with each write that arrives and is performed. */
  afterArrival(machine: string | undefined, request: HttpRequest, { date }: Pick<Handled, 'date'>): void {
    const write = writeIn(request)
    const key = keyIn(request)
    const rows = this.#rowsOf(key)
    if (rows.length > 0 && !this.singleKeys.has(key) && !rows.some((one) => isExactly(write, one)))
      throw new InvariantViolation('A row does exactly what its plan says.', describe(write))
    this.applied.push({
      ...write,
      key,
      machine,
      index: this.applied.length,
      servedAtMs: date.getTime(),
    })
  }

  /** Calls it with each write of a run that reaches the service, before it is handled. */
  atArrival(run: ApplyRun, request: HttpRequest): void {
    run.arrivedAfter.set(keyIn(request), this.applied.length)
  }

  /** Checks a write of a plan before it leaves its process. */
  beforeSend(run: ApplyRun, request: HttpRequest): void {
    const write = writeIn(request)
    const key = keyIn(request)
    const { plan } = run
    if (!this.#rowsOf(key).some((one) => one.plan === plan && isExactly(write, one)))
      throw new InvariantViolation('A run sends nothing but the rows of its plan.', describe(write))
    if (run.sent.has(key)) return
    run.sent.add(key)
    const readAfter = run.seen.get(write.paymentId)?.after ?? -1
    const evidence = `${run.name} sends ${describe(write)}`
    const changes = this.#unexplained(run.machine, plan, this.changesBy(plan, write.paymentId))
    const seen = changes.filter(({ index }) => index >= plan.plannedAfter && index < readAfter)
    const [change] = seen
    // What a recorded row, or its ticket by hand, would have changed may be its own doing: only its key can tell.
    const mayBeOwn = (run.recorded.has(key) || this.singleKeys.has(key)) && looksLike(seen, write)
    if (readAfter < run.startedAfter || (change !== undefined && !mayBeOwn))
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
    const missing = write.isFinal && this.#undoneBefore(run, key)
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
    this.checkDone(run, row, result, evidence)
    // A row has also failed if its payment could not be read: nothing was sent then, and another machine may have done it.
    const arrivedAfter = Math.max(...applied.map(({ key }) => run.arrivedAfter.get(key) ?? -1))
    if (outcome === 'failed' && applied.some(({ index }) => index < arrivedAfter))
      throw new InvariantViolation(
        'A row that was done when it reached the service has not failed.',
        evidence,
      )
    if (outcome !== 'skipped') return
    if (applied.some(({ index, machine }) => index < run.startedAfter && machine === run.machine))
      throw new InvariantViolation(
        'A row that its own machine has done is not reported as skipped.',
        evidence,
      )
    const isChanged = this.changesBeside(run.machine, plan, row.paymentId).some(
      ({ index }) => index >= plan.plannedAfter,
    )
    if (message.startsWith('The payment changed') && !isChanged)
      throw new InvariantViolation('A payment that is reported as changed has changed.', evidence)
  }

  checkDone({ machine, plan }: ApplyRun, row: ReadyRow, { outcome }: RowResult, evidence: string): void {
    // A cancelled payment is the intended result, no matter who cancelled it.
    const isCancelled = this.applied.some(
      ({ operation, paymentId }) =>
        operation === 'cancel' && operation === plan.operation && paymentId === row.paymentId,
    )
    const isByOther = this.mayBeOthers(machine, plan, row)
    if (outcome === 'done' && this.appliedFor(plan, row).length === 0 && !isCancelled && !isByOther)
      throw new InvariantViolation('A row that is reported as done was done.', evidence)
  }

  /**
   * Whether others may have done what a row does, as a machine reads it: a payment doesn't show whose refund it is, and
   * shows only the total of its captures.
   */
  mayBeOthers(machine: string, plan: SimulatedPlan, row: ReadyRow): boolean {
    return this.applied.some(
      (one) =>
        isSame(one, plan, row) ||
        (one.machine !== machine &&
          one.paymentId === row.paymentId &&
          one.operation === 'capture' &&
          plan.operation === 'capture'),
    )
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

  /** Changes of a payment by anything but the rows of this plan on this machine; also a row's by hand, with its ticket. */
  changesBeside(machine: string, plan: SimulatedPlan, paymentId: string): readonly Applied[] {
    const others = this.changesBy(plan, paymentId)
    const isBeside = (one: Applied) => one.machine !== machine || this.singleKeys.has(one.key)
    return this.applied.filter(
      (one) => others.includes(one) || (one.paymentId === paymentId && isBeside(one)),
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

  /** The changes without those that stand for a row that a machine found done, because somebody else did just what it does. */
  #unexplained(machine: string, plan: SimulatedPlan, changes: readonly Applied[]): readonly Applied[] {
    let left = changes
    for (const row of plan.rows) {
      if (this.outcomes.get(nameOf(machine, plan, row.row))?.outcome !== 'done') continue
      if (this.appliedFor(plan, row).length > 0) continue
      const later = left.filter(({ index }) => index >= plan.plannedAfter)
      const same = later.find((one) => isSame(one, plan, row))
      const together = later.filter((one) => one.machine !== machine && one.paymentId === row.paymentId)
      const { amount = 0 } = row
      const own = same === undefined && looksLike(together, { ...plan, amount }) ? together : [same]
      left = left.filter((one) => !own.includes(one))
    }
    return left
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

  #undoneBefore({ plan, machine }: ApplyRun, key: string): boolean {
    const last = plan.rows.find((row) => rowName(plan, row) === this.#nameOf(key))
    return plan.rows.some(
      (row) =>
        row.paymentId === last?.paymentId &&
        row.row < last.row &&
        this.appliedFor(plan, row).length === 0 &&
        this.outcomes.get(nameOf(machine, plan, row.row))?.outcome !== 'done',
    )
  }
}

interface LedgerWrite {
  readonly idempotencyKey: string
  readonly amount: number
}

const keyIn = ({ headers }: HttpRequest): string => headers['x-idempotency-key'] ?? ''

/** A row of one machine. */
export const nameOf = (machine: string, { planId }: SimulatedPlan, row: number): string =>
  `${machine} ${planId} ${row}`
