import type { Answer, Call } from '../../../client/calls/call.ts'
import { isForEveryRow } from '../../send/run-errors.ts'
import { EXIT } from '../../../errors.ts'
import type { PayError } from '../../../errors.ts'
import type { ReadyRow } from './ready-row.ts'

/** The parts of the program that a row needs. */
export interface RowPorts {
  /** The one pipeline of every call: ledger, attempts, recovery. */
  readonly call: (call: Call) => Promise<Answer>
  /** The idempotency key of a row. A row with a ticket has exactly that of `--once TICKET`. */
  readonly keyOf: (row: ReadyRow) => string
  /** Why the limits of the profile forbid the row; undefined if they allow it. */
  readonly forbids: (row: ReadyRow) => PayError | undefined
  /** Makes text of the service safe for files and terminals, and masks secrets. */
  readonly clean: (text: string) => string
}

/** The error for a row that was not begun, because the run was stopped. Applied again, the plan begins it. */
export class RowLeft extends Error {
  constructor() {
    super('left')
    this.name = 'RowLeft'
  }
}

/** Whether the service refuses every row in the same way. A response that is unusable is about one row. */
export const isRefusalOfAll = ({ exitCode, details: { httpStatus, errorId } }: PayError): boolean =>
  httpStatus !== undefined && exitCode !== EXIT.serverFault && isForEveryRow(httpStatus, errorId)
