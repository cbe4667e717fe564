import { expect } from 'vitest'
import { browserTest, expectAccessible } from '../../support/browser.ts'
import { control } from '../../sandbox/controls/call-control.ts'
import { makeServerKeys } from '../../../src/sandbox/serve/server-keys.ts'
import { HOUR_MS, textAt, advance } from '../../sandbox/service.ts'
import { openPages } from '../served-pages.ts'
import {
  CARDS,
  ORDER,
  chooseCard,
  createSession,
  openCheckout,
  payWith,
  paymentRequests,
  resultOf,
} from './open-checkout.ts'

const OTHER_SANDBOX =
  'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJleHAiOjE3OTU0NzA3NzAsImNsaWVudFRva2VuIjoieCIsImV4cGlyZXNBdE1zIjoxNzk1NDcwNzY5NjE3fQ.AAAA'

browserTest.for([
  ['without a token', '', 'This link is incomplete', 'must end with # and a client token'],
  ['with text that is no token', '#hello world', 'This link is damaged', 'is not a client token'],
  [
    'with the token of another sandbox',
    `#${OTHER_SANDBOX}`,
    'This checkout is no longer valid',
    'start the checkout again',
  ],
] as const)('a link %s says so, and what to do', async ([, fragment, title, advice], { browser }) => {
  const { at } = await openPages()
  const page = await browser.open(at(`/checkout${fragment}`))
  await page.getByRole('heading', { name: title }).waitFor()
  expect(await page.getByRole('alert').innerText()).toContain(advice)
  expect(await page.getByRole('alert').innerText()).toContain('Go back to the shop')
  expect(await page.getByRole('button', { name: /^Pay/ }).count()).toBe(0)
  await expectAccessible(page)
})

browserTest(
  'a token that expires while the customer types is refused, and nothing is charged',
  async ({ browser }) => {
    const { page, served, clientToken } = await openCheckout(browser)
    await chooseCard(page, CARDS.approved)
    await advance(served, 25 * HOUR_MS)
    await page.getByRole('button', { name: /^Pay / }).click()
    await page.getByRole('heading', { name: 'This checkout is no longer valid' }).waitFor()
    expect(await page.getByRole('alert').innerText()).toContain('Go back to the shop')
    expect(await page.content()).not.toContain(clientToken)
    expect(await paymentRequests(served)).toEqual([])
  },
)

browserTest('another link in the same tab opens another checkout', async ({ browser }) => {
  const { page, served } = await openCheckout(browser)
  const other = await createSession(served, { ...ORDER, amount: 100 })
  await page.goto(served.at(`/checkout#${other}`))
  await page.getByRole('button', { name: 'Pay 1.00 EUR' }).waitFor()
})

browserTest('a session that lacks something for a payment names it', async ({ browser }) => {
  const served = await openPages()
  const token = await createSession(served, { currencyCode: 'EUR', amount: 100 })
  const page = await browser.open(served.at(`/checkout#${token}`))
  await page.getByRole('heading', { name: 'This order is incomplete' }).waitFor()
  expect(await page.getByRole('alert').innerText()).toContain('orderId')
  await served.ok('PATCH', '/client-session', { clientToken: token, orderId: 'order-1' })
  await page.getByRole('button', { name: 'Load again' }).click()
  await page.getByRole('button', { name: 'Pay 1.00 EUR' }).waitFor()
})

browserTest('settings that offer no method are named as the cause', async ({ browser }) => {
  const served = await openPages()
  await control(served, 'PUT', '/sandbox/settings', {
    methods: [{ type: 'IDEAL', currencies: ['EUR'], countries: [] }],
  })
  const token = await createSession(served, { ...ORDER, currencyCode: 'JPY' })
  const page = await browser.open(served.at(`/checkout#${token}`))
  await page.getByRole('heading', { name: 'No payment method is available' }).waitFor()
})

browserTest(
  'on a server with its own keys, a client token is all that a customer needs',
  async ({ browser }) => {
    const served = await openPages({ keys: makeServerKeys(() => 'secret'), allowedHosts: ['sandbox.test'] })
    const { body } = await served.sandbox.handle({
      method: 'POST',
      url: '/client-session',
      headers: { 'x-api-key': 'sandbox_all', 'x-api-version': '2.1' },
      body: JSON.stringify(ORDER),
    })
    const token = textAt(JSON.parse(body), 'clientToken')
    const page = await browser.open(`http://sandbox.test:${served.server.port}/checkout#${token}`)
    await payWith(page, CARDS.approved)
    expect(await resultOf(page, 'Payment successful')).toBeDefined()
  },
)
