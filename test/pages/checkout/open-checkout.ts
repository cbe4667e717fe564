import { expect } from 'vitest'
import type { ServerOptions } from '../../../src/sandbox/serve/server.ts'
import type { OpenOptions, Page, TestBrowser } from '../../support/browser.ts'
import type { LoggedRequest } from '../../../src/sandbox/log/logged-request.ts'
import { control } from '../../sandbox/controls/call-control.ts'
import { textAt, loggedIn } from '../../sandbox/service.ts'
import type { Json } from '../../sandbox/service.ts'
import { openPages } from '../served-pages.ts'
import type { ServedPages } from '../served-pages.ts'

export interface OpenCheckout {
  readonly page: Page
  readonly served: ServedPages
  readonly clientToken: string
}

interface Opening {
  readonly session?: Json
  readonly served?: ServedPages
  readonly server?: Partial<ServerOptions>
  readonly open?: OpenOptions
}

export const ORDER = { orderId: 'order-1044', currencyCode: 'EUR', amount: 4990 }

export const createSession = async (served: ServedPages, session: Json = ORDER): Promise<string> =>
  textAt(await served.ok('POST', '/client-session', session), 'clientToken')

/** The checkout of a session in a browser, ready to pay. */
export async function openCheckout(browser: TestBrowser, opening: Opening = {}): Promise<OpenCheckout> {
  const served = opening.served ?? (await openPages(opening.server))
  const clientToken = await createSession(served, opening.session)
  const page = await browser.open(served.at(`/checkout#${clientToken}`), opening.open)
  await page.getByRole('button', { name: /^Pay / }).waitFor()
  return { page, served, clientToken }
}

export const CARDS = {
  approved: '4111111111111111',
  declined: '4000000000000002',
  challenge: '4916994064252017',
}

/** Fills the form with a test card. */
export async function chooseCard(page: Page, number: string): Promise<void> {
  await page.getByRole('button', { name: number, exact: true }).click()
}

export async function payWith(page: Page, number: string): Promise<void> {
  await chooseCard(page, number)
  await page.getByRole('button', { name: /^Pay / }).click()
}

/** Waits until the page reports this result; returns the payment's ID that it shows, if it shows one. */
export async function resultOf(page: Page, title: string): Promise<string | undefined> {
  const status = page.getByRole('status')
  await status.getByText(title, { exact: true }).waitFor()
  return /Payment (?<id>[\dA-Za-z]{9})\b/.exec((await status.innerText()).replace(title, ''))?.groups?.['id']
}

/** The same for a payment that must exist: reads it from the service. */
export async function paymentAfter({ page, served }: OpenCheckout, title: string): Promise<Json> {
  const id = await resultOf(page, title)
  expect(id, 'the payment ID on the page').toBeDefined()
  return served.ok('GET', `/payments/${id}`)
}

/** Every request to create a payment, newest first. */
export async function paymentRequests({ sandbox }: ServedPages): Promise<readonly LoggedRequest[]> {
  const all = await loggedIn({ sandbox }, 100)
  return all.filter(({ operation }) => operation === 'payment.create')
}

/** How many payments there are. */
export const countPayments = async (served: ServedPages): Promise<number> => {
  const { data } = await served.ok('GET', '/payments')
  return Array.isArray(data) ? data.length : 0
}

export const addFault = (served: ServedPages, fault: Json) =>
  control(served, 'POST', '/sandbox/faults', fault)
