import type { Route } from 'playwright-core'
import { expect } from 'vitest'
import { browserTest } from '../../support/browser.ts'
import { HOUR_MS, advance, clearFaults } from '../../sandbox/service.ts'
import { openPages } from '../served-pages.ts'
import {
  CARDS,
  addFault,
  chooseCard,
  countPayments,
  createSession,
  openCheckout,
  payWith,
  paymentAfter,
  paymentRequests,
  resultOf,
} from './open-checkout.ts'

/** Chromium reports connections that faults cut. */
const CUT = { tolerates: /net::ERR_|Failed to load resource/ }

// The logic meets every fault in payment/faults.test.ts.
browserTest.for(['drop-after', 'truncate'])(
  'a payment whose response meets %s is made once, with one idempotency key',
  async (effect, { browser }) => {
    const checkout = await openCheckout(browser, { open: CUT })
    const { page, served } = checkout
    await addFault(served, { on: 'POST /payments', do: effect, times: 1 })
    await payWith(page, CARDS.approved)
    expect(await paymentAfter(checkout, 'Payment successful')).toMatchObject({ status: 'AUTHORIZED' })
    expect(await countPayments(served)).toBe(1)
    const keys = (await paymentRequests(served)).map(({ idempotencyKey }) => idempotencyKey)
    expect(new Set(keys).size).toBe(1)
  },
)

browserTest('a decline whose response is lost is shown as a decline', async ({ browser }) => {
  const checkout = await openCheckout(browser, { open: CUT })
  await addFault(checkout.served, { on: 'POST /payments', do: 'drop-after', times: 1 })
  await payWith(checkout.page, CARDS.declined)
  expect(await paymentAfter(checkout, 'Payment declined')).toMatchObject({ status: 'DECLINED' })
  expect(await countPayments(checkout.served)).toBe(1)
})

browserTest(
  'while the result is unknown, the page says so and asks again on request',
  async ({ browser }) => {
    const checkout = await openCheckout(browser, { open: CUT })
    const { page, served } = checkout
    // By itself, the page would wait half a minute.
    await addFault(served, { on: 'POST /payments', do: '429=30', times: 1 })
    await payWith(page, CARDS.approved)
    await page.getByRole('heading', { name: 'Payment not confirmed yet' }).waitFor()
    const status = await page.getByRole('status').innerText()
    expect(status).toContain('its result is unknown')
    expect(status).toContain("can't charge you twice")
    expect(await page.getByRole('button', { name: /^Pay/ }).count()).toBe(0)
    await page.getByRole('button', { name: 'Check now' }).click()
    await paymentAfter(checkout, 'Payment successful')
    expect(await countPayments(served)).toBe(1)
  },
)

browserTest(
  'offline, the page says so, and continues with the same payment when it is back',
  async ({ browser }) => {
    const checkout = await openCheckout(browser, { open: CUT })
    const { page, served } = checkout
    await addFault(served, { on: 'POST /payments', do: 'drop-after', times: 1 })
    const goOffline = async (route: Route) => {
      await page.context().setOffline(true)
      // Going offline may have ended the request already.
      await route.abort().catch(() => undefined)
    }
    await page.route('**/payments', goOffline, { times: 1 })
    await payWith(page, CARDS.approved)
    await page.getByText('You are offline.').waitFor()
    await page.getByRole('heading', { name: 'Payment not confirmed yet' }).waitFor()
    await page.context().setOffline(false)
    await paymentAfter(checkout, 'Payment successful')
    expect(await page.getByText('You are offline.').count()).toBe(0)
    expect(await countPayments(served)).toBe(1)
  },
)

browserTest(
  'before anything was sent, a lost connection charges nothing and keeps the form',
  async ({ browser }) => {
    const checkout = await openCheckout(browser, { open: CUT })
    const { page, served } = checkout
    await chooseCard(page, CARDS.approved)
    await page.context().setOffline(true)
    await page.getByRole('button', { name: /^Pay / }).click()
    await page.getByText('Nothing was charged.').waitFor()
    expect(await page.getByLabel('Card number').inputValue()).toBe('4111 1111 1111 1111')
    await page.context().setOffline(false)
    await page.getByRole('button', { name: /^Pay / }).click()
    await paymentAfter(checkout, 'Payment successful')
    expect(await paymentRequests(served)).toHaveLength(1)
  },
)

browserTest(
  'a token that expires before the result is known leaves it open, and says what to do',
  async ({ browser }) => {
    const { page, served } = await openCheckout(browser, { open: CUT })
    // Carries the payment out and loses the response.
    const loseResponse = async (route: Route) => {
      const request = route.request()
      await served.handle({
        method: 'POST',
        url: '/payments',
        headers: request.headers(),
        body: request.postData() ?? '',
      })
      await advance(served, 25 * HOUR_MS)
      await route.abort()
    }
    await page.route('**/payments', loseResponse, { times: 1 })
    await payWith(page, CARDS.approved)
    await page.getByText("Don't pay again. Ask the shop").waitFor()
    expect(await page.getByRole('button').count()).toBe(0)
    expect(await countPayments(served)).toBe(1)
  },
)

browserTest('a refused payment is no charge, and the customer can try again', async ({ browser }) => {
  const { page, served } = await openCheckout(browser)
  await addFault(served, { on: 'POST /payments', do: 'status=400', times: 1 })
  await payWith(page, CARDS.approved)
  expect(await resultOf(page, 'Payment failed')).toBeUndefined()
  expect(await page.getByRole('status').innerText()).toContain('You were not charged.')
  await page.getByRole('button', { name: 'Try again' }).click()
  await payWith(page, CARDS.approved)
  await resultOf(page, 'Payment successful')
  expect(await countPayments(served)).toBe(1)
})

browserTest.for(['drop-after', 'drop-before', 'status=500'])(
  'an answer to the challenge that meets %s is not lost',
  async (effect, { browser }) => {
    const checkout = await openCheckout(browser, { open: CUT })
    const { page, served } = checkout
    await payWith(page, CARDS.challenge)
    await addFault(served, { on: 'POST /payments/*/resume', do: effect, times: 1 })
    await page.getByRole('button', { name: 'Approve' }).click()
    // Chromium itself repeats a request whose connection was cut, so only the error is noticed.
    if (effect === 'status=500') {
      await page.getByText('Your answer did not arrive').waitFor()
      await page.getByRole('button', { name: 'Approve' }).click()
    }
    expect(await paymentAfter(checkout, 'Payment successful')).toMatchObject({ status: 'AUTHORIZED' })
  },
)

browserTest('a checkout that cannot be loaded says so and loads by itself', async ({ browser }) => {
  const served = await openPages()
  await addFault(served, { on: 'GET /client-session', do: 'status=500' })
  const page = await browser.open(served.at(`/checkout#${await createSession(served)}`))
  await page.getByRole('heading', { name: "The checkout can't be loaded" }).waitFor()
  expect(await page.getByRole('alert').innerText()).toContain('Nothing was charged.')
  await clearFaults(served)
  await page.getByRole('button', { name: 'Pay 49.90 EUR' }).waitFor()
})
