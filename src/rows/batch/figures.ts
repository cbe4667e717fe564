import { stateOf } from '../../api/payment-states.ts'
import { isRecord } from '../../json/is-record.ts'
import type { Figures } from './plan.ts'

/** The figures of a payment as the service returns it. Undefined if one is missing: then nothing can be compared. */
export function figuresOf(payment: unknown): Figures | undefined {
  if (!isRecord(payment)) return undefined
  const processor = isRecord(payment['processor']) ? payment['processor'] : {}
  const { status, amount } = payment
  const { amountCaptured, amountRefunded } = processor
  if (typeof status !== 'string' || !isAmount(amount)) return undefined
  const isUncaptured = stateOf(status)?.captured === 'none'
  // Before a capture, some services leave the figures out.
  const captured = amountCaptured ?? (isUncaptured ? 0 : undefined)
  const refunded = amountRefunded ?? (isUncaptured ? 0 : undefined)
  if (!isAmount(captured) || !isAmount(refunded)) return undefined
  return { status, amount, amountCaptured: captured, amountRefunded: refunded }
}

const isAmount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0
