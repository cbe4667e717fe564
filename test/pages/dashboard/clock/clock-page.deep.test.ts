import { expect } from 'vitest'
import { showTime } from '../../../../src/sandbox/controls/clock.ts'
import { browserTest, expectAccessible, expectFitsWidth, WIDTHS } from '../../../support/browser.ts'
import { createPayment, settledPayment, textAt } from '../../../sandbox/service.ts'
import { openPages } from '../../served-pages.ts'

browserTest('the clock shows its time, and moves it forward', async ({ browser }) => {
  const { at, sandbox } = await openPages()
  const page = await browser.open(at('/dashboard/clock'))
  await page.getByText('2026-03-04 05:06:').waitFor()
  await page.getByText("the same as this machine's clock").waitFor()
  await page.getByLabel('Duration').fill('1h30m')
  await page.getByRole('button', { name: 'Advance' }).click()
  await page.getByText('1h 30m ahead').waitFor()
  await page.getByText('2026-03-04 06:36:').first().waitFor()
  expect(await page.getByLabel('Duration').inputValue()).toBe('')
  expect(await sandbox.read(showTime)).toMatchObject({ offsetMs: 5_400_000 })
})

browserTest('it lists the payments that it will change, and changes them', async ({ browser }) => {
  const served = await openPages()
  const voucher = textAt(await createPayment(served, 'tok_voucher'), 'id')
  const refunded = await settledPayment(served, 'tok_refund_fails')
  await served.ok('POST', `/payments/${refunded}/refund`, { amount: 300 })
  const page = await browser.open(served.at('/dashboard/clock'))
  const rows = page.getByRole('table', { name: 'What the clock will change' }).getByRole('row')
  await expect.poll(() => rows.count()).toBe(3)
  const text = (await rows.allTextContents()).join('\n')
  expect(text).toMatch(/Payment.*Pending.*becomes.*Authorized.*10\.00 EUR.*order-1/)
  expect(text).toMatch(/Refund.*Pending.*becomes.*Failed.*3\.00 EUR/)
  expect(await page.getByRole('link', { name: voucher }).getAttribute('href')).toBe(
    `/dashboard/payments/${voucher}`,
  )
  await expectAccessible(page)
  for (const width of Object.values(WIDTHS)) await expectFitsWidth(page, width)
  await page.getByLabel('Duration').fill('2h')
  await page.keyboard.press('Enter')
  await page.getByText('Nothing is due.').waitFor()
  expect(await served.ok('GET', `/payments/${voucher}`)).toMatchObject({ status: 'AUTHORIZED' })
})

browserTest('a payment made elsewhere appears', async ({ browser }) => {
  const served = await openPages()
  const page = await browser.open(served.at('/dashboard/clock'))
  await page.getByText('Nothing is due.').waitFor()
  const id = textAt(await createPayment(served, 'tok_ideal'), 'id')
  await page.getByRole('link', { name: id }).waitFor()
})

browserTest('a refused duration says what is wrong', async ({ browser }) => {
  const { at, sandbox } = await openPages()
  const page = await browser.open(at('/dashboard/clock'))
  const duration = page.getByLabel('Duration')
  await duration.fill('soon')
  await page.getByRole('button', { name: 'Advance' }).click()
  await page.getByText('must be a duration such as 90m, 2h or 1h30m').waitFor()
  expect(await duration.getAttribute('aria-invalid')).toBe('true')
  expect(await duration.inputValue()).toBe('soon')
  await expectAccessible(page)
  expect(await sandbox.read(showTime)).toMatchObject({ offsetMs: 0 })
})
