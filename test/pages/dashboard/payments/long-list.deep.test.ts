import { expect } from 'vitest'
import { browserTest, expectAccessible, expectFitsWidth, WIDTHS } from '../../../support/browser.ts'
import { openPages } from '../../served-pages.ts'
import { fill, ids } from './records.ts'

browserTest('a long list has pages, which the address and the way back keep', async ({ browser }) => {
  const served = await openPages()
  await fill(served, 120)
  const page = await browser.open(served.at('/dashboard/payments'))
  await page.getByText('120 payments').waitFor()
  expect(await ids(page)).toHaveLength(50)
  await page.getByText('1 to 50 of 120').waitFor()
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByText('51 to 100 of 120').waitFor()
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByText('101 to 120 of 120').waitFor()
  expect((await ids(page)).at(-1)).toBe('ext-000')
  await page.getByRole('link', { name: 'ext-010', exact: true }).click()
  await page.getByRole('heading', { name: 'ext-010' }).waitFor()
  await page.goBack()
  await page.getByText('101 to 120 of 120').waitFor()
  await page.reload()
  await page.getByRole('link', { name: 'ext-010', exact: true }).waitFor()
  for (const width of Object.values(WIDTHS)) await expectFitsWidth(page, width)
  await expectAccessible(page)
  await page.getByRole('combobox', { name: 'Source' }).selectOption('external')
  await page.getByText('1 to 50 of 120').waitFor()
})
