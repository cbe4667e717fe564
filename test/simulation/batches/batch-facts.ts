import { rowKey } from '../../../src/batch/apply/ready-row.ts'
import type { ReadyRow } from '../../../src/batch/apply/ready-row.ts'
import type { RowResult } from '../../../src/batch/apply/row-result.ts'
import type { HttpRequest } from '../../../src/http/transport-port.ts'
import { InvariantViolation } from '../invariant-violation.ts'

/** A plan that both machines have. */
export interface SimulatedPlan {
  readonly planId: string
  readonly operation: 'refund'
  readonly rows: readonly ReadyRow[]
  /** When its figures were read. */
  readonly plannedAtMs: number
}

/** A refund that the service has performed. */
interface Applied {
  readonly key: string
  readonly paymentId: string
  readonly amount: number
  readonly atMs: number
}

/** What one run of `batch apply` has seen and said. */
export interface ApplyRun {
  readonly name: string
  readonly machine: string
  readonly plan: SimulatedPlan
  readonly startedAtMs: number
  /** When it last read each payment. */
  readonly readAtMs: Map<string, number>
  /** The keys that it has sent. */
  readonly sent: Set<string>
}

/** More than any payment has: what asks about a key. */
const PAYMENT_AMOUNT = 1_000

/** What happened at the service, and the promises that the rows of plans keep at every moment. */
export class BatchFacts {
  readonly plans: SimulatedPlan[] = []
  readonly applied: Applied[] = []
  /** Keys of refunds that people make without a plan. */
  readonly singleKeys = new Set<string>()
  /** Payments that someone has tried to refund without a plan: an open write blocks the rows of its payment. */
  readonly touched = new Set<string>()
  /** The last outcome of each row, by machine and row. */
  readonly outcomes = new Map<string, RowResult>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  /** Calls it with each write that arrives and is performed. */
  afterArrival(request: HttpRequest): void {
    const { paymentId, amount } = targetOf(request)
    if (amount > PAYMENT_AMOUNT)
      throw new InvariantViolation('A question about a key moves no money.', `${amount} of ${paymentId}`)
    const key = request.headers['x-idempotency-key'] ?? ''
    this.applied.push({ key, paymentId, amount, atMs: this.#now() })
  }

  /** Checks a write of a plan before it leaves its process. */
  beforeSend(run: ApplyRun, request: HttpRequest): void {
    const { paymentId, amount } = targetOf(request)
    if (amount > PAYMENT_AMOUNT) return
    const key = request.headers['x-idempotency-key'] ?? ''
    const isFirst = !run.sent.has(key)
    run.sent.add(key)
    if (!isFirst) return
    const readAtMs = run.readAtMs.get(paymentId) ?? -1
    const change = this.#changesBy(run.plan, paymentId).find(
      ({ atMs }) => atMs > run.plan.plannedAtMs && atMs < readAtMs,
    )
    if (readAtMs < run.startedAtMs || change !== undefined)
      throw new InvariantViolation(
        'A row is sent only if its payment, read right before, is as planned.',
        `${run.name} sends ${amount} to ${paymentId}, which ${change?.key} has changed by ${change?.amount}`,
      )
  }

  /** Checks an outcome when a run notes it. */
  onResult(run: ApplyRun, row: ReadyRow, result: RowResult): void {
    this.outcomes.set(nameOf(run.machine, run.plan, row.row), result)
    const applied = this.appliedFor(run.plan, row)
    const evidence = `${run.name}: row ${row.row} is ${result.outcome} (${result.message ?? ''})`
    if (result.outcome === 'done' && applied.length === 0)
      throw new InvariantViolation('A row that is reported as done was done.', evidence)
    const before = applied.find(({ atMs }) => atMs < run.startedAtMs)
    // A row has also failed if its payment could not be read: nothing was sent then, no matter who did it before.
    if (result.outcome === 'skipped' && before !== undefined)
      throw new InvariantViolation('A row that was done is not reported as skipped.', evidence)
  }

  /** What the service has performed for a row. Keys distinguish rows of equal amount on one payment. */
  appliedFor(plan: SimulatedPlan, row: ReadyRow): readonly Applied[] {
    const key = row.ticket === undefined ? KEYS.get(plan, row) : ticketName(row)
    return this.applied.filter(
      (one) => one.paymentId === row.paymentId && one.amount === row.amount && this.#nameOf(one) === key,
    )
  }

  /** Whether the rows of another plan may come between. */
  #hasOtherPlan(plan: SimulatedPlan, { paymentId }: ReadyRow): boolean {
    return this.plans.some((other) => other !== plan && other.rows.some((row) => row.paymentId === paymentId))
  }

