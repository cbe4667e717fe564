import { drawConditions, withoutFaults } from '../conditions.ts'
import type { Conditions } from '../conditions.ts'
import type { HistoryOptions } from '../history.ts'
import { interruptProcess } from '../interrupt-process.ts'
import { prepare, textAt } from '../prepare.ts'
import { createRandom } from '../random.ts'
import { newProcess, Scheduler } from '../scheduler.ts'
import type { Process } from '../scheduler.ts'
import { BASE_URL } from '../service.ts'
import type { Service } from '../service.ts'
import { SimulatedDisk } from '../simulated-disk.ts'
import { BatchFacts } from './batch-facts.ts'
import { runApply, runResolveSingles, runSingle } from './batch-process.ts'
import { BATCH_STATE, JOURNALS, makePlan } from './batch-world.ts'
import type { BatchMachine, BatchWorld } from './batch-world.ts'

const MINUTE_MS = 60 * 1000
/** By then every request that is still in flight has arrived. */
const ALL_ARRIVED_MS = 6 * MINUTE_MS
const THINKING_MS = [10, 500, 5_000, MINUTE_MS, 11 * MINUTE_MS] as const

/**
 * One history of batches: two people on two machines apply plans, refund single payments and apply again, under faults. Then
 * the faults end, both apply every plan until nothing changes, and the promises are checked.
 */
export async function runBatchHistory({ seed, service, onLine, count }: HistoryOptions): Promise<void> {
  const random = createRandom(seed ^ 0x5bd1e995)
  const conditions: Conditions = { ...drawConditions(random), isSlow: false, keyLifeMs: undefined, skewMs: 0 }
  const scheduler = new Scheduler(conditions.startMs, random, (who, words) => trace(who, words))
  const trace = (who: string, words: () => string): void =>
    onLine?.(
      `${scheduler.now().toISOString().slice(5, 23)} ${who.padEnd(10)} ${words().trimEnd().replaceAll(`${BATCH_STATE}/`, '')}`,
    )
  const { idempotency } = conditions
  service.reset({ random: createRandom(~seed), now: scheduler.now, idempotency, keyLifeMs: undefined })
  const payments = await makePayments(service, 1 + random.below(3))
  let ids = 0
  const world: BatchWorld = {
    scheduler,
    service,
    facts: new BatchFacts(() => scheduler.nowMs),
    random,
    machines: [newMachine('here'), newMachine('there')],
    payments,
    trace,
    newId: (kind) => {
      ids += 1
      return `${kind}-${String(ids).padStart(3, '0')}`
    },
    conditions,
  }
  trace('seed', () => `${seed}: ${JSON.stringify(conditions)}`)
  const people = new People(world, count)
  await people.work()
  await people.recover()
  world.facts.checkAtEnd(world.machines.map(({ name }) => name))
  for (const { outcome } of world.facts.outcomes.values()) count(`row ${outcome}`)
}

async function makePayments(service: Service, amount: number): Promise<[string, ...string[]]> {
  const make = async (orderId: string): Promise<string> => {
    const body = { paymentMethodToken: 'tok_visa', orderId, currencyCode: 'EUR', amount: 1_000 }
    const id = textAt(await prepare(service, 'POST', '/payments', body), 'id')
    await prepare(service, 'POST', `/payments/${id}/capture`)
    return id
  }
  const first = await make('order-1')
  const rest: string[] = []
  for (let index = 2; index <= amount; index += 1) rest.push(await make(`order-${index}`))
  return [first, ...rest]
}

function newMachine(name: string): BatchMachine {
  const disk = new SimulatedDisk()
  disk.makeFolder(JOURNALS)
  return { name, disk, processes: new Set(), applying: new Map(), boots: 1 }
}

/** Two people at their machines. */
class People {
  readonly #world: BatchWorld
  readonly #count: (what: string) => void
  #pids = 100
  #starts = 0
  #others = 0

  constructor(world: BatchWorld, count: (what: string) => void) {
    this.#world = world
    this.#count = count
  }

