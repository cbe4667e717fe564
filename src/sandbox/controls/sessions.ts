import { CLIENT_TOKEN_LIFETIME_MS } from '../domain/client-token.ts'
import { orderAmount } from '../domain/order-amount.ts'
import { toServiceDate } from '../domain/datetime.ts'
import type { Store } from '../domain/store/store.ts'
import { readAll } from './read.ts'
import type { Read } from './read.ts'
import type { ListPage } from './view-inputs.ts'

/** A client session in a list. Its client token isn't stored, so it can't be shown. */
export interface ListedSession {
  /** Names the session, but opens nothing. */
  readonly id: string
  /** A session is paid by a payment that isn't declined or failed. */
  readonly state: 'open' | 'paid' | 'expired'
  readonly orderId: string | undefined
  readonly customerId: string | undefined
  readonly currencyCode: string | undefined
  /** Calculated from the order unless the session has its own amount. */
  readonly amount: number | undefined
  readonly createdAt: string
  readonly expiresAt: string
  /** The payment that its checkout made; after several tries, the one that counts. */
  readonly payment: { readonly id: string; readonly status: string } | undefined
}

export interface ListOf<Entry> {
  /** Of all pages. */
  readonly total: number
  readonly data: readonly Entry[]
}

const SLICE = 1000
/** Part of the hash of a session: enough to tell sessions apart. */
const ID_LENGTH = 12

/** Newest first. `search` looks at orders and customers. */
export async function listSessions(
  read: Read,
  { offset, limit, search }: ListPage,
): Promise<ListOf<ListedSession>> {
  const all = await readAll(read, ({ sessions }: Store, after: string | undefined) => {
    const entries = sessions.slice(after ?? '', SLICE)
    return { entries, next: entries.length === SLICE ? entries.at(-1)?.idHash : undefined }
  })
  const found = all
    .filter(({ text }) => text.toLowerCase().includes(search))
    .toSorted((one, other) => other.expiresAtMs - one.expiresAtMs || (one.idHash < other.idHash ? -1 : 1))
  const page = found.slice(offset, offset + limit)
  const data = await read((store, now) => page.flatMap(({ idHash }) => showSession(idHash, store, now) ?? []))
  return { total: found.length, data }
}

function showSession(idHash: string, { sessions, payments }: Store, now: Date): ListedSession | undefined {
  const session = sessions.findByHash(idHash)
  if (session === undefined) return undefined
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
