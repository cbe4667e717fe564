import { applyRows } from '../../../src/batch/apply/run.ts'
import { callOf, rowKey } from '../../../src/batch/apply/ready-row.ts'
import type { ReadyRow } from '../../../src/batch/apply/ready-row.ts'
import type { RowResult } from '../../../src/batch/apply/row-result.ts'
import { ticketKey } from '../../../src/calls/build-intent.ts'
import { resolveOpen } from '../../../src/cli/resolve-open.ts'
import { ledgerPorts } from '../../../src/commands/batch/apply/ledger-ports.ts'
import { PayError } from '../../../src/errors.ts'
import type { HttpRequest } from '../../../src/http/transport-port.ts'
import { planOf } from '../plan.ts'
import { ACCOUNT } from '../process-parts.ts'
import type { RequestWatch } from '../process-transport.ts'
import type { Process } from '../scheduler.ts'
import type { ApplyRun, SimulatedPlan } from './batch-facts.ts'
import { JOURNALS, runOf } from './batch-world.ts'
import type { BatchMachine, BatchWorld, Single } from './batch-world.ts'
import { clientOf, ledgerOf } from './process-parts.ts'

/** `pay batch apply PLAN` */
export async function runApply(
  world: BatchWorld,
  machine: BatchMachine,
  process: Process,
  plan: SimulatedPlan,
): Promise<void> {
  const { scheduler, facts, random } = world
  const run = runOf(process.name, machine, plan, scheduler.nowMs)
  const ledger = ledgerOf(world, machine, process)
  const client = clientOf(world, process, ledger, watchOfRun(world, run))
  const journal = journalOf(world, machine, plan)
  const keyOf = (row: ReadyRow): string => {
    if (row.ticket === undefined) return rowKey(plan, row)
    const key = ticketKey(ACCOUNT, callOf(plan, row), row.ticket)
    facts.nameTicket(key, row)
    return key
  }
  const { ended } = await applyRows({
    plan,
    rows: plan.rows,
    keyOf,
    journal: journal.results(),
    note: (row, result) => {
      const ready = plan.rows.find((one) => one.row === row)
      if (ready !== undefined) facts.onResult(run, ready, result)
      world.trace(process.name, () => `notes row ${row}: ${result.outcome} ${result.message ?? ''}`)
      journal.note(row, result)
    },
    ...ledgerPorts(ledger, client),
    now: scheduler.now,
    call: client.call,
    forbids: () => undefined,
    clean: (text) => text,
    concurrency: random.pick([1, 2, 3]),
    maxFailures: undefined,
    stop: process.stop.signal,
    onProgress: () => undefined,
  })
  // A broken promise in a note.
  if (ended instanceof PayError && ended.code === 'internal') throw ended.details.cause
  await scheduler.step(
    process,
    { words: () => `ends: ${typeof ended === 'object' ? ended.message : ended}` },
    () => journal.flush(),
  )
}

/** `pay payment refund ID --amount A [--once TICKET]`, by a person who knows nothing of the plan. */
export async function runSingle(
  world: BatchWorld,
  machine: BatchMachine,
  process: Process,
  single: Single,
): Promise<void> {
  const { paymentId: id, amount, ticket } = single
  world.facts.touched.add(id)
  const ledger = ledgerOf(world, machine, process)
  const { operation, params, body } = planOf('payment.refund', { id }, { amount })
  const client = clientOf(world, process, ledger, watchOfSingle(world, single))
  if (ticket !== undefined) {
    const key = ticketKey(ACCOUNT, { operation, params }, ticket)
    world.facts.nameTicket(key, { paymentId: id, ticket })
  }
  await client
    .call({
      operation,
      params,
      body: { value: body, text: JSON.stringify(body) },
      amount,
      currencyCode: 'EUR',
      ticket,
      mayRepeat: true,
    })
    .catch((error: unknown) => {
      if (!(error instanceof PayError)) throw error
    })
}

/** `pay ops resolve` for the open writes that belong to no plan. */
export async function runResolveSingles(
  world: BatchWorld,
  machine: BatchMachine,
  process: Process,
): Promise<void> {
  const ledger = ledgerOf(world, machine, process)
  const client = clientOf(world, process, ledger, watchOfSingle(world, { name: process.name }))
  const { records } = await ledger.list({ onlyOpen: true })
  for (const { id, idempotencyKey } of records) {
    if (world.facts.isOfPlan(idempotencyKey)) continue
    await resolveOpen(ledger, id, async () => client, { confirmSend: async () => true }).catch(
      (error: unknown) => {
        if (!(error instanceof PayError)) throw error
      },
    )
  }
}

/** Lines that are noted reach the disk with the next one, and are synced at the end: a kill may lose the last. */
function journalOf({ scheduler }: BatchWorld, { disk }: BatchMachine, { planId }: SimulatedPlan) {
  const path = `${JOURNALS}/${planId}`
  let pending = ''
  return {
    results: () => {
      const results = new Map<number, RowResult>()
      for (const line of (disk.text(path) ?? '').split('\n')) {
        const noted = parsedLine(line)
        if (noted !== undefined) results.set(noted.row, noted)
      }
      return results
    },
    note: (row: number, result: RowResult) => {
      if (pending !== '') disk.append(path, pending, scheduler.nowMs)
      pending = `${JSON.stringify({ row, ...result })}\n`
    },
    flush: () => {
      if (pending !== '') disk.append(path, pending, scheduler.nowMs)
      pending = ''
      if (disk.has(path)) disk.sync(path)
      disk.sync(JOURNALS)
    },
  }
}

/** Undefined for a line that a power cut has damaged. */
function parsedLine(line: string): (RowResult & { readonly row: number }) | undefined {
  try {
    const noted: RowResult & { readonly row: number } = JSON.parse(line)
    return noted
  } catch {
    return undefined
  }
}

const paymentIn = ({ url }: HttpRequest): string => /\/payments\/([^/]+)/.exec(url)?.[1] ?? ''

function watchOfRun({ service, facts, scheduler }: BatchWorld, run: ApplyRun): RequestWatch {
  return {
    name: run.name,
    replay: 'keyed',
    beforeSend: (request) => facts.beforeSend(run, request),
    arrive: async (request) => {
      const handled = await service.handle(request)
      if (request.method === 'GET') run.readAtMs.set(paymentIn(request), scheduler.nowMs)
      else if (handled.isApplied) facts.afterArrival(request)
      return handled
    },
    isOvertaken: () => false,
    onDoubt: () => undefined,
  }
}

function watchOfSingle({ service, facts }: BatchWorld, { name }: Pick<Single, 'name'>): RequestWatch {
  return {
    name,
    replay: 'keyed',
    beforeSend: (request) => {
      facts.singleKeys.add(request.headers['x-idempotency-key'] ?? '')
    },
    arrive: async (request) => {
      const handled = await service.handle(request)
      if (handled.isApplied) facts.afterArrival(request)
      return handled
    },
    isOvertaken: () => false,
    onDoubt: () => undefined,
  }
}
