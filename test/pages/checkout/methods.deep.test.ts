import { expect } from 'vitest'
import type { Page } from 'playwright-core'
import { browserTest } from '../../support/browser.ts'
import { control } from '../../sandbox/controls/call-control.ts'
import { HOUR_MS, textAt, advance } from '../../sandbox/service.ts'
import { openPages } from '../served-pages.ts'
import {
  CARDS,
  ORDER,
  chooseCard,
  countPayments,
  openCheckout,
  payWith,
  paymentAfter,
} from './open-checkout.ts'

const methodsOn = (page: Page): Promise<string[]> => page.locator('.option label').allInnerTexts()

const chooseMethod = (page: Page, name: string) => page.getByRole('radio', { name }).check()

async function payBy(page: Page, name: string): Promise<void> {
  await chooseMethod(page, name)
  await page.getByRole('button', { name: /^Pay / }).click()
}

browserTest('cards and PayPal are offered everywhere, Klarna and iDEAL for EUR', async ({ browser }) => {
  const { page, served } = await openCheckout(browser)
  expect(await methodsOn(page)).toEqual(['New card', 'PayPal', 'Klarna', 'iDEAL'])
  const yen = await openCheckout(browser, { served, session: { ...ORDER, currencyCode: 'JPY' } })
  expect(await methodsOn(yen.page)).toEqual(['New card', 'PayPal'])
})

browserTest.for(['PayPal', 'Klarna'])('%s pays at once', async (name, { browser }) => {
  const checkout = await openCheckout(browser)
  await payBy(checkout.page, name)
  expect(await paymentAfter(checkout, 'Payment successful')).toMatchObject({
    status: 'AUTHORIZED',
    paymentMethod: { paymentMethodType: name.toUpperCase() },
  })
})

browserTest('iDEAL waits, and the page shows the result when the clock brings it', async ({ browser }) => {
  const checkout = await openCheckout(browser)
  const { page, served } = checkout
  await payBy(page, 'iDEAL')
  await page.getByRole('heading', { name: 'Waiting for iDEAL' }).waitFor()
  expect(await page.getByRole('status').innerText()).toContain('iDEAL has not answered yet')
  await advance(served, HOUR_MS)
  expect(await paymentAfter(checkout, 'Payment successful')).toMatchObject({ status: 'AUTHORIZED' })
})

browserTest.for([
  ['Approve', 'Payment successful', 'AUTHORIZED'],
  ['Reject', 'Payment declined', 'DECLINED'],
] as const)('iDEAL: %s on the page', async ([answer, title, status], { browser }) => {
  const checkout = await openCheckout(browser)
  await payBy(checkout.page, 'iDEAL')
  await checkout.page.getByRole('button', { name: answer }).click()
  expect(await paymentAfter(checkout, title)).toMatchObject({ status })
  expect(await countPayments(checkout.served)).toBe(1)
})

browserTest(
  'a saved method is named with its last four digits, and the default one is chosen',
  async ({ browser }) => {
    const served = await openPages()
    const vault = async (token: string) =>
      textAt(
        await served.ok('POST', `/payment-instruments/${token}/vault`, { customerId: 'customer-1' }),
        'token',
      )
    await vault('tok_visa')
    const preferred = await vault('tok_mastercard')
    await served.ok('POST', `/payment-instruments/${preferred}/default`)
    const checkout = await openCheckout(browser, { served, session: { ...ORDER, customerId: 'customer-1' } })
    const { page } = checkout
    expect(await page.getByRole('radio', { name: 'Mastercard ending in 4444' }).isChecked()).toBe(true)
    expect(await page.getByLabel('Card number').count()).toBe(0)
    await payBy(page, 'Visa ending in 1111')
    expect(await paymentAfter(checkout, 'Payment successful')).toMatchObject({
      customerId: 'customer-1',
      paymentMethod: { paymentMethodData: { last4Digits: '1111' } },
    })
  },
)

