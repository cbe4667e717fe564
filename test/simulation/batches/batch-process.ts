import { applyRows } from '../../../src/rows/batch/apply/run.ts'
import { PLAN_LIFETIME_MS } from '../../../src/rows/batch/apply/gates.ts'
import { callOf, rowKey } from '../../../src/rows/batch/apply/ready-row.ts'
import type { ReadyRow } from '../../../src/rows/batch/apply/ready-row.ts'
import type { RunRow } from '../../../src/rows/batch/apply/run-rows.ts'
import { ticketKey } from '../../../src/client/calls/build-intent.ts'
import { ledgerPorts } from '../../../src/commands/batch/apply/send.ts'
import { Patience } from '../../../src/rows/send/patience.ts'
import { PayError } from '../../../src/errors.ts'
import { InvariantViolation } from '../invariant-violation.ts'
import { ACCOUNT } from '../process-parts.ts'
import type { RequestWatch } from '../process-transport.ts'
import type { Process } from '../scheduler.ts'
import type { ApplyRun, SimulatedPlan } from './batch-facts.ts'
import type { BatchMachine, BatchWorld } from './batch-world.ts'
import { paymentIn } from './batch-write.ts'
import { sendChecks } from './send-checks.ts'
import { clientOf, ledgerOf } from './process-parts.ts'
import { runRowsOf } from './simulated-run-rows.ts'
import { OPEN_STATES } from '../../../src/client/ledger/record.ts'

/** `pay batch apply PLAN` */
export async function runApply(
  world: BatchWorld,
  machine: BatchMachine,
  process: Process,
  plan: SimulatedPlan,
): Promise<void> {
  const { scheduler, facts, random } = world
  // A plan expires unless someone has begun it.
  const isExpired = scheduler.nowMs - plan.createdAtMs > PLAN_LIFETIME_MS
  if (isExpired && !machine.begun.has(plan.planId)) return
  machine.begun.add(plan.planId)
  const run: ApplyRun = {
    name: process.name,
    machine: machine.name,
    plan,
    startedAfter: facts.applied.length,
    recorded: new Set(machine.ledger.open.map(({ idempotencyKey }) => idempotencyKey ?? '')),
    seen: new Map(),
    sent: new Set(),
    arrivedAfter: new Map(),
  }
  const ledger = ledgerOf(world, machine, process)
  const client = clientOf(world, machine, process, ledger, watchOfRun(world, machine, run))
  const { runRows, flush } = runRowsOf(machine, plan)
  const keyOf = (row: ReadyRow): string => {
    if (row.ticket === undefined) return rowKey(plan, row)
    const key = ticketKey(ACCOUNT, callOf(plan, row), row.ticket)
    facts.nameTicket(key, plan.operation, row)
    return key
  }
  const onNote = ({ row, result }: RunRow): void => {
    if (result === undefined) return
    facts.onResult(run, row, result)
    world.trace(process.name, () => `notes row ${row.row}: ${result.outcome} ${result.message ?? ''}`)
  }
  const { ended } = await applyRows({
    plan,
    rows: plan.rows,
    ready: plan.rows.length,
    keyOf,
    runRows: {
      ...runRows,
      note: (row, result) => {
        onNote({ row, result })
        runRows.note(row, result)
      },
      noteAll: (known) => {
        known.forEach(onNote)
        runRows.noteAll(known)
      },
    },
    ...ledgerPorts(ledger, client, { timeoutMs: 30_000 }),
    call: client.call,
    forbids: () => undefined,
    clean: (text) => text,
    concurrency: random.pick([1, 2, 3]),
    maxFailures: undefined,
    patience: new Patience(Number.POSITIVE_INFINITY, () => new Date(0)),
    stop: process.stop.signal,
    sleep: (ms) =>
      scheduler.step(
        process,
        { words: () => `has slept ${ms} ms`, readyAtMs: scheduler.nowMs + ms },
        () => undefined,
      ),
    onProgress: () => undefined,
  })
  // A broken promise in a note.
  if (ended instanceof PayError && ended.code === 'internal') throw ended.details.cause
  for (const row of plan.rows) {
    const result = runRows.resultOf(row.row)
    if (result !== undefined) facts.checkDone(run, row, result, `${run.name}: results, row ${row.row}`)
  }
  await scheduler.step(
    process,
    { words: () => `ends: ${typeof ended === 'object' ? ended.message : ended}` },
    flush,
  )
}

/** Looks into the ledger of a machine once it has nothing left to do. */
export async function checkNothingOpen(
  world: BatchWorld,
  machine: BatchMachine,
  process: Process,
): Promise<void> {
  const ledger = ledgerOf(world, machine, process)
  const { records } = await ledger.list({ states: OPEN_STATES })
  const ended = new Set<string>()
  await ledger.visitEnded(({ id }) => ended.add(id))
  const open = records.find(
    ({ id, idempotencyKey, amount }) =>
      !ended.has(id) &&
      world.facts.isDoneRow(machine.name, { idempotencyKey: idempotencyKey ?? '', amount: amount ?? 0 }),
  )
  if (open !== undefined)
    throw new InvariantViolation(
      'A row that is done is not open in the ledger.',
      `${machine.name}: ${open.id}`,
    )
}

function watchOfRun(world: BatchWorld, machine: BatchMachine, run: ApplyRun): RequestWatch {
  const { service, facts } = world
  const checks = sendChecks(world, machine, run.name)
  return {
    ...checks,
    name: run.name,
    replay: 'keyed',
    beforeSend: (request) => {
      checks.beforeSend(request)
      facts.beforeSend(run, request)
    },
    arrive: async (request) => {
      if (request.method !== 'GET') facts.atArrival(run, request)
      const handled = await service.handle(request)
      const id = paymentIn(request)
      if (request.method === 'GET')
        run.seen.set(id, { after: facts.applied.length, payment: service.payment(id) })
      else if (handled.isApplied) facts.afterArrival(run.machine, request, handled)
      return handled
    },
    isOvertaken: () => false,
  }
}
