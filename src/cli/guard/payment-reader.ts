import type { Draft } from '../command/draft.ts'
import type { Invocation } from '../command/invocation.ts'
import { withoutNulls } from '../command/nulls.ts'
import { isRecord } from '../../is-record.ts'

/** A payment that is read at most once before the call. */
export interface PaymentReader {
  readonly read: () => Promise<unknown>
  /** What has been read so far. */
  readonly seen: () => unknown
}

export function paymentReader(invocation: Invocation, draft: Draft): PaymentReader {
  let read: Promise<unknown> | undefined
  let seen: unknown
  return {
    read: () => (read ??= get()),
    seen: () => seen,
  }
  async function get(): Promise<unknown> {
    const { getPayment } = await import('../../api/operations/payment.ts')
    const answer = await invocation.call({ operation: getPayment, params: { id: draft.params['id'] ?? '' } })
    seen = withoutNulls(answer.json)
    return seen
  }
}

export function numberAt(value: unknown, key: string): number | undefined {
  const found = isRecord(value) ? value[key] : undefined
  return typeof found === 'number' ? found : undefined
}

export function textAt(value: unknown, key: string): string | undefined {
  const found = isRecord(value) ? value[key] : undefined
  return typeof found === 'string' ? found : undefined
}