browserTest(
  'the surcharge of the chosen method is in the summary, the total and the button',
  async ({ browser }) => {
    const session = {
      orderId: 'order-1',
      currencyCode: 'EUR',
      order: { lineItems: [{ name: 'Mug', amount: 4990 }] },
      paymentMethod: {
        options: {
          PAYPAL: { surcharge: { amount: 100 } },
          PAYMENT_CARD: { networks: { MASTERCARD: { surcharge: { amount: 25 } } } },
        },
      },
    }
    const checkout = await openCheckout(browser, { session })
    const { page } = checkout
    const summary = page.getByRole('region', { name: 'Order summary' })
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    await button('Pay 49.90 EUR').waitFor()
    expect(await summary.innerText()).not.toContain('Surcharge')
    await chooseMethod(page, 'PayPal')
    await button('Pay 50.90 EUR').waitFor()
    expect(await summary.innerText()).toMatch(/Surcharge\s+1\.00 EUR\s+Total\s+50\.90 EUR/)
    // The first digits tell the network.
    await chooseMethod(page, 'New card')
    await page.getByLabel('Card number').fill('51')
    await button('Pay 50.15 EUR').waitFor()
    await chooseCard(page, '5555555555554444')
    await button('Pay 50.15 EUR').click()
    expect(await paymentAfter(checkout, 'Payment successful')).toMatchObject({ amount: 5015 })
    expect(await page.getByRole('status').innerText()).toContain('You paid 50.15 EUR')
    expect(await summary.innerText()).toMatch(/Surcharge\s+0\.25 EUR\s+Total\s+50\.15 EUR/)
  },
)

browserTest.for([
  ['JPY', 4990, '4990 JPY'],
  ['BHD', 4990, '4.990 BHD'],
  ['CLF', 4990, '0.4990 CLF'],
  ['EUR', 5, '0.05 EUR'],
] as const)(
  '%s: %i minor units are shown as ISO 4217 says',
  async ([currencyCode, amount, shown], { browser }) => {
    const session = { orderId: 'order-1', currencyCode, order: { lineItems: [{ name: 'Mug', amount }] } }
    const checkout = await openCheckout(browser, { session })
    const { page } = checkout
    expect(await page.getByRole('region', { name: 'Order summary' }).innerText()).toContain(shown)
    await chooseCard(page, CARDS.approved)
    await page.getByRole('button', { name: `Pay ${shown}`, exact: true }).click()
    expect(await paymentAfter(checkout, 'Payment successful')).toMatchObject({ amount, currencyCode })
    expect(await page.getByRole('status').innerText()).toContain(`You paid ${shown}.`)
  },
)

browserTest('the settings decide what is offered, and whether surcharges are listed', async ({ browser }) => {
  const served = await openPages()
  await control(served, 'PUT', '/sandbox/settings', {
    methods: [{ type: 'PAYPAL', currencies: [], countries: [] }],
    showSurcharges: false,
  })
  const session = {
    orderId: 'order-1',
    currencyCode: 'EUR',
    order: { lineItems: [{ name: 'Mug', amount: 4990 }] },
    paymentMethod: { options: { PAYPAL: { surcharge: { amount: 100 } } } },
  }
  const { page } = await openCheckout(browser, { served, session })
  expect(await methodsOn(page)).toEqual(['PayPal'])
  await page.getByRole('button', { name: 'Pay 50.90 EUR' }).waitFor()
  const summary = await page.getByRole('region', { name: 'Order summary' }).innerText()
  expect(summary).not.toContain('Surcharge')
  expect(summary).toContain('The total includes every charge')
  expect(await page.getByRole('heading', { name: 'Test cards' }).count()).toBe(0)
})

browserTest.for([
  ['always', CARDS.approved, 'Confirm the payment'],
  ['never', CARDS.challenge, 'Payment successful'],
] as const)('3D Secure %s: %s leads to "%s"', async ([threeDSecure, card, heading], { browser }) => {
  const served = await openPages()
  await control(served, 'PUT', '/sandbox/settings', { threeDSecure })
  const { page } = await openCheckout(browser, { served })
  await payWith(page, card)
  await page.getByRole('heading', { name: heading }).waitFor()
})
