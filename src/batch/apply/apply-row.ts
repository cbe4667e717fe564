import { RunStopped } from '../../bulk/send/run-errors.ts'
import { KEY_USED } from '../../calls/api-error.ts'
import type { Answer } from '../../calls/call.ts'
import { EXIT, PayError, isInterruption } from '../../errors.ts'
import { differenceOf, mayBeDone } from './difference.ts'
import type { Difference } from './difference.ts'
import { confirmDone } from './done-elsewhere.ts'
import { isKeyProcessed } from './probe.ts'
import { callOf } from './ready-row.ts'
import type { PlanIdentity, ReadyRow } from './ready-row.ts'
import { RowLeft, isRefusalOfAll } from './row-ports.ts'
import type { RowPorts } from './row-ports.ts'
import { DONE } from './row-result.ts'
import type { RowResult } from './row-result.ts'

/** Thrown by the review, so that nothing is sent. */
class NotAsPlanned extends Error {
  readonly difference: Difference

  constructor(difference: Difference) {
    super(difference.words)
    this.name = 'NotAsPlanned'
    this.difference = difference
  }
}

/** Thrown by the review, so that nothing is sent. */
class HeldBack extends Error {}

/**
 * Does one row: reads the payment, compares it with the plan, and sends the write. `ownAmount`: what this plan's rows have
 * moved on the payment so far. Returns the difference instead if the payment is not as planned, or `held` if it is but the
 * row must wait; nothing was sent then.
 * @throws {RowLeft} if it was not begun; {@link RunStopped} if no row can be done; `rate_limited` or `not_connected` if
 * nothing was sent and it is worth trying again
 */
export async function applyRow(
  ports: RowPorts,
  plan: PlanIdentity,
  row: ReadyRow,
  ownAmount: number,
  mustWait: boolean,
): Promise<RowResult | Difference | 'held'> {
  const forbidden = ports.forbids(row)
  if (forbidden !== undefined) return { outcome: 'failed', message: ports.clean(forbidden.message) }
  const review = ({ json }: Answer): void => {
    const difference = differenceOf(plan.operation, row, ownAmount, json)
    if (difference !== undefined) throw new NotAsPlanned(difference)
    if (mustWait) throw new HeldBack()
  }
  try {
    const call = { ...callOf(plan, row), idempotencyKey: ports.keyOf(row), review }
    return resultOfAnswer(ports, await ports.call(call))
  } catch (error) {
    if (error instanceof NotAsPlanned) return error.difference
    if (error instanceof HeldBack) return 'held'
    if (isKeyUsed(error)) return confirmDone(ports, plan, row, ownAmount + (row.amount ?? 0))
    return resultOfError(ports, error)
  }
}

/**
 * Which of these rows of one payment another machine has done: the service knows by their keys. Only they can explain a
 * difference from the plan that is no reason to skip a row.
 */
export async function findDoneElsewhere(
  ports: RowPorts,
  plan: PlanIdentity,
  rows: readonly ReadyRow[],
  { seen, growth }: Difference,
  ownAmount: number,
): Promise<ReadonlyMap<ReadyRow, RowResult>> {
  const processed: ReadyRow[] = []
  if (seen !== undefined)
    for (const row of rows)
      if (mayBeDone(plan, row, growth, seen) && (await isKeyProcessed(ports, plan, row, seen)))
        processed.push(row)
  const moved = processed.reduce((sum, { amount = 0 }) => sum + amount, ownAmount)
  const found = new Map<ReadyRow, RowResult>()
  for (const row of processed) found.set(row, await confirmDone(ports, plan, row, moved))
  return found
}

/** Whether the service says that the key was used before. */
function isKeyUsed(error: unknown): boolean {
  // In doubt, the ledger settles it first.
  if (!(error instanceof PayError) || error.details.outcome === 'unknown') return false
  return KEY_USED.includes(error.details.errorId ?? '')
}

function resultOfAnswer({ clean }: RowPorts, { exitCode, warning }: Answer): RowResult {
  if (exitCode === EXIT.declined) return { outcome: 'failed', message: PROCESSOR_REFUSED }
  return warning === undefined ? DONE : { outcome: 'done', message: clean(warning) }
}

export const PROCESSOR_REFUSED = 'The processor refused it'

/** Whether to try the row again: nothing was sent, and the run slows down by itself. */
const RETRIED: readonly string[] = ['rate_limited', 'not_connected']

function resultOfError({ clean }: RowPorts, error: unknown): RowResult {
  if (isInterruption(error)) throw new RowLeft()
  if (!(error instanceof PayError)) throw error
  const { code, exitCode, details } = error
  const { httpStatus, errorId, description, outcome } = details
  const message = clean(description === undefined ? error.message : `${error.message}: ${description}`)
  if (outcome === 'unknown' || exitCode === EXIT.outcomeUnknown)
    return { outcome: 'unknown', errorId, message }
  if (RETRIED.includes(code)) throw error
  // The ledger can't be used, for example.
  if (exitCode === EXIT.usage || exitCode === EXIT.internal) throw new RunStopped(error)
  if (isRefusalOfAll(error)) throw new RunStopped(error)
  // Another write on the payment is open, or was made in the meantime.
  if (exitCode === EXIT.conflict && httpStatus === undefined)
    return { outcome: 'skipped', message: clean(BLOCKED[code]?.(error) ?? message) }
  return { outcome: 'failed', errorId: errorId === undefined ? undefined : clean(errorId), message }
}

/** The ledger's own words say how long ago, which means nothing in a file. */
const BLOCKED: Readonly<Partial<Record<string, (error: PayError) => string>>> = {
  open_intent: ({ details: { operationId = '' } }) =>
    `Another write on this payment is in doubt: run pay ops resolve ${operationId.slice(0, 8)}, then plan the row again`,
  in_progress: () => 'Another write on this payment is in progress: wait for it, then plan the row again',
  overtaken: () => 'Another write on this payment was made in the meantime: plan the row again',
}
