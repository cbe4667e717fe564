import { stringifyJson } from '../../json/json.ts'
import { figuresOf } from '../figures.ts'
import type { Figures } from '../plan.ts'
import { confirmDone } from './done-elsewhere.ts'
import { callOf } from './ready-row.ts'
import type { PlanIdentity, ReadyRow } from './ready-row.ts'
import type { RowPorts } from './row-ports.ts'
import type { RowResult } from './row-result.ts'

/**
 * Asks the service whether it has processed the key of a row, with a request that it can't perform: it looks at the key
 * before the amount and the state. Nothing else tells a row that another machine did from an equal write by somebody else.
 * Throws the service's refusal if the key was used.
 */
export async function probeKey(
  ports: RowPorts,
  plan: PlanIdentity,
  row: ReadyRow,
  seen: Figures,
): Promise<RowResult | 'unused'> {
  const call = callOf(plan, row)
  const value = plan.operation === 'cancel' ? call.body?.value : { amount: impossibleAmount(seen) }
  const body = value === undefined ? {} : { body: { value, text: stringifyJson(value) } }
  const { body: _body, amount: _amount, ...rest } = call
  const answer = await ports.call({
    ...rest,
    ...body,
    reason: `checks row ${row.row} of plan ${plan.planId}`,
  })
  const now = figuresOf(answer.json)
  const isUnchanged =
    now !== undefined &&
    now.amountCaptured <= seen.amountCaptured &&
    now.amountRefunded <= seen.amountRefunded
  // A service that replays the first response of a key has processed it before.
  if (isUnchanged) return confirmDone(ports, plan, row)
  return {
    outcome: 'unknown',
    message: 'The service accepted a request that it should have refused: check the payment',
  }
}

/** More than the whole payment, so it can neither be captured nor refunded, whatever happens meanwhile. */
const impossibleAmount = ({ amount }: Figures): number => amount + 1