  /** Until every command has run; requests may still be in flight. */
  async work(): Promise<void> {
    const { scheduler, random, facts } = this.#world
    facts.plans.push(makePlan(this.#world, 'plan-1'))
    let commandsLeft = 3 + random.below(8)
    let nextAtMs = scheduler.nowMs
    for (;;) {
      this.#interrupt()
      if (commandsLeft === 0 && scheduler.processes.size === 0) return
      const start = {
        atMs: nextAtMs,
        run: async () => {
          commandsLeft -= 1
          nextAtMs = scheduler.nowMs + random.pick(THINKING_MS)
          await this.#startNext()
        },
      }
      await scheduler.runNext(commandsLeft > 0 ? [start] : [])
    }
  }

  /** Ends all faults. Both people apply every plan again, until nothing changes. */
  async recover(): Promise<void> {
    const { scheduler, machines, facts, trace, conditions } = this.#world
    trace('people', () => 'meet no faults from here on')
    this.#world.conditions = withoutFaults(conditions)
    for (let before = '', round = 0; round < 6; round += 1) {
      scheduler.schedule({ atMs: scheduler.nowMs + ALL_ARRIVED_MS, run: () => undefined })
      while (!scheduler.isIdle) await scheduler.runNext([])
      for (const machine of machines) {
        await this.#alone(machine, 'resolve', (process) => runResolveSingles(this.#world, machine, process))
        for (const plan of facts.plans)
          await this.#alone(machine, 'apply', (process) => runApply(this.#world, machine, process, plan))
      }
      const now = JSON.stringify([...facts.outcomes])
      if (now === before) return
      before = now
    }
  }

  async #startNext(): Promise<void> {
    const { random, machines, facts, payments, scheduler } = this.#world
    const machine = random.pick(machines)
    const what = random.weighted([
      [6, 'apply'],
      [2, 'single'],
      [1, 'resolve'],
      [1, 'plan'],
      [1, 'other'],
    ])
    if (what === 'plan') {
      if (facts.plans.length < 3) facts.plans.push(makePlan(this.#world, `plan-${facts.plans.length + 1}`))
      return
    }
    if (what === 'other') return this.#refundWithoutPay(random.pick(payments))
    const [first, ...rest] = facts.plans
    if (first === undefined) return
    if (what === 'apply') {
      const plan = random.pick([first, ...rest])
      if (machine.applying.get(plan.planId)?.isAlive === true) return
      const process = this.#newProcess(machine, 'apply')
      machine.applying.set(plan.planId, process)
      this.#count('apply')
      return scheduler.start(process, () => runApply(this.#world, machine, process, plan))
    }
    const process = this.#newProcess(machine, what)
    if (what === 'resolve')
      return scheduler.start(process, () => runResolveSingles(this.#world, machine, process))
    const single = { ...this.#drawSingle(), name: process.name }
    this.#count('single')
    return scheduler.start(process, () => runSingle(this.#world, machine, process, single))
  }

  /** Sometimes a row of a plan, done by hand with its ticket. */
  #drawSingle() {
    const { random, facts, payments } = this.#world
    const [first, ...rest] = facts.plans
      .flatMap(({ rows }) => rows)
      .filter(({ ticket }) => ticket !== undefined)
    if (first !== undefined && random.chance(0.4)) {
      const { paymentId, amount = 0, ticket } = random.pick([first, ...rest])
      return { paymentId, amount, ticket }
    }
    return { paymentId: random.pick(payments), amount: random.pick([100, 200, 7]), ticket: undefined }
  }

  /** A colleague with another tool, whose refunds have no key. */
  async #refundWithoutPay(paymentId: string): Promise<void> {
    const { service, facts, random, trace } = this.#world
    const key = `other-${(this.#others += 1)}`
    const amount = random.pick([100, 200, 7])
    const url = `${BASE_URL}/payments/${paymentId}/refund`
    const headers = { 'x-api-key': 'sandbox_all', 'x-api-version': '2.1', 'content-type': 'application/json' }
    const request = { method: 'POST', url, headers, body: JSON.stringify({ amount }) }
    const { reply, isApplied } = await service.handle(request)
    trace('other', () => `refunds ${amount} of ${paymentId}: ${reply.status}`)
    facts.singleKeys.add(key)
    if (isApplied) facts.afterArrival({ ...request, headers: { ...headers, 'x-idempotency-key': key } })
  }

  async #alone(
    machine: BatchMachine,
    name: string,
    main: (process: Process) => Promise<void>,
  ): Promise<void> {
    const { scheduler } = this.#world
    const process = this.#newProcess(machine, name)
    await scheduler.start(process, () => main(process))
    while (process.isAlive) await scheduler.runNext([])
  }

  #newProcess(machine: BatchMachine, name: string): Process {
    this.#pids += 1
    this.#starts += 1
    const process = newProcess({
      pid: this.#pids,
      startedAt: `${machine.boots}-${this.#starts}`,
      name: `${name}${this.#starts} ${machine.name}`,
    })
    machine.processes.add(process)
    return process
  }

  /** Before the next step: perhaps a power cut of a machine, or a kill or Ctrl-C of a process. */
  #interrupt(): void {
    const { conditions, random, scheduler, machines, trace } = this.#world
    for (const machine of machines) {
      const alive = [...machine.processes].filter(({ isAlive }) => isAlive)
      if (random.chance(conditions.powerCutRate / 2)) {
        trace(machine.name, () => 'loses power')
        this.#count('power cut')
        for (const process of alive) scheduler.kill(process)
        machine.disk.cutPower(random)
        machine.boots += 1
        continue
      }
      for (const process of alive)
        interruptProcess(this.#world, process, { isInFlight: process.onKill.size > 0, count: this.#count })
    }
  }
}
