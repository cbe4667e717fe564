import { expect } from 'vitest'
import { browserTest, expectAccessible, expectFitsWidth, WIDTHS } from '../../../support/browser.ts'
import type { Page } from '../../../support/browser.ts'
import { createPayment, textAt, addFault } from '../../../sandbox/service.ts'
import type { Service } from '../../../sandbox/service.ts'
import { openPages } from '../../served-pages.ts'

const save = async (service: Service, customerId: string, token = 'tok_visa') =>
  textAt(
    await createPayment(service, token, { customerId, paymentMethod: { vaultOnSuccess: true } }),
    'paymentMethod',
    'paymentMethodToken',
  )

const rowsOf = async (page: Page) => {
  const rows = await page.getByRole('table', { name: 'Saved methods' }).getByRole('row').all()
  return Promise.all(
    rows.slice(1).map(async (row) => (await row.getByRole('cell').allInnerTexts()).slice(0, 5).join(' | ')),
  )
}

browserTest('makes a method the default, and deletes one, each after a question', async ({ browser }) => {
  const served = await openPages()
  await save(served, 'anna')
  await save(served, 'anna', 'tok_mastercard')
  await save(served, 'ben')
  const page = await browser.open(served.at('/dashboard/methods'))
  await page.getByRole('table').waitFor()
  expect(await rowsOf(page)).toEqual([
    'anna | Mastercard ending in 4444 | Card |  | yes',
    'anna | Visa ending in 1111 | Card |  | yes',
    'ben | Visa ending in 1111 | Card |  | yes',
  ])
  await page.getByRole('button', { name: 'Make default: MASTERCARD ending in 4444 of anna' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Later payments of customer anna use it').waitFor()
  await dialog.getByRole('button', { name: 'Make default' }).click()
  await expect.poll(async () => (await rowsOf(page))[0]).toContain('| Default |')

  const deletion = page.getByRole('button', { name: 'Delete: VISA ending in 1111 of anna' })
  await deletion.click()
  await dialog.getByText("You can't undo this.").waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  expect(await rowsOf(page)).toHaveLength(3)
  await expect
    .poll(() => page.evaluate('document.activeElement.getAttribute("aria-label")'))
    .toMatch(/^Delete: VISA/)
  await deletion.click()
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect.poll(() => rowsOf(page)).toHaveLength(2)
  const { data } = await served.ok('GET', '/payment-instruments?customer_id=anna')
  expect(data).toMatchObject([{ description: 'MASTERCARD ending in 4444', default: true }])
})

browserTest('shows a refusal in the dialog', async ({ browser }) => {
  const served = await openPages()
  const token = await save(served, 'anna')
  const page = await browser.open(served.at('/dashboard/methods'))
  await page.getByRole('button', { name: 'Delete: VISA ending in 1111 of anna' }).click()
  await addFault(served, {
    on: '* /payment-instruments/**',
    do: 'status=503',
    rate: 1,
    seed: 1,
    times: 1,
    skip: 0,
  })
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await dialog.getByRole('alert').waitFor()
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('No saved methods yet.').waitFor()
  expect(await served.call('POST', `/payment-instruments/${token}/default`)).toMatchObject({ status: 400 })
})

browserTest('filters by customer in the address, fits a phone, and is accessible', async ({ browser }) => {
  const served = await openPages()
  await save(served, 'anna')
  await save(served, 'ben')
  const page = await browser.open(served.at('/dashboard/methods'))
  await page.getByRole('searchbox', { name: 'Customer' }).fill('BEN')
  await expect.poll(() => rowsOf(page)).toEqual([expect.stringMatching(/^ben/)])
  await page.reload()
  await expect.poll(() => rowsOf(page)).toEqual([expect.stringMatching(/^ben/)])
  for (const width of Object.values(WIDTHS)) await expectFitsWidth(page, width)
  await expectAccessible(page)
  await page.getByRole('button', { name: /^Delete/ }).click()
  await page.getByRole('dialog').waitFor()
  await expectAccessible(page)
  await expectFitsWidth(page, 320)
})

browserTest(
  'the buttons of a method stay on the page, whatever its customer is called',
  async ({ browser }) => {
    const served = await openPages()
    await save(served, 'c'.repeat(60))
    for (const width of [WIDTHS.tablet, WIDTHS.desktop]) {
      const page = await browser.open(served.at('/dashboard/methods'), { width })
      await page.getByRole('button', { name: /^Delete:/ }).waitFor()
      const frame = 'document.querySelector(".table-frame")'
      expect(await page.evaluate(`${frame}.scrollWidth - ${frame}.clientWidth`)).toBe(0)
    }
  },
)