  /** Whether a key belongs to a row. */
  isOfPlan(key: string | null): boolean {
    const name = this.#tickets.get(key ?? '') ?? key
    return this.plans.some((plan) =>
      plan.rows.some((row) => name === (row.ticket === undefined ? KEYS.get(plan, row) : ticketName(row))),
    )
  }

  /** Changes of a payment by anything but the rows of this plan. */
  #changesBy(plan: SimulatedPlan, paymentId: string): readonly Applied[] {
    const own = new Set(
      plan.rows.map((row) => (row.ticket === undefined ? KEYS.get(plan, row) : ticketName(row))),
    )
    return this.applied.filter((one) => one.paymentId === paymentId && !own.has(this.#nameOf(one)))
  }

  readonly #tickets = new Map<string, string>()

  /** Remembers the key of a ticket, which is derived from the API key. */
  nameTicket(key: string, row: Pick<ReadyRow, 'paymentId' | 'ticket'>): void {
    this.#tickets.set(key, ticketName(row))
  }

  #nameOf({ key }: Applied): string {
    return this.#tickets.get(key) ?? key
  }

  /** The promises at the end, when no request is in flight and every machine has applied every plan again. */
  checkAtEnd(machines: readonly string[]): void {
    for (const plan of this.plans)
      for (const row of plan.rows) {
        const applied = this.appliedFor(plan, row)
        const outcomes = machines.map((machine) => this.outcomes.get(nameOf(machine, plan, row.row)))
        const evidence = `${plan.planId} row ${row.row} (${row.amount} of ${row.paymentId}) happened ${applied.length} times: ${outcomes.map((one) => one?.outcome ?? 'left').join(', ')}`
        if (applied.length > 1) throw new InvariantViolation('No row is done twice.', evidence)
        const isDone = outcomes.some((one) => one?.outcome === 'done')
        if (isDone && applied.length === 0)
          throw new InvariantViolation('A row that is reported as done was done.', evidence)
        if (
          !isDone &&
          applied.length === 1 &&
          row.ticket === undefined &&
          !outcomes.some((one) => one?.outcome === 'unknown')
        )
          throw new InvariantViolation('A row that was done is reported as done.', evidence)
        const isDisturbed =
          this.touched.has(row.paymentId) ||
          this.#hasOtherPlan(plan, row) ||
          this.#changesBy(plan, row.paymentId).length > 0
        if (!isDisturbed && outcomes.some((one) => one?.outcome !== 'done'))
          throw new InvariantViolation('Every row of an undisturbed payment is done.', evidence)
      }
    this.#serviceHasNothingElse()
  }

  /** Every refund belongs to a row or to a single command, and there is one for each key. */
  #serviceHasNothingElse(): void {
    const keys = this.applied.map((one) => `${one.paymentId} ${one.key}`)
    const twice = keys.find((key, at) => keys.indexOf(key) !== at)
    if (twice !== undefined) throw new InvariantViolation('A key moves money once.', twice)
    const known = new Set(this.plans.flatMap((plan) => plan.rows.map((row) => KEYS.get(plan, row))))
    const stray = this.applied.find(
      ({ key }) => !known.has(key) && !this.singleKeys.has(key) && !this.#tickets.has(key),
    )
    if (stray !== undefined)
      throw new InvariantViolation('Every refund belongs to a row or a command.', JSON.stringify(stray))
  }
}

const ticketName = ({ paymentId, ticket }: Pick<ReadyRow, 'paymentId' | 'ticket'>): string =>
  `ticket ${ticket} ${paymentId}`
const nameOf = (machine: string, { planId }: SimulatedPlan, row: number): string =>
  `${machine} ${planId} ${row}`

/** Computed once, because the facts are checked at every step. */
const KEYS = {
  get: (plan: SimulatedPlan, row: ReadyRow): string => {
    const known = cache.get(row)
    if (known !== undefined) return known
    const key = rowKey(plan, row)
    cache.set(row, key)
    return key
  },
}
const cache = new WeakMap<ReadyRow, string>()

function targetOf({ url, body = '{}' }: HttpRequest) {
  const request: unknown = JSON.parse(body)
  const amount =
    typeof request === 'object' && request !== null && 'amount' in request ? Number(request.amount) : 0
  return { paymentId: /\/payments\/([^/]+)/.exec(url)?.[1] ?? '', amount }
}
