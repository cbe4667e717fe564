import { RunStopped } from '../../bulk/send/run-errors.ts'
import { KEY_USED } from '../../calls/api-error.ts'
import type { Answer } from '../../calls/call.ts'
import { EXIT, PayError, isInterruption } from '../../errors.ts'
import { stringifyJson } from '../../json/json.ts'
import { figuresOf } from '../figures.ts'
import type { Figures } from '../plan.ts'
import { OPERATIONS, callOf } from './ready-row.ts'
import type { PlanIdentity, ReadyRow } from './ready-row.ts'
import { RowLeft, isRefusalOfAll } from './row-ports.ts'
import type { RowPorts } from './row-ports.ts'

/**
 * Asks the service whether it has processed the key of a row. Nothing else distinguishes a row that another machine did from an equal
 * write by someone else. There is no read for this, so it sends a request with the key that the service can't perform: the
 * service looks at the key before it looks at amount and state. Like a read, it changes nothing and is not recorded.
 * @throws {RowLeft} if the service could not be asked
 */
export async function isKeyProcessed(
  ports: RowPorts,
  plan: PlanIdentity,
  row: ReadyRow,
  seen: Figures,
): Promise<boolean> {
  try {
    const answer = await ports.call({
      ...callOf(plan, row),
      operation: { ...OPERATIONS[plan.operation], risk: 'read', replay: 'safe' },
      idempotencyKey: ports.keyOf(row),
      ...impossibleBody(plan, seen),
    })
    // A service that replays the first response of a key has processed it.
    if (isUnchanged(answer, seen)) return true
  } catch (error) {
    if (isInterruption(error)) throw new RowLeft()
    if (!(error instanceof PayError)) throw error
    const { httpStatus = 0, errorId } = error.details
    if (errorId !== undefined && KEY_USED.includes(errorId)) return true
    if (isRefusalOfAll(error)) throw new RunStopped(error)
    if (httpStatus >= 400 && httpStatus < 500 && httpStatus !== 429) return false
    throw new RowLeft()
  }
  throw new RunStopped(accepted(row))
}

/** More than the whole payment can never be captured or refunded, no matter what happens in the meantime. */
function impossibleBody({ operation }: PlanIdentity, { amount }: Figures) {
  // A cancelled payment can't be cancelled.
  if (operation === 'cancel') return {}
  const value = { amount: amount + 1 }
  return { body: { value, text: stringifyJson(value) } }
}

function isUnchanged({ json }: Answer, seen: Figures): boolean {
  const now = figuresOf(json)
  return (
    now !== undefined &&
    now.amountCaptured <= seen.amountCaptured &&
    now.amountRefunded <= seen.amountRefunded
  )
}

const accepted = ({ row, paymentId }: ReadyRow): PayError =>
  new PayError(
    'unusable_answer',
    EXIT.serverFault,
    `Row ${row}: the service accepted more than the whole payment ${paymentId}, which it should refuse`,
    {
      outcome: 'unknown',
      hint: 'Check the payment. Do not apply the plan again before you know what happened.',
    },
  )
