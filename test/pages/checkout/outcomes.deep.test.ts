import { expect } from 'vitest'
import { PAYMENT_SCENARIOS } from '../../../src/sandbox/domain/scenarios/payment-scenarios.ts'
import { wordsOf } from '../../../src/pages/page/words.ts'
import { browserTest } from '../../support/browser.ts'
import {
  CARDS,
  countPayments,
  openCheckout,
  payWith,
  paymentAfter,
  paymentRequests,
} from './open-checkout.ts'

const TITLES: Readonly<Record<string, string>> = {
  AUTHORIZED: 'Payment successful',
  DECLINED: 'Payment declined',
  FAILED: 'Payment failed',
}

const CARD_SCENARIOS = PAYMENT_SCENARIOS.flatMap(({ card, outcome, reason, title }) =>
  card === undefined ? [] : [{ card, outcome, code: reason?.code, message: reason?.message ?? '', title }],
)
/** The first card of each outcome: the logic meets every card in payment/faults.test.ts. */
const firstOf = (wanted: string) => CARD_SCENARIOS.filter(({ outcome }) => outcome === wanted).slice(0, 1)
const AT_ONCE = Object.keys(TITLES).flatMap(firstOf)
const WITH_CHALLENGE = firstOf('PENDING')

browserTest('every test card has a button with its number and what it is for', async ({ browser }) => {
  const { page } = await openCheckout(browser)
  for (const { card, title } of CARD_SCENARIOS) {
    const button = page.getByRole('button', { name: card, exact: true })
    expect(await button.getAttribute('aria-describedby'), card).toBe(`test-card-${card}`)
    expect(await page.locator(`#test-card-${card}`).innerText()).toBe(title)
  }
})

browserTest.for(AT_ONCE)('$card ends $outcome', async ({ card, outcome, code, message }, { browser }) => {
  const checkout = await openCheckout(browser)
  const { page, served } = checkout
  await payWith(page, card)
  const payment = await paymentAfter(checkout, TITLES[outcome] ?? '')
  expect(payment).toMatchObject({ status: outcome, amount: 4990, currencyCode: 'EUR', orderId: 'order-1044' })
  const shown = await page.getByRole('status').innerText()
  expect(shown).toContain(outcome === 'AUTHORIZED' ? 'You paid 49.90 EUR' : message)
  if (code !== undefined) expect(shown).toContain(wordsOf(code))
  expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(outcome === 'AUTHORIZED' ? 0 : 1)
  expect(await paymentRequests(served)).toHaveLength(1)
})

browserTest.for(WITH_CHALLENGE)('$card passes its challenge', async ({ card }, { browser }) => {
  const checkout = await openCheckout(browser)
  const { page, served } = checkout
  await payWith(page, card)
  await page.getByRole('heading', { name: 'Confirm the payment' }).waitFor()
  expect(await page.locator(':focus').innerText()).toBe('Confirm the payment')
  await page.getByRole('button', { name: 'Approve' }).click()
  expect(await paymentAfter(checkout, 'Payment successful')).toMatchObject({ status: 'AUTHORIZED' })
  expect(await countPayments(served)).toBe(1)
})

browserTest.for(WITH_CHALLENGE)('$card fails its challenge', async ({ card }, { browser }) => {
  const checkout = await openCheckout(browser)
  await payWith(checkout.page, card)
  await checkout.page.getByRole('button', { name: 'Reject' }).click()
  expect(await paymentAfter(checkout, 'Payment declined')).toMatchObject({
    status: 'DECLINED',
    statusReason: { code: 'AUTHENTICATION_REQUIRED' },
  })
})

browserTest('after a decline, the customer pays with another card', async ({ browser }) => {
  const checkout = await openCheckout(browser)
  const { page, served } = checkout
  await payWith(page, CARDS.declined)
  const declined = await paymentAfter(checkout, 'Payment declined')
  await page.getByRole('button', { name: 'Try again' }).click()
  await payWith(page, CARDS.approved)
  const paid = await paymentAfter(checkout, 'Payment successful')
  expect(paid['id']).not.toBe(declined['id'])
  const keys = (await paymentRequests(served)).map(({ idempotencyKey }) => idempotencyKey)
  expect(new Set(keys).size, 'a key for each payment').toBe(2)
})
