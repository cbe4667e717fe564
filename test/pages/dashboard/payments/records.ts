import type { Page } from '../../../support/browser.ts'
import type { ServedPages } from '../../served-pages.ts'

/** The IDs in the list of payments. */
export const ids = (page: Page) =>
  page.getByRole('table', { name: 'Payments' }).getByRole('link').allTextContents()

/** Creates external records, each a minute later than the one before. */
export async function fill(served: ServedPages, count: number): Promise<void> {
  for (let at = 0; at < count; at += 1)
    await served.ok('POST', '/observability/payments', {
      paymentId: `ext-${String(at).padStart(3, '0')}`,
      currencyCode: 'EUR',
      amount: 100 + at,
      createdAt: new Date(Date.UTC(2020, 0, 1, 0, at)).toISOString(),
      processor: { name: 'ACME' },
      order: { id: `order-${at}` },
      paymentMethod: { paymentMethodType: 'PAYMENT_CARD' },
    })
}
