import { expect } from 'vitest'
import { browserTest } from '../../../support/browser.ts'
import { openPages } from '../served-pages.ts'

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
