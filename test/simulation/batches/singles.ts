import { OPERATIONS } from '../../../src/rows/batch/apply/ready-row.ts'
import type { ReadyRow } from '../../../src/rows/batch/apply/ready-row.ts'
import type { BatchOperation } from '../../../src/rows/batch/plan.ts'
import { ticketKey } from '../../../src/client/calls/build-intent.ts'
import { resolveOpen } from '../../../src/cli/resolve-open.ts'
import { PayError } from '../../../src/errors.ts'
import { ACCOUNT } from '../process-parts.ts'
import type { RequestWatch } from '../process-transport.ts'
import type { Process } from '../scheduler.ts'
import { BASE_URL } from '../service.ts'
import type { BatchMachine, BatchWorld } from './batch-world.ts'
import { sendChecks } from './send-checks.ts'
import { clientOf, ledgerOf } from './process-parts.ts'
import { OPEN_STATES } from '../../../src/client/ledger/record.ts'

/** A write by a person who knows nothing of plans, except perhaps a ticket. */
interface Single {
  readonly operation: BatchOperation
  readonly paymentId: string
  readonly body: { readonly amount: number; readonly final?: false } | undefined
  readonly ticket: string | undefined
}

/** `pay payment refund ID --amount A [--once TICKET]`, a capture or a cancellation. */
export async function runSingle(world: BatchWorld, machine: BatchMachine, process: Process): Promise<void> {
  const { operation: name, paymentId: id, body, ticket } = drawSingle(world)
  const operation = OPERATIONS[name]
  const params = { id }
  world.facts.touched.add(id)
  const ledger = ledgerOf(world, machine, process)
  const client = clientOf(world, machine, process, ledger, watchOfSingle(world, machine, process))
  if (ticket !== undefined)
    world.facts.nameTicket(ticketKey(ACCOUNT, { operation, params }, ticket), name, { paymentId: id, ticket })
  await client
    .call({
      operation,
      params,
      ...(body === undefined ? {} : { body: { value: body, text: JSON.stringify(body) } }),
      amount: body?.amount,
      currencyCode: body === undefined ? undefined : 'EUR',
      ticket,
      mayRepeat: true,
    })
    .catch(ignoreRefusal)
}

/** `pay ops resolve` for the open writes that belong to no plan. */
export async function runResolveSingles(
  world: BatchWorld,
  machine: BatchMachine,
  process: Process,
): Promise<void> {
  const ledger = ledgerOf(world, machine, process)
  const client = clientOf(world, machine, process, ledger, watchOfSingle(world, machine, process))
  const { records } = await ledger.list({ states: OPEN_STATES })
  for (const { id, idempotencyKey, amount } of records) {
    if (world.facts.isOfPlan({ idempotencyKey: idempotencyKey ?? '', amount: amount ?? 0 })) continue
    await resolveOpen(ledger, id, async () => client, {
      confirmSend: async () => true,
      timeoutMs: 30_000,
    }).catch(ignoreRefusal)
  }
}

/** A colleague with another tool, whose writes have no key, and who may also change what is authorized. */
export async function writeWithoutPay(world: BatchWorld, name: string): Promise<void> {
  const { service, facts, random, trace } = world
  const { operation, paymentId, body } = drawRemedy(world)
  const { status, amount } = service.payment(paymentId)
  const adjusts = status === 'AUTHORIZED' && random.chance(0.2)
  const path = `/payments/${paymentId}/${adjusts ? 'adjust-authorization' : operation}`
  const sent = adjusts ? { amount: amount - 50 } : body
  const headers = { 'x-api-key': 'sandbox_all', 'x-api-version': '2.1', 'content-type': 'application/json' }
  const request = {
    method: 'POST',
    url: `${BASE_URL}${path}`,
    headers,
    body: sent === undefined ? undefined : JSON.stringify(sent),
  }
  const handled = await service.handle(request)
  trace('other', () => `sends POST ${path} ${request.body ?? ''}: ${handled.reply.status}`)
  facts.singleKeys.add(name)
  if (!handled.isApplied) return
  const named = { ...request, headers: { ...headers, 'x-idempotency-key': name } }
  facts.afterArrival(undefined, named, handled)
}

/** Sometimes a row of a plan, done by hand with its ticket; rarely another operation with the same ticket. */
function drawSingle(world: BatchWorld): Single {
  const { random, facts } = world
  const [first, ...rest] = facts.plans.flatMap(({ operation, rows }) =>
    rows.filter((row) => isForHands(row, rows)).map((row) => ({ operation, row })),
  )
  const write = drawWrite(world)
  if (first === undefined || !random.chance(0.4)) return { ...write, ticket: undefined }
  const { operation, row } = random.pick([first, ...rest])
  const { paymentId, ticket, amount = 0, continues } = row
  if (write.operation !== operation) return { ...write, paymentId, ticket }
  return { operation, paymentId, ticket, body: bodyOf(operation, amount, continues !== true) }
}

/** A last capture by hand would give up what the earlier rows of its payment are to capture. */
const isForHands = ({ ticket, continues, paymentId }: ReadyRow, rows: readonly ReadyRow[]): boolean =>
  ticket !== undefined &&
  (continues === true || !rows.some((other) => other.paymentId === paymentId && other.continues === true))

/** Often just what a row does, perhaps in its place. */
function drawRemedy(world: BatchWorld): Single {
  const { random, facts } = world
  const [first, ...rest] = facts.plans.flatMap(({ operation, rows }) =>
    rows.map((row) => ({ operation, row })),
  )
  if (first === undefined || random.chance(0.5)) return drawWrite(world)
  const { operation, row } = random.pick([first, ...rest])
  const { paymentId, amount = 0, continues } = row
  return { operation, paymentId, ticket: undefined, body: bodyOf(operation, amount, continues !== true) }
}

function drawWrite({ random, mix, payments }: BatchWorld): Single {
  const operation = random.weighted(mix.ofSingles)
  const body = bodyOf(operation, random.pick([100, 200, 7]), random.chance(0.3))
  return { operation, paymentId: random.pick(payments), body, ticket: undefined }
}

function bodyOf(operation: BatchOperation, amount: number, isFinal: boolean): Single['body'] {
  if (operation === 'cancel') return undefined
  return operation === 'refund' || isFinal ? { amount } : { amount, final: false }
}

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof PayError)) throw error
}

function watchOfSingle(world: BatchWorld, machine: BatchMachine, { name }: Process): RequestWatch {
  const { service, facts } = world
  const checks = sendChecks(world, machine, name)
  return {
    ...checks,
    name,
    replay: 'keyed',
    beforeSend: (request) => {
      checks.beforeSend(request)
      facts.singleKeys.add(request.headers['x-idempotency-key'] ?? '')
    },
    arrive: async (request) => {
      const handled = await service.handle(request)
      if (handled.isApplied) facts.afterArrival(machine.name, request, handled)
      return handled
    },
    isOvertaken: () => false,
  }
}
