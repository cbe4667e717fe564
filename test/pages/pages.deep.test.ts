import { browserTest, expectAccessible, expectFitsWidth, WIDTHS } from '../support/browser.ts'
import { openPages } from './served-pages.ts'

browserTest.for([
  ['/dashboard', 'Payments'],
  ['/checkout', 'Checkout'],
] as const)(
  '%s opens in a browser, fits a phone, and is accessible',
  async ([path, heading], { browser }) => {
    const { at } = await openPages()
    const page = await browser.open(at(path))
    await page.getByRole('heading', { name: heading }).waitFor()
    for (const width of Object.values(WIDTHS)) await expectFitsWidth(page, width)
    await expectAccessible(page)
  },
)
