import { expect } from 'vitest'
import { browserTest, expectAccessible, expectFitsWidth, WIDTHS } from '../../../support/browser.ts'
import type { Page } from '../../../support/browser.ts'
import { at, createPayment, textAt } from '../../service.ts'
import { createSession } from '../checkout/open-checkout.ts'
import { openPages } from '../served-pages.ts'
import { openAction } from './open-payment.ts'

async function expectGood(page: Page): Promise<void> {
  await expectFitsWidth(page, WIDTHS.phone)
  await expectFitsWidth(page, WIDTHS.desktop)
  await expectAccessible(page)
}

browserTest('a payment is found, and a part of it refunded once', async ({ browser }) => {
  const served = await openPages()
  const id = textAt(await createPayment(served, 'tok_autocapture'), 'id')
  const page = await browser.open(served.at('/dashboard'))
  await page.getByRole('link', { name: id }).waitFor()
  await expectGood(page)

  await page.getByRole('link', { name: id }).click()
  await page.getByRole('heading', { name: id, exact: true }).waitFor()
  const { dialog, fill, confirm } = await openAction(page, 'Refund')
  await fill('Amount', '3.50')
  expect(await dialog.getByText('3.50 EUR = 350').count()).toBe(1)
  await expectAccessible(page)
  await confirm()
  await dialog.waitFor({ state: 'detached' })
  const payment = await served.ok('GET', `/payments/${id}`)
  expect(at(payment, 'processor', 'amountRefunded')).toBe(350)
  await page.getByText('6.50 EUR').first().waitFor()
  await expectGood(page)
})

/** Each page, and something that only it has. */
const PAGES = [
  ['Insights', 'table', 'EUR'],
  ['Requests', 'table', 'Requests'],
  ['Sessions', 'table', 'Sessions'],
  ['Saved methods', 'main', ''],
  ['Faults', 'button', 'Add'],
  ['Clock', 'button', 'Advance'],
  ['Scenarios', 'table', 'Cards and tokens'],
  ['Settings', 'combobox', '3D Secure'],
] as const

browserTest('every other page opens from the navigation, with its content', async ({ browser }) => {
  const served = await openPages()
  await createPayment(served, 'tok_visa')
  await createSession(served)
  const page = await browser.open(served.at('/dashboard'))
  for (const [name, role, label] of PAGES) {
    await page.getByRole('link', { name, exact: true }).click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
    await page.getByRole(role, { name: label }).first().waitFor()
    await expectGood(page)
  }
})
