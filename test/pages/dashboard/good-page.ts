import { expectAccessible, expectFitsWidth, WIDTHS } from '../../support/browser.ts'
import type { Page } from '../../support/browser.ts'

export async function expectGood(page: Page): Promise<void> {
  await expectFitsWidth(page, WIDTHS.phone)
  await expectFitsWidth(page, WIDTHS.desktop)
  await expectAccessible(page)
}
