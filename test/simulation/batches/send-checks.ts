import { BATCH_OPERATIONS } from '../../../src/batch/plan.ts'
import { OPERATIONS } from '../../../src/batch/apply/ready-row.ts'
import type { HttpRequest } from '../../../src/http/transport-port.ts'
import type { StoredRecord } from '../../../src/ledger/record.ts'
import type { Conditions } from '../conditions.ts'
import { InvariantViolation } from '../invariant-violation.ts'
import type { RequestWatch } from '../process-transport.ts'
import { BASE_URL, showsRefundOf } from '../service.ts'
import type { BatchMachine, BatchWorld } from './batch-world.ts'

/** pay does not send an older key again: the service may have forgotten it. A minute more, because time passes in between. */
const KEY_LIFETIME_MS = (23 * 60 + 1) * 60 * 1000
/** How long after its last attempt a write may still arrive. */
const SETTLE_DELAY_MS = { test: 10_000, live: 5 * 60_000 } as const

type SendChecks = Required<Pick<RequestWatch, 'beforeSend' | 'onAnswer' | 'onDoubt'>>

/** Checks each write of one process, of a plan or not, against the ledger of its machine. */
export function sendChecks(world: BatchWorld, machine: BatchMachine, processName: string): SendChecks {
  const { facts, scheduler } = world
  /** Records whose payment, as this process has last read it, shows that someone made an equal one since. */
  const remedied = new Set<string>()
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
      if (remedied.has(id))
        throw new InvariantViolation(
          'A write is not sent again once the payment shows that someone made an equal one since.',
          evidence,
        )
      // Attempts that the service has refused to process use up no key.
      const isDoubtful = facts.doubtful.has(id) || (facts.senders.get(id) ?? processName) !== processName
      if (isDoubtful && scheduler.nowMs - Date.parse(createdAt) > KEY_LIFETIME_MS)
        throw new InvariantViolation(
          'A write is not sent again with a key that the service may have forgotten.',
          `${evidence}, recorded at ${createdAt}`,
        )
      facts.senders.set(id, processName)
    },
    onAnswer: ({ method }, { reply }) => {
      if (method !== 'GET') return
      for (const record of machine.ledger.open)
        if (reply.body.includes(`"id":"${record.target}"`))
          remedied[showsRemedy(world, machine, record, reply.body) ? 'add' : 'delete'](record.id)
    },
    onDoubt: (request) => {
      const record = machine.ledger.open.find(({ idempotencyKey }) => idempotencyKey === keyIn(request))
      if (record !== undefined) facts.doubtful.add(record.id)
    },
  }
}

/** Whether a payment shows an equal refund that someone else made after the last attempt that the ledger knows of. */
function showsRemedy(
  { facts, conditions }: BatchWorld,
  machine: BatchMachine,
  record: StoredRecord,
  body: string,
): boolean {
  const { operation, target, amount, idempotencyKey } = record
  if (operation !== 'payment.refund') return false
  const sinceMs = remedySinceMs(record, conditions)
  return facts.applied.some(
    (one) =>
      one.operation === 'refund' &&
      one.paymentId === target &&
      one.amount === amount &&
      one.key !== idempotencyKey &&
      one.machine !== machine.name &&
      one.servedAtMs > sinceMs &&
      showsRefundOf(body, one.servedAtMs),
  )
}

/** From when on an equal refund counts as made in place of an open write, by the service's clock. */
export const remedySinceMs = (
  { lastAttemptAt, underWayAt, updatedAt }: StoredRecord,
  { mode, skewMs }: Conditions,
): number => Date.parse(lastAttemptAt ?? underWayAt ?? updatedAt) + SETTLE_DELAY_MS[mode] + skewMs

function isRequestOf({ operation, request }: StoredRecord, { method, url, body }: HttpRequest): boolean {
  const kind = BATCH_OPERATIONS.find((one) => OPERATIONS[one].id === operation)
  if (kind === undefined || request === undefined) return false
  const path = OPERATIONS[kind].path.replace('{id}', request.params['id'] ?? '')
  return method === OPERATIONS[kind].method && url === `${BASE_URL}${path}` && body === request.body
}

const keyIn = ({ headers }: HttpRequest): string => headers['x-idempotency-key'] ?? ''
