import { browserTest, expectAccessible, expectFitsWidth, WIDTHS } from '../../support/browser.ts'
import { expect } from 'vitest'
import { CARDS, chooseCard, countPayments, openCheckout, paymentAfter } from './open-checkout.ts'

browserTest('a customer corrects the form, passes the challenge and has paid once', async ({ browser }) => {
  const checkout = await openCheckout(browser)
  const { page, served } = checkout
  const pay = page.getByRole('button', { name: 'Pay 49.90 EUR' })
  await pay.click()
  await page.getByText('Enter the card number.').waitFor()
  await expectFitsWidth(page, WIDTHS.phone)
  await expectAccessible(page)

  await chooseCard(page, CARDS.challenge)
  await pay.click()
  await page.getByRole('button', { name: 'Approve' }).click()
  expect(await paymentAfter(checkout, 'Payment successful')).toMatchObject({ status: 'AUTHORIZED' })
  expect(await countPayments(served)).toBe(1)
  await expectAccessible(page)
})
