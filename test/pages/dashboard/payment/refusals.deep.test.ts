import { expect } from 'vitest'
import { loggedIn } from '../../../sandbox/service.ts'
import { browserTest } from '../../../support/browser.ts'
import { ESTIMATED, openAction, openPayment } from '../open-payment.ts'

browserTest.for([
  ['Refund', 'tok_autocapture', '10.01', 'That is more than the 10.00 EUR that is left.'],
  ['Refund', 'tok_autocapture', '5.00 USD', 'Amount is in USD, but the currency is EUR.'],
  ['Refund', 'tok_autocapture', '0', 'Amount is zero.'],
  ['Refund', 'tok_autocapture', '1.234', '"1.234" has too many decimals. EUR has 2 decimals.'],
  ['Refund', 'tok_autocapture', '1,5', 'has a comma; decimals follow a point.'],
  ['Refund', 'tok_autocapture', '-1', 'has a sign.'],
  ['Refund', 'tok_autocapture', '5', '5.00 EUR or 0.05 EUR? Type one of them.'],
  ['Refund', 'tok_autocapture', 'the rest', 'is not an amount.'],
  ['Capture', 'tok_visa', '10.01', 'That is more than the 10.00 EUR that is left.'],
  ['Adjust', 'tok_visa', '', 'New amount is empty.'],
  ['Adjust', 'tok_visa', '0.00', 'New amount is zero.'],
] as const)('%s (%s) of "%s" sends nothing', async ([action, token, text, words], { browser }) => {
  const { served, page } = await openPayment(browser, token, { more: action === 'Adjust' ? ESTIMATED : {} })
  const before = await loggedIn(served, 10)
  const { dialog, fill, confirm, alert } = await openAction(page, action)
  await fill('Amount', text)
  await confirm()
  expect(await alert.textContent()).toContain(words)
  expect(await alert.textContent()).not.toContain('..')
  expect(await dialog.getByLabel('Amount').getAttribute('aria-invalid')).toBe('true')
  expect(await loggedIn(served, 10)).toEqual(before)
})

browserTest('a refusal of the service is an alert, and the dialog stays', async ({ browser }) => {
  const { page, read } = await openPayment(browser, 'tok_nopartial')
  const { dialog, fill, confirm, alert } = await openAction(page, 'Capture')
  await fill('Amount', '4.00')
  await confirm()
  expect(await alert.textContent()).toMatch(/partial/i)
  expect(await dialog.getByLabel('Amount').inputValue()).toBe('4.00')
  expect(await read()).toMatchObject({ status: 'AUTHORIZED' })
  await fill('Amount', '')
  await confirm()
  await dialog.waitFor({ state: 'detached' })
  expect(await read()).toMatchObject({ status: 'SETTLED' })
})

browserTest('a resume without an answer says what is missing', async ({ browser }) => {
  const { page } = await openPayment(browser, 'tok_3ds')
  const { confirm, alert, fill } = await openAction(page, 'Resume')
  await confirm()
  expect(await alert.textContent()).toContain('Answer for the customer first')
  await fill('Resume token', 'x'.repeat(36))
  await confirm()
  await expect.poll(() => alert.textContent()).toMatch(/resume ?token/i)
})

browserTest('a payment that changed in the meantime is refused by the service', async ({ browser }) => {
  const { served, page, id, moved } = await openPayment(browser, 'tok_autocapture')
  const { fill, confirm, alert, dialog } = await openAction(page, 'Refund')
  await fill('Amount', '6.00')
  await served.ok('POST', `/payments/${id}/refund`, { amount: 500 })
  await dialog.getByText('exceeds the available amount by 1.00 EUR').waitFor()
  await confirm()
  expect(await alert.textContent()).toContain('That is more than the 5.00 EUR that is left')
  expect(await moved('amountRefunded')).toBe(500)
})

browserTest('an unknown payment has a page that says so', async ({ browser }) => {
  const { served, page } = await openPayment(browser, 'tok_visa')
  await page.goto(served.at('/dashboard/payments/NOTHING'))
  await page.getByText('The sandbox has no payment with this ID.').waitFor()
})
