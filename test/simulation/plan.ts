import type { CallOperation } from '../../src/client/calls/call.ts'
import { OPERATIONS } from '../../src/api/table.ts'
import type { OperationId } from '../../src/api/facts.ts'

/** An operation that a user wants to perform. */
export interface Plan {
  readonly operation: CallOperation
  readonly params: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>> | undefined
}

const ROWS: ReadonlyMap<string, CallOperation> = new Map(OPERATIONS.map((row) => [row.id, row]))

export function planOf(id: OperationId, params: Plan['params'], body?: Plan['body']): Plan {
  const operation = ROWS.get(id)
  if (operation === undefined) throw new Error(`no operation ${id}`)
  return { operation, params, body }
}
