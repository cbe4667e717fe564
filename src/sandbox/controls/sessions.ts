import type { ListedSession } from './responses.ts'
import { CLIENT_TOKEN_LIFETIME_MS } from '../domain/clock.ts'
import { orderAmount } from '../domain/order-amount.ts'
import { toServiceDate } from '../domain/datetime.ts'
import type { SandboxContext } from '../domain/context.ts'
import type { ListOf, ListPage, StoredSession } from '../domain/stored.ts'
import type { Store } from '../database/store.ts'

/** Part of the hash of a session: enough to tell sessions apart. */
const ID_LENGTH = 12

export function listSessions({ store, now }: SandboxContext, page: ListPage): ListOf<ListedSession> {
  const { total, data } = store.sessions.list(page)
  return { total, data: data.map((entry) => showSession(entry, store, now)) }
}

function showSession(
  { idHash, session }: { readonly idHash: string; readonly session: StoredSession },
  { payments }: Store,
  now: Date,
): ListedSession {
  const { orderId, customerId, currencyCode, amount, order, expiresAtMs } = session
  const payment = payments.findOfSession(idHash)
  const isPaid = payment !== undefined && payment.status !== 'DECLINED' && payment.status !== 'FAILED'
  return {
    id: idHash.slice(0, ID_LENGTH),
    state: isPaid ? 'paid' : expiresAtMs <= now.getTime() ? 'expired' : 'open',
    orderId,
    customerId,
    currencyCode,
    amount: amount ?? orderAmount(order),
    createdAt: toServiceDate(new Date(expiresAtMs - CLIENT_TOKEN_LIFETIME_MS)),
    expiresAt: toServiceDate(new Date(expiresAtMs)),
    payment: payment === undefined ? undefined : { id: payment.id, status: payment.status },
  }
}
