import { expect } from 'vitest'
import { browserTest, expectAccessible } from '../../support/browser.ts'
import { at, createPayment, textAt } from '../../sandbox/service.ts'
import { expectGood } from './good-page.ts'
import { openPages } from '../served-pages.ts'

browserTest('a payment is found and half of it refunded, by keyboard alone', async ({ browser }) => {
  const served = await openPages()
  const customer = { emailAddress: 'Ada@example.com', firstName: 'Ada', lastName: 'Lovelace' }
  const id = textAt(await createPayment(served, 'tok_autocapture', { customer, amount: 123_455 }), 'id')
  await createPayment(served, 'tok_visa')
  const page = await browser.open(served.at('/dashboard'))
  const row = page.getByRole('row').filter({ hasText: id })
  await row.waitFor()
  await expectGood(page)

  await page.keyboard.press('/')
  await page.keyboard.type('ADA@', { delay: 1 })
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: `1,234.55 EUR from Ada Lovelace Settled ${id}` }).waitFor()
  await page.keyboard.press('r')
  const dialog = page.getByRole('dialog', { name: 'Refund payment' })
  await dialog.waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  expect(await dialog.getByLabel('Amount').inputValue()).toBe('617.27')
  await expectAccessible(page)
  for (let tab = 0; tab < 4; tab += 1) await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  const payment = await served.ok('GET', `/payments/${id}`)
  expect(at(payment, 'processor', 'amountRefunded')).toBe(61_727)
  await page.getByRole('heading', { name: 'Partly refunded' }).waitFor()
  await page.getByText('617.28 EUR').first().waitFor()
  await expectGood(page)
  await page.keyboard.press('/')
  await page.keyboard.type('ada')
  await row.getByText('Partly refunded').waitFor()
})
