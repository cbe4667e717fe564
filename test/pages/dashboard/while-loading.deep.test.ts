import { expect } from 'vitest'
import { browserTest } from '../../support/browser.ts'
import type { Page } from '../../support/browser.ts'
import { createPayment, settledPayment, textAt } from '../../sandbox/service.ts'
import { openPages } from '../served-pages.ts'
import { fill } from './payments/records.ts'

/** Keeps the answers to requests back until they are let go. */
async function hold(page: Page, address: RegExp): Promise<() => void> {
  let letGo = (): void => undefined
  const isFree = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await page.route(address, async (route) => {
    await isFree
    await route.continue()
  })
  return letGo
}

browserTest('a list says which rows it shows', async ({ browser }) => {
  const served = await openPages()
  await fill(served, 60)
  const page = await browser.open(served.at('/dashboard/payments'))
  await page.getByText('1 to 50 of 60').waitFor()
  const letGo = await hold(page, /offset=50/)
  await page.getByRole('button', { name: 'Next' }).click()
  await page.waitForURL(/offset=50/)
  expect(await page.getByText('1 to 50 of 60').isVisible()).toBe(true)
  letGo()
  await page.getByText('51 to 60 of 60').waitFor()
})

browserTest('lists that found nothing never say that there is nothing', async ({ browser }) => {
  const served = await openPages()
  await createPayment(served, 'tok_visa')
  await served.ok('POST', '/client-session', { orderId: 'A-1', currencyCode: 'EUR', amount: 4990 })
  for (const [path, matches, none, table] of [
    ['payments?search=zzz', 'No payment matches.', 'No payments yet.', 'Payments'],
    ['sessions?search=zzz', 'Nothing matches.', 'No sessions yet.', 'Sessions'],
  ] as const) {
    const page = await browser.open(served.at(`/dashboard/${path}`))
    await page.getByText(matches).waitFor()
    const letGo = await hold(page, /\/sandbox\/(?:records|sessions)\?/)
    await page.getByRole('searchbox').fill('')
    await page.waitForURL((url) => !url.search.includes('zzz'))
    expect(await page.getByText(none).count()).toBe(0)
    letGo()
    await page.getByRole('table', { name: table }).waitFor()
  }
})

browserTest('the requests of one payment are never those of another', async ({ browser }) => {
  const served = await openPages()
  const id = await settledPayment(served)
  const other = textAt(await createPayment(served, 'tok_visa'), 'id')
  const page = await browser.open(served.at(`/dashboard/requests?payment=${id}`))
  const link = page.getByRole('link', { name: `POST /payments/${id}/capture` })
  await link.waitFor()
  const letGo = await hold(page, new RegExp(`/sandbox/requests.*${other}`))
  await page.evaluate(
    `history.pushState(null, '', '?payment=${other}'); dispatchEvent(new PopStateEvent('popstate'))`,
  )
  await page.getByText(`Only payment ${other}`).waitFor()
  expect(await link.count()).toBe(0)
  letGo()
  await page.getByRole('link', { name: 'POST /payments', exact: true }).waitFor()
})

browserTest('figures are compared with the period before theirs', async ({ browser }) => {
  const served = await openPages()
  await createPayment(served, 'tok_visa')
  const page = await browser.open(served.at('/dashboard/insights?period=7d'))
  const summary = page.getByRole('region', { name: 'Summary' })
  await summary.waitFor()
  const before = await summary.innerText()
  const letGo = await hold(page, /\/sandbox\/insights\?/)
  await page.getByRole('combobox', { name: 'Period' }).selectOption('30d')
  await page.waitForURL(/period=30d/)
  expect(await summary.innerText()).toBe(before)
  letGo()
  await expect.poll(() => summary.innerText()).not.toBe(before)
})
