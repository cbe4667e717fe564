import type { TimedEvent } from './scheduler.ts'
import type { World } from './pay-process.ts'
import type { Plan } from './plan.ts'
import { createRandom } from './random.ts'
import type { Random } from './random.ts'
import { BASE_URL } from './service.ts'
import type { Workload } from './workloads.ts'

const MINUTE_MS = 60 * 1000
const HOUR_MS = 60 * MINUTE_MS
const PAUSES_MS = [100, 5_000, MINUTE_MS, 11 * MINUTE_MS] as const
const SLOW_PAUSES_MS = [...PAUSES_MS, HOUR_MS, 22 * HOUR_MS, 25 * HOUR_MS] as const

/** What it may do in place of a command whose outcome is unknown. */
const REMEDIED: readonly string[] = ['payment.refund', 'payment.capture', 'payment.cancel', 'payment.adjust']

/** A client that changes the same payments without pay: its writes are often equal to those of commands. */
export class OtherClient {
  readonly #world: World
  readonly #workloads: readonly [Workload, ...Workload[]]
  /** Its own, so that a history without it stays the same. */
  readonly #random: Random
  #writesLeft: number
  #nextAtMs: number

  constructor(world: World, workloads: readonly [Workload, ...Workload[]]) {
    this.#world = world
    this.#workloads = workloads
    this.#random = createRandom(world.seed ^ 0x2545f491)
    this.#writesLeft = 1 + this.#random.below(3)
    this.#nextAtMs = world.scheduler.nowMs + this.#random.below(20 * MINUTE_MS)
  }

  /** Its next write, if it has one left. */
  events(): readonly TimedEvent[] {
    return this.#writesLeft === 0 ? [] : [{ atMs: this.#nextAtMs, run: () => this.#write() }]
  }

  /** Whether it makes its last writes before the first `pay ops resolve` without faults. */
  mayFinishFirst(): boolean {
    return this.#random.chance(0.6)
  }

  async finish(): Promise<void> {
    while (this.#writesLeft > 0) await this.#world.scheduler.runNext(this.events())
  }

  async #write(): Promise<void> {
    const { service, scheduler, monitor, trace, conditions } = this.#world
    this.#writesLeft -= 1
    this.#nextAtMs = scheduler.nowMs + this.#random.pick(conditions.isSlow ? SLOW_PAUSES_MS : PAUSES_MS)
    const plan = this.#nextPlan()
    if (plan === undefined) return
    const { id = '' } = plan.params
    const before = service.payment(id)
    const { reply, isApplied, date } = await service.handle({
      method: plan.operation.method,
      url: `${BASE_URL}${plan.operation.path.replace('{id}', id)}`,
      headers: { 'x-api-key': 'sandbox_all', 'x-api-version': '2.1', 'content-type': 'application/json' },
      body: plan.body === undefined ? undefined : JSON.stringify(plan.body),
    })
    trace('other', () => `${plan.operation.id} ${JSON.stringify(plan.body)}: ${reply.status}`)
    if (!isApplied) return
    const { transactions } = service.payment(id)
    const refund = transactions.length > before.transactions.length ? transactions.at(-1) : undefined
    const amount = refund?.amount ?? Number(plan.body?.['amount'] ?? 0)
    monitor.otherClientWrites.push({ plan, target: `payment ${id}`, amount, servedAtMs: date.getTime() })
  }

  /** Often in place of a command whose outcome is unknown. */
  #nextPlan(): Plan | undefined {
    const commands = this.#world.monitor.commands.filter(({ plan }) => REMEDIED.includes(plan.operation.id))
    const [doubt, ...doubts] = commands.filter(
      ({ sent, reported }) => sent.length > 0 && (reported === undefined || reported.exitCode === 10),
    )
    if (doubt !== undefined && this.#random.chance(0.6)) return this.#random.pick([doubt, ...doubts]).plan
    const [first, ...rest] = commands
    if (first !== undefined && this.#random.chance(0.3)) return this.#random.pick([first, ...rest]).plan
    return this.#random.pick(this.#workloads).byOtherClient?.(this.#random)
  }
}
