import type { Page } from '../../support/browser.ts'
import type { TestBrowser } from '../../support/browser.ts'
import { at, createPayment, textAt } from '../../sandbox/service.ts'
import type { Json } from '../../sandbox/service.ts'
import { openPages } from '../served-pages.ts'
import type { ServedPages } from '../served-pages.ts'

export interface OpenPayment {
  readonly served: ServedPages
  readonly page: Page
  readonly id: string
  /** The payment as the service knows it. */
  readonly read: () => Promise<Json>
  /** A figure of the payment at its processor. */
  readonly moved: (figure: 'amountCaptured' | 'amountRefunded') => Promise<unknown>
}

export const ESTIMATED: Json = { paymentMethod: { authorizationType: 'ESTIMATED' } }

/** A served sandbox with one payment of 10.00 EUR, open in the dashboard. `captured` is in minor units. */
export async function openPayment(
  browser: TestBrowser,
  token: string,
  { captured, more = {}, tolerates }: { captured?: number; more?: Json; tolerates?: RegExp } = {},
): Promise<OpenPayment> {
  const served = await openPages()
  const id = textAt(await createPayment(served, token, more), 'id')
  if (captured !== undefined)
    await served.ok('POST', `/payments/${id}/capture`, { amount: captured, final: false })
  const page = await browser.open(
    served.at(`/dashboard/payments/${id}`),
    tolerates === undefined ? {} : { tolerates },
  )
  await page.getByRole('heading', { name: id }).waitFor()
  await page.getByRole('region', { name: 'Money' }).waitFor()
  const read = () => served.ok('GET', `/payments/${id}`)
  return { served, page, id, read, moved: async (figure) => at(await read(), 'processor', figure) }
}

/** Opens the dialog of an action. */
export async function openAction(page: Page, action: string) {
  await page.getByRole('button', { name: action, exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  return {
    dialog,
    confirm: () => dialog.getByRole('button', { name: action, exact: true }).click(),
    fill: (label: string, text: string) => dialog.getByLabel(label).fill(text),
    alert: dialog.getByRole('alert'),
  }
}
