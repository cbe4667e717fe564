import { accountOf as nameOfAccount } from '../calls/build-intent.ts'
import type { Invocation } from './command/invocation.ts'

/** A payment that this machine has lately written to. */
export interface RecentPayment {
  readonly id: string
  /** The last thing that was done to it: `payment.refund`. */
  readonly operation: string
  readonly state: 'sending' | 'in-doubt' | 'confirmed' | 'rejected' | 'abandoned'
  readonly amountMinor: number | undefined
  readonly currencyCode: string | undefined
  /** ISO 8601, UTC. */
  readonly at: string
}

const DAYS = 30
const MOST = 20

/** What the ledger of this machine knows of the account's payments, the latest first. Nothing is asked of the service. */
export async function listRecentPayments(invocation: Invocation): Promise<readonly RecentPayment[]> {
  const { context } = invocation
  const account = await invocation.account()
  if (account.apiKey === undefined) return []
  const name = nameOfAccount({ baseUrl: account.baseUrl.value, apiKey: account.apiKey.value })
  const from = new Date(context.now().getTime() - DAYS * 24 * 3_600_000).toISOString()
  const { OPERATIONS } = await import('../api/table.ts')
  const operations = OPERATIONS.map(({ id }) => id).filter((id) => id.startsWith('payment.'))
  const { records } = await (await context.ledger()).list({ from, operations, isLook: true })
  const found = new Map<string, RecentPayment>()
  for (const record of records) {
    const id = record.targetKind === 'payment' ? record.target : record.resource
    // The latest comes first.
    if (record.account !== name || id === null || found.has(id)) continue
    found.set(id, {
      id,
      operation: record.operation,
      state: record.state,
      amountMinor: record.amount ?? undefined,
      currencyCode: record.currencyCode ?? undefined,
      at: record.createdAt,
    })
    if (found.size === MOST) break
  }
  return [...found.values()]
}
