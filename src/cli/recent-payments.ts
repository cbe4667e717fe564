import { accountOf as nameOfAccount } from '../calls/build-intent.ts'
import { paymentOf } from '../ledger/record.ts'
import type { Invocation } from './command/invocation.ts'

/** A payment that this machine has written to recently. */
export interface RecentPayment {
  readonly id: string
  /** The latest operation on it: `payment.refund`. */
  readonly operation: string
  readonly state: 'sending' | 'in-doubt' | 'confirmed' | 'rejected' | 'abandoned'
  readonly amountMinor: number | undefined
  readonly currencyCode: string | undefined
  /** ISO 8601, UTC. */
  readonly at: string
}

const DAYS = 30
const MAX_PAYMENTS = 20

/** The account's payments in the local ledger, latest first. Does not call the service. */
export async function listRecentPayments(invocation: Invocation): Promise<readonly RecentPayment[]> {
  const { context } = invocation
  const account = await invocation.account()
  // A team's database is asked for writes only.
  if (account.apiKey === undefined || account.ledger.kind === 'team') return []
  const name = nameOfAccount({ baseUrl: account.baseUrl.value, apiKey: account.apiKey.value })
  const from = new Date(context.now().getTime() - DAYS * 24 * 3_600_000).toISOString()
  const { OPERATIONS } = await import('../api/table.ts')
  const operations = OPERATIONS.map(({ id }) => id).filter((id) => id.startsWith('payment.'))
  const { records } = await (await context.ledger(account)).list({ from, operations })
  const found = new Map<string, RecentPayment>()
  for (const record of records) {
    const id = paymentOf(record)
    // Records come latest first, so the first one of a payment counts.
    if (record.apiKeyId !== name || id === null || found.has(id)) continue
    found.set(id, {
      id,
      operation: record.operation,
      state: record.state,
      amountMinor: record.amount ?? undefined,
      currencyCode: record.currencyCode ?? undefined,
      at: record.createdAt,
    })
    if (found.size === MAX_PAYMENTS) break
  }
  return [...found.values()]
}
