import { expect } from 'vitest'
import { browserTest } from '../../../support/browser.ts'
import { openPages } from '../served-pages.ts'

browserTest('on a phone, the navigation shows the link of the current page', async ({ browser }) => {
  const { at } = await openPages()
  const page = await browser.open(at('/dashboard/settings'), { width: 320 })
  const isInView = async (name: string) => {
    const box = await page.getByRole('link', { name, exact: true }).boundingBox()
    return box !== null && box.x >= 0 && box.x + box.width <= 320
  }
  await page.getByRole('heading', { name: 'Settings' }).waitFor()
  await expect.poll(() => isInView('Settings')).toBe(true)
  expect(await isInView('Payments')).toBe(false)
  await page.goto(at('/dashboard'))
  await expect.poll(() => isInView('Payments')).toBe(true)
})
