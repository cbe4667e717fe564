import { call } from '../../page/service.ts'
import type { Query } from '../parts/router.ts'

/** One line of `GET /sandbox/records`. Amounts are in minor units. */
export interface RecordLine {
  readonly id: string
  readonly source: 'payments' | 'external'
  readonly orderId?: string
  readonly customerId?: string
  readonly status?: string
  readonly amount?: number
  readonly currencyCode?: string
  readonly method?: string
  readonly network?: string
  readonly last4Digits?: string
  readonly processor?: string
  readonly date: string
}

interface RecordPage {
  /** From `start` on. */
  readonly total: number
  /** Newer than `start`. */
  readonly newer: number
  /** The place of the first record. */
  readonly first?: string
  readonly data: readonly RecordLine[]
}

export const LIMIT = 50

export const fetchRecords = (
  filters: Query,
  { offset, start }: { readonly offset: number; readonly start: string | undefined },
  signal: AbortSignal,
): Promise<RecordPage> =>
  call<RecordPage>('GET', '/sandbox/records', undefined, {
    query: { ...filters, offset, limit: LIMIT, start },
    signal,
  })
