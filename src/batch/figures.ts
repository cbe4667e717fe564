import { isRecord } from '../is-record.ts'
import type { Figures } from './plan.ts'

/** The figures of a payment as the service returns it. Undefined if one is missing: then nothing can be compared. */
export function figuresOf(payment: unknown): Figures | undefined {
  if (!isRecord(payment)) return undefined
  const processor = isRecord(payment['processor']) ? payment['processor'] : {}
  const { status, amount } = payment
  const { amountCaptured, amountRefunded } = processor
  if (typeof status !== 'string' || !isAmount(amount)) return undefined
  if (!isAmount(amountCaptured) || !isAmount(amountRefunded)) return undefined
  return { status, amount, amountCaptured, amountRefunded }
}

const isAmount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0
