import { expect } from 'vitest'
import { browserTest, expectAccessible, expectFitsWidth, WIDTHS } from '../../../../support/browser.ts'
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

browserTest('a list says which rows it shows while the next ones load', async ({ browser }) => {
  const served = await openPages()
  await fill(served, 60)
  const page = await browser.open(served.at('/dashboard/payments'))
  await page.getByText('1 to 50 of 60').waitFor()
  let letGo = (): void => undefined
  const isFree = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await page.route(/offset=50/, async (route) => {
    await isFree
    await route.continue()
  })
  await page.getByRole('button', { name: 'Next' }).click()
  await page.waitForURL(/offset=50/)
  expect(await page.getByText('1 to 50 of 60').isVisible()).toBe(true)
  letGo()
  await page.getByText('51 to 60 of 60').waitFor()
})
