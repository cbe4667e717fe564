import { evidenceOf } from '../../../src/client/recovery/evidence.ts'
import type { Evidence } from '../../../src/client/calls/client-port.ts'
import type { DoneWrite, Snapshot } from '../../../src/client/ledger/port.ts'

export const SINCE = new Date('2026-03-10T12:00:00Z')

export const other = (operation: string, amount?: number, exitCode = 0): DoneWrite => ({
  operation,
  amount,
  exitCode,
  resource: 'pay-1',
  effectAt: undefined,
  endedServiceMs: Date.parse('2026-03-10T11:50:00Z'),
})

export interface Case {
  readonly operation: string
  readonly request?: unknown
  readonly others?: readonly DoneWrite[]
  readonly payment: unknown
  /** The figures of the payment as it was read before. */
  readonly before?: Pick<Snapshot, 'captured' | 'refunded'>
  /** Undefined where no clock of the service was seen. */
  readonly sinceMs?: number | undefined
  readonly evidence: Evidence
}

/** What the payment shows of a write that a case describes. */
export const evidenceIn = ({ operation, request, others = [], payment, before, ...more }: Case): Evidence =>
  evidenceOf(
    {
      operation,
      request,
      sinceMs: SINCE.getTime(),
      others,
      before: before === undefined ? undefined : { sha256: '', status: undefined, ...before },
      ...more,
    },
    payment,
  ).evidence
