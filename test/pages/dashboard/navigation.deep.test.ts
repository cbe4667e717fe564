import { expect } from 'vitest'
import { browserTest } from '../../support/browser.ts'
import { createPayment } from '../../sandbox/service.ts'
import { createSession } from '../checkout/open-checkout.ts'
import { openPages } from '../served-pages.ts'
import { expectGood } from './good-page.ts'

browserTest('on a phone, every link of the navigation shows', async ({ browser }) => {
  const { at } = await openPages()
  const page = await browser.open(at('/dashboard'), { width: 320 })
  const links = await page.getByRole('navigation').getByRole('link').all()
  expect(links).toHaveLength(9)
  for (const link of links) {
    const box = await link.boundingBox()
    expect(box !== null && box.x >= 0 && box.x + box.width <= 320).toBe(true)
  }
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
