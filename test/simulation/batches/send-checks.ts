import { BATCH_OPERATIONS } from '../../../src/rows/batch/plan.ts'
import { OPERATIONS } from '../../../src/rows/batch/apply/ready-row.ts'
import type { HttpRequest } from '../../../src/client/http/transport-port.ts'
import type { StoredRecord } from '../../../src/client/ledger/record.ts'
import { InvariantViolation } from '../invariant-violation.ts'
import type { RequestWatch } from '../process-transport.ts'
import { BASE_URL, refundsIn, serviceDate } from '../service.ts'
import type { BatchMachine, BatchWorld } from './batch-world.ts'

/** pay does not send an older key again: the service may have forgotten it. A minute more, because time passes in between. */
const KEY_LIFETIME_MS = (23 * 60 + 1) * 60 * 1000

type SendChecks = Required<Pick<RequestWatch, 'beforeSend' | 'onAnswer' | 'onDoubt'>>

/** Checks each write of one process, of a plan or not, against the ledger of its machine. */
export function sendChecks(world: BatchWorld, machine: BatchMachine, processName: string): SendChecks {
  const { facts, scheduler } = world
  /** Records whose payment, as this process has last read it, shows that someone else made an equal one since. */
  const shown = new Set<string>()
  return {
    beforeSend: (request) => {
      const evidence = `${processName} sends ${request.method} ${request.url} ${request.body ?? ''}`
      // A row that was not done begins again with its key. A record that has ended may still be on disk.
      const record = machine.ledger.open
        .filter(({ idempotencyKey }) => idempotencyKey === keyIn(request))
        .toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))
        .at(-1)
      if (record === undefined || !isRequestOf(record, request))
        throw new InvariantViolation('Nothing but a recorded request is sent, under its own key.', evidence)
      const { id, createdAt } = record
      if (shown.has(id) && facts.firstSentMs.has(id))
        throw new InvariantViolation('Nothing is sent after a read that shows it.', evidence)
      // Attempts that the service has refused to process use up no key.
      const isDoubtful = facts.doubtful.has(id) || (facts.senders.get(id) ?? processName) !== processName
      const firstMs = facts.firstSentMs.get(id) ?? scheduler.nowMs
      if (isDoubtful && scheduler.nowMs - firstMs > KEY_LIFETIME_MS && !isUnknowable(world, machine, record))
        throw new InvariantViolation(
          'A write is not sent again with a key that the service may have forgotten.',
          `${evidence}, recorded at ${createdAt}`,
        )
      if (!facts.firstSentMs.has(id)) facts.firstSentMs.set(id, scheduler.nowMs)
      facts.senders.set(id, processName)
    },
    onAnswer: ({ method }, { reply }) => {
      if (method !== 'GET') return
      for (const record of machine.ledger.open) {
        const firstMs = facts.firstSentMs.get(record.id)
        if (firstMs === undefined || !reply.body.includes(`"id":"${record.target}"`)) continue
        const isShown = showsOther(world, machine, record, { body: reply.body, firstMs })
        shown[isShown ? 'add' : 'delete'](record.id)
      }
    },
    onDoubt: (request) => {
      const record = machine.ledger.open.find(({ idempotencyKey }) => idempotencyKey === keyIn(request))
      if (record !== undefined) facts.doubtful.add(record.id)
    },
  }
}

/** Whether a payment shows an equal refund that someone else made since a write was first sent, and this ledger doesn't know. */
function showsOther(
  { facts, conditions }: BatchWorld,
  machine: BatchMachine,
  record: StoredRecord,
  { body, firstMs }: { readonly body: string; readonly firstMs: number },
): boolean {
  const { operation, target, amount, idempotencyKey } = record
  if (operation !== 'payment.refund') return false
  const noted = machine.ledger.records.flatMap(({ effectAt }) => (effectAt === undefined ? [] : [effectAt]))
  const dates = refundsIn(body).map(({ date }) => date)
  return facts.applied.some(
    (one) =>
      one.operation === 'refund' &&
      one.paymentId === target &&
      one.amount === amount &&
      one.key !== idempotencyKey &&
      one.machine !== machine.name &&
      one.servedAtMs > firstMs + conditions.skewMs &&
      dates.includes(serviceDate(one.servedAtMs)) &&
      !noted.includes(serviceDate(one.servedAtMs)),
  )
}

/** As for single writes: only a wall clock that was set can tell its age. */
const isUnknowable = (
  { conditions }: BatchWorld,
  { clock }: BatchMachine,
  { first, last }: StoredRecord,
): boolean =>
  (clock.wasSet || conditions.clockDrift !== 0) &&
  first?.serviceMs === undefined &&
  first?.boot !== last?.boot

function isRequestOf({ operation, request }: StoredRecord, { method, url, body }: HttpRequest): boolean {
  const kind = BATCH_OPERATIONS.find((one) => OPERATIONS[one].id === operation)
  if (kind === undefined || request === undefined) return false
  const path = OPERATIONS[kind].path.replace('{id}', request.params['id'] ?? '')
  return method === OPERATIONS[kind].method && url === `${BASE_URL}${path}` && body === request.body
}

const keyIn = ({ headers }: HttpRequest): string => headers['x-idempotency-key'] ?? ''
