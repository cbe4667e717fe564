import { getPayment } from '../../../api/operations/payment.ts'
import type { Answer, ProcessedBefore } from '../../../client/calls/call.ts'
import { exitOfAnswer } from '../../../client/calls/exit-code.ts'
import { refundsOfAmount } from '../../../client/calls/matching-refunds.ts'
import { EXIT, PayError, isInterruption } from '../../../errors.ts'
import { isRecord } from '../../../json/is-record.ts'
import { figuresOf } from '../../payments/payment-facts.ts'
import { OPERATIONS, callOf } from './ready-row.ts'
import type { PlanIdentity, ReadyRow } from './ready-row.ts'
import { RowLeft } from './row-ports.ts'
import type { RowPorts } from './row-ports.ts'
import { TICKET_USED } from './row-result.ts'
import type { RowOutcome, RowResult } from './row-result.ts'

const KNOWN_KEY = 'The service knows its idempotency key'

interface Found {
  readonly result: RowResult
  /** The fact for the ledger; undefined if it isn't certain that the key was used for this row. */
  readonly processed: ProcessedBefore | undefined
}

const unproven = (outcome: RowOutcome, message: string): Found => ({
  result: { outcome, message },
  processed: undefined,
})

/**
 * The result of a row whose key the service has processed before, sent by another machine or by `--once TICKET`. Reads the
 * payment, which must show this very row. `moved`: what the rows of this plan may have moved on the payment before it.
 */
export async function confirmDone(
  ports: RowPorts,
  plan: PlanIdentity,
  row: ReadyRow,
  moved: readonly number[],
): Promise<Found> {
  let answer: Answer
  try {
    answer = await ports.call({ operation: getPayment, params: { id: row.paymentId } })
  } catch (error) {
    if (isInterruption(error)) throw new RowLeft()
    if (!(error instanceof PayError)) throw error
    return unproven(
      'unknown',
      ports.clean(`${KNOWN_KEY}, but the payment could not be read (${error.message})`),
    )
  }
  const { json: payment } = answer
  const exitCode = exitOfAnswer(OPERATIONS[plan.operation].id, 200, callOf(plan, row).body?.value, payment)
  const known = (outcome: RowOutcome, message: string): Found => ({
    result: { outcome, message },
    processed: { payment: answer, exitCode, note: `${KNOWN_KEY}.` },
  })
  if (exitCode === EXIT.declined) return known('failed', 'Processed before, and the processor refused it')
  if (exitCode === EXIT.done && shows(plan, row, payment)) {
    // A ticket may have been used for another amount, and an equal refund may be someone else's.
    if (row.ticket === undefined || isExplained(plan, row, payment, moved)) {
      const done = known('done', `Done before: ${KNOWN_KEY.replace('The', 'the')}`)
      return row.ticket === undefined ? done : { ...done, result: { ...done.result, isAnyTime: true } }
    }
    return unproven(
      'unknown',
      'Its ticket was used, and the payment does not show for what: check the payment, and if the row is still meant, plan it with another ticket',
    )
  }
  return row.ticket === undefined
    ? unproven('unknown', `${KNOWN_KEY}, but the payment does not show it: check the payment`)
    : unproven('skipped', TICKET_USED)
}

/** Whether the rows of this plan explain all that has changed since it was made, or nothing else has another amount. */
function isExplained(plan: PlanIdentity, row: ReadyRow, payment: unknown, moved: readonly number[]): boolean {
  if (figuresOf(payment) === undefined || !isRecord(payment)) return false
  if (plan.operation === 'cancel') return true
  const since = movedSince(plan, row, payment)
  if (moved.some((one) => one + (row.amount ?? 0) === since)) return true
  return (
    plan.operation === 'refund' &&
    refundsOfAmount({}, payment).every((refund) => refund['amount'] === row.amount)
  )
}

/** The amount that was moved on the payment since the plan; undefined for a cancellation. */
function movedSince(
  { operation }: PlanIdentity,
  { figures: before }: ReadyRow,
  payment: unknown,
): number | undefined {
  const now = figuresOf(payment)
  if (now === undefined || operation === 'cancel') return undefined
  return operation === 'refund'
    ? now.amountRefunded - before.amountRefunded
    : now.amountCaptured - before.amountCaptured
}

/** Whether the payment shows a write of this operation and amount. */
function shows({ operation }: PlanIdentity, { amount = 0 }: ReadyRow, payment: unknown): boolean {
  const figures = figuresOf(payment)
  if (figures === undefined || !isRecord(payment)) return false
  switch (operation) {
    case 'refund':
      return Array.isArray(payment['transactions'])
        ? refundsOfAmount({ amount }, payment).length > 0
        : figures.amountRefunded >= amount
    case 'capture':
      return figures.amountCaptured >= amount
    case 'cancel':
      return figures.status === 'CANCELLED'
  }
}
