import { SERVICE_ENV } from '../../support/error-envelope.ts'
import { jsonAnswer } from '../../support/run-pay.ts'
import type { RunOptions } from '../../support/run-pay.ts'

export const PAID = { id: 'p1', orderId: 'A-1', status: 'SETTLED', amount: 1250, currencyCode: 'EUR' }

export const REFUND = 'payment refund --order A-1 --amount 300'

/** Responds to every search with these pages, and to every read with the first payment. */
export const listing = (...pages: readonly (readonly object[])[]): RunOptions => ({
  env: SERVICE_ENV,
  service: ({ method, url }) => {
    if (method !== 'GET') return jsonAnswer(200, { id: 'p1', status: 'SETTLED' })
    const { pathname, searchParams } = new URL(url)
    if (!pathname.endsWith('/payments')) return jsonAnswer(200, pages[0]?.[0])
    const at = Number(searchParams.get('cursor') ?? 0)
    const next = at + 1 < pages.length ? { nextCursor: String(at + 1) } : {}
    return jsonAnswer(200, { data: pages[at], ...next })
  },
})
