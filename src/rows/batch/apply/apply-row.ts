import { RunStopped } from '../../send/run-errors.ts'
import type { Answer, ProcessedBefore } from '../../../client/calls/call.ts'
import { EXIT, PayError, isInterruption } from '../../../errors.ts'
import { differenceOf } from './difference.ts'
import { confirmDone } from './done-elsewhere.ts'
import { callOf } from './ready-row.ts'
import type { PlanIdentity, ReadyRow } from './ready-row.ts'
import { RowLeft, isRefusalOfAll } from './row-ports.ts'
import type { RowPorts } from './row-ports.ts'
import { DONE, PROCESSOR_REFUSED } from './row-result.ts'
import type { RowResult } from './row-result.ts'
import { shellWord } from '../../../files/shell.ts'

/** The errors of a review, so that nothing is sent: the payment is not as planned, or the row has to wait. */
class NotAsPlanned extends Error {}
class HeldBack extends Error {}

/** The effect of the other rows of its payment on a row. */
interface Surroundings {
  /** The amounts that the other rows may have moved so far, in minor units. */
  readonly moved: readonly number[]
  /** Whether one of the other rows has to be done first. */
  readonly mustWait: boolean
  /** Whether another process has done one of the rows meanwhile. `blockedBy`: the id of the write that is in the way. */
  readonly isNews: (blockedBy: string | undefined) => Promise<boolean>
}

/**
 * Does one row: reads the payment, compares it with the plan, and sends the write. A row whose payment is not as planned is
 * skipped. Returns `held` if it is as planned but the row must wait, and `retry` if there is news; nothing was sent then.
 * @throws {RowLeft} if it was not begun; {@link RunStopped} if no row can be done; `rate_limited` if nothing was done and it
 * is worth trying again
 */
export async function applyRow(
  ports: RowPorts,
  plan: PlanIdentity,
  row: ReadyRow,
  { moved, mustWait, isNews }: Surroundings,
): Promise<RowResult | 'held' | 'retry'> {
  const forbidden = ports.forbids(row)
  if (forbidden !== undefined) return { outcome: 'failed', message: ports.clean(forbidden.message) }
  const review = ({ json }: Answer): void => {
    const difference = differenceOf(plan.operation, row, moved, json)
    if (difference !== undefined) throw new NotAsPlanned(`The payment changed: ${difference}`)
    if (mustWait) throw new HeldBack()
  }
  let processed: RowResult | undefined
  let isLeft = false
  const ifKeyUsed = async (): Promise<ProcessedBefore | undefined> => {
    try {
      const found = await confirmDone(ports, plan, row, moved)
      processed = found.result
      return found.processed
    } catch (error) {
      if (!(error instanceof RowLeft)) throw error
      isLeft = true
      return undefined
    }
  }
  try {
    const idempotencyKey = ports.keyOf(row)
    const answer = await ports.call({ ...callOf(plan, row), idempotencyKey, review, ifKeyUsed })
    return processed ?? resultOfAnswer(ports, answer)
  } catch (error) {
    const blocked = error instanceof PayError && BLOCKED[error.code] !== undefined ? error : undefined
    const mayBeNews = blocked !== undefined || error instanceof NotAsPlanned
    if (mayBeNews && (await isNews(blocked?.details.operationId))) return 'retry'
    if (error instanceof NotAsPlanned)
      return { outcome: 'skipped', isMoved: true, message: ports.clean(error.message) }
    if (error instanceof HeldBack) return 'held'
    // A process that stood still has sent nothing: the next run finds out what another one did meanwhile.
    const isLapsed = error instanceof PayError && error.code === 'lease_lapsed'
    if (isLeft || isLapsed) throw new RowLeft()
    return processed ?? resultOfError(ports, error)
  }
}

function resultOfAnswer({ clean }: RowPorts, { exitCode, warning }: Answer): RowResult {
  if (exitCode === EXIT.declined) return { outcome: 'failed', message: PROCESSOR_REFUSED }
  return warning === undefined ? DONE : { outcome: 'done', message: clean(warning) }
}

function resultOfError({ clean }: RowPorts, error: unknown): RowResult {
  if (isInterruption(error)) throw new RowLeft()
  if (!(error instanceof PayError)) throw error
  const { code, exitCode, details } = error
  const { httpStatus, errorId, description, outcome } = details
  const message = clean(description === undefined ? error.message : `${error.message}: ${description}`)
  if (outcome === 'unknown' || exitCode === EXIT.outcomeUnknown)
    return { outcome: 'unknown', errorId, message }
  if (code === 'rate_limited') throw error
  // The service can't be reached, or the ledger can't be used.
  if (code === 'not_connected' || exitCode === EXIT.usage || exitCode === EXIT.internal)
    throw new RunStopped(error)
  if (isRefusalOfAll(error)) throw new RunStopped(error)
  // Another write on the payment is open, or was made in the meantime.
  if (exitCode === EXIT.conflict && httpStatus === undefined)
    return { outcome: 'skipped', message: clean(BLOCKED[code]?.(error) ?? message) }
  return { outcome: 'failed', errorId: errorId === undefined ? undefined : clean(errorId), message }
}

/** The words for a write that is in the way. The ledger's own words say how long ago, which means nothing in a file. */
const BLOCKED: Readonly<Partial<Record<string, (error: PayError) => string>>> = {
  open_intent: ({ details: { operationId = '' } }) =>
    `Another write on this payment is in doubt: run pay ops resolve ${shellWord(operationId.slice(0, 8))}, then plan the row again`,
  in_progress: () => 'Another write on this payment is in progress: wait for it, then plan the row again',
  already_done: ({ message }) => message,
  overtaken: () => 'Another write on this payment was made in the meantime: plan the row again',
}
