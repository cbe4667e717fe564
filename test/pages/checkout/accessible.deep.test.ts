import { expect } from 'vitest'
import type { Page } from 'playwright-core'
import { browserTest, expectAccessible, expectFitsWidth, WIDTHS } from '../../support/browser.ts'
import { CARDS, addFault, openCheckout, payWith, paymentAfter, resultOf } from './open-checkout.ts'

const LONG_ORDER = {
  orderId: `order-${'9'.repeat(60)}`,
  currencyCode: 'BHD',
  order: {
    lineItems: [
      {
        name: 'W'.repeat(80),
        description: '<b>bold</b> \u202eabc',
        quantity: 999_999,
        amount: 9_999_999,
        taxAmount: 1,
      },
      { name: 'Discounted', amount: 1000, discountAmount: 250 },
    ],
    shipping: { amount: 490 },
    fees: [{ amount: 5, type: 'A_VERY_LONG_FEE_TYPE_WITHOUT_A_PLACE_TO_BREAK_IT' }],
  },
}

async function expectGood(page: Page): Promise<void> {
  for (const width of Object.values(WIDTHS)) await expectFitsWidth(page, width)
  await expectAccessible(page)
}

browserTest(
  'the form is accessible and fits every width, empty and with every problem',
  async ({ browser }) => {
    const { page } = await openCheckout(browser, { session: LONG_ORDER })
    await expectGood(page)
    expect(await page.getByRole('region', { name: 'Order summary' }).innerText()).toContain('<b>bold</b>')
    await page.getByRole('button', { name: /^Pay / }).click()
    await page.getByText('Enter the card number.').waitFor()
    await expectGood(page)
  },
)

browserTest('so are the challenge, the wait and the results', async ({ browser }) => {
  const first = await openCheckout(browser)
  await payWith(first.page, CARDS.challenge)
  await first.page.getByRole('button', { name: 'Approve' }).waitFor()
  await expectGood(first.page)
  await first.page.getByRole('button', { name: 'Reject' }).click()
  await resultOf(first.page, 'Payment declined')
  await expectGood(first.page)
  await first.page.getByRole('button', { name: 'Try again' }).click()
  await first.page.getByRole('radio', { name: 'iDEAL' }).check()
  await first.page.getByRole('button', { name: /^Pay / }).click()
  await first.page.getByRole('heading', { name: 'Waiting for iDEAL' }).waitFor()
  await expectGood(first.page)
  await first.page.getByRole('button', { name: 'Approve' }).click()
  await resultOf(first.page, 'Payment successful')
  await expectGood(first.page)
})

browserTest('so is a result that is not known yet', async ({ browser }) => {
  const { page, served } = await openCheckout(browser)
  await addFault(served, { on: 'POST /payments', do: 'status=503' })
  await payWith(page, CARDS.approved)
  await page.getByRole('heading', { name: 'Payment not confirmed yet' }).waitFor()
  await expectGood(page)
})

browserTest('everything works with the keyboard alone, and the focus is never lost', async ({ browser }) => {
  const checkout = await openCheckout(browser)
  const { page } = checkout
  const focused = () =>
    page.evaluate<string>("document.activeElement?.innerText || document.activeElement?.id || ''")
  const pressUntil = async (key: string, goal: string) => {
    for (let presses = 0; presses < 40; presses += 1) {
      if ((await focused()) === goal) return
      await page.keyboard.press(key)
    }
    throw new Error(`${key} never led to ${goal}; the focus is on ${await focused()}`)
  }
  // A decline first, with a test card.
  await pressUntil('Tab', '4000000000000002')
  await page.keyboard.press('Enter')
  await pressUntil('Shift+Tab', 'Pay 49.90 EUR')
  await page.keyboard.press('Space')
  await resultOf(page, 'Payment declined')
  expect(await focused()).toBe('Payment declined')
  await pressUntil('Tab', 'Try again')
  await page.keyboard.press('Enter')
  await expect.poll(focused).toBe('Payment method')
  // Then a challenge, typed by hand.
  await pressUntil('Tab', 'card-number')
  await page.keyboard.type('4916994064252017')
  await page.keyboard.press('Tab')
  await page.keyboard.type('1239')
  await page.keyboard.press('Tab')
  await page.keyboard.type('123')
  await page.keyboard.press('Enter')
  await expect.poll(focused).toBe('Confirm the payment')
  await pressUntil('Tab', 'Approve')
  await page.keyboard.press('Enter')
  await paymentAfter(checkout, 'Payment successful')
  expect(await focused()).toBe('Payment successful')
})

browserTest('arrow keys choose among the methods', async ({ browser }) => {
  const { page } = await openCheckout(browser)
  await page.getByRole('radio', { name: 'New card' }).focus()
  for (const name of ['PayPal', 'Klarna', 'iDEAL', 'New card']) {
    await page.keyboard.press('ArrowDown')
    expect(await page.getByRole('radio', { name }).isChecked(), name).toBe(true)
    expect(await page.evaluate<string>("document.activeElement.closest('label').innerText")).toBe(name)
  }
})
