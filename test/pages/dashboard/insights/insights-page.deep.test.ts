import { expect } from 'vitest'
import { browserTest, expectAccessible, expectFitsWidth, WIDTHS } from '../../../support/browser.ts'
import type { Page } from '../../../support/browser.ts'
import { createSpawnBench } from '../../../support/spawn-pay.ts'
import { control } from '../../../sandbox/controls/call-control.ts'
import { fillWithPayments } from '../../../sandbox/controls/payments-to-count.ts'
import { createPayment, HOUR_MS, settledPayment, advance } from '../../../sandbox/service.ts'
import { openPages } from '../../served-pages.ts'

const combo = (page: Page, name: string) => page.getByRole('combobox', { name, exact: true })
const table = (page: Page, currency: string) => page.getByRole('table', { name: currency, exact: true })

async function cellsOf(page: Page, currency: string): Promise<readonly (readonly string[])[]> {
  await table(page, currency).waitFor()
  const rows = await table(page, currency).getByRole('row').all()
  return Promise.all(rows.slice(1).map((row) => row.getByRole('cell').allInnerTexts()))
}

browserTest(
  'shows one currency at a time, in a table with the columns of `pay insights`',
  async ({ browser }) => {
    const served = await openPages()
    await settledPayment(served)
    await createPayment(served, 'tok_visa', { amount: 4990 })
    await createPayment(served, 'tok_declined')
    await createPayment(served, 'tok_visa', { currencyCode: 'USD' })
    const page = await browser.open(served.at('/dashboard/insights'))
    await table(page, 'EUR').waitFor()
    expect(await table(page, 'EUR').getByRole('columnheader').allInnerTexts()).toEqual(
      'Status Count Rate Net Captured Refunded Authorized Approved Declined Failed'.split(' '),
    )
    expect(await cellsOf(page, 'EUR')).toEqual(
      [
        ['Authorized', '1', '100.0 %', '0.00', '0.00', '0.00', '49.90', '1', '0', '0'],
        ['Declined', '1', '0.0 %', '0.00', '0.00', '0.00', '0.00', '0', '1', '0'],
        ['Settled', '1', '100.0 %', '10.00', '10.00', '0.00', '10.00', '1', '0', '0'],
      ].map((row) => row.map((cell) => expect.stringContaining(cell))),
    )
    expect(await page.getByRole('region', { name: 'Summary' }).innerText()).toContain('66.7 %')
    expect(await table(page, 'USD').count()).toBe(0)
    await combo(page, 'Currency').selectOption('USD')
    await table(page, 'USD').waitFor()
    expect(await table(page, 'EUR').count()).toBe(0)
    expect(new URL(page.url()).searchParams.get('currency')).toBe('USD')
  },
)

browserTest('shows what is unknown as a dash that says why', async ({ browser }) => {
  const served = await openPages()
  await fillWithPayments(served)
  const page = await browser.open(served.at('/dashboard/insights?by=source&currency=JPY'))
  const [row = []] = await cellsOf(page, 'JPY')
  expect([row[0], row[5]]).toEqual(['External records', '–'])
  expect(await table(page, 'JPY').getByTitle('No record says how much was refunded').count()).toBe(1)
})

browserTest.for(['status', 'processor', 'reason', 'day'])(
  'counts by %s lead to that many payments',
  async (by, { browser }) => {
    const served = await openPages()
    await fillWithPayments(served)
    const address = `/dashboard/insights?by=${by}&currency=EUR&period=custom&from=2026-01-01&to=2026-03-31`
    const page = await browser.open(served.at(address))
    await table(page, 'EUR').waitFor()
    const links = await page.getByRole('main').getByRole('link', { name: /^\d+$/ }).all()
    expect(links.length).toBeGreaterThan(3)
    const counts = await table(page, 'EUR')
      .getByRole('cell', { name: /^[1-9]\d*$/ })
      .all()
    for (const cell of counts) expect(await cell.getByRole('link').count()).toBe(1)
    for (const link of links) {
      // The list of payments has the parameters of its address.
      const { search } = new URL((await link.getAttribute('href')) ?? '', served.at('/'))
      const { body } = await control(served, 'GET', `/sandbox/records${search}`)
      expect(String(body['total'])).toBe(await link.innerText())
    }
  },
)

browserTest('compares a period with the one before it, in words', async ({ browser }) => {
  const served = await openPages()
  await createPayment(served, 'tok_visa')
  await advance(served, 30 * HOUR_MS)
  for (const token of ['tok_visa', 'tok_visa', 'tok_declined']) await createPayment(served, token)
  const page = await browser.open(served.at('/dashboard/insights'))
  await combo(page, 'Period').selectOption('24h')
  const summary = page.getByRole('region', { name: 'Summary' })
  await summary.getByText('2 more (1 in the 24 hours before)').waitFor()
  expect(await summary.innerText()).toContain('33.3 points lower (100.0 % in the 24 hours before)')
  expect(await summary.innerText()).toContain('10.00 more (10.00 in the 24 hours before)')
  const rows = await cellsOf(page, 'EUR')
  expect(rows.map(([, count, before, change]) => [count, before, change])).toEqual([
    ['2', '1', '1 more'],
    ['1', '0', '1 more'],
  ])
  await table(page, 'EUR').getByRole('cell').getByRole('link', { name: '1', exact: true }).first().click()
  await page.getByText('1 payment', { exact: true }).waitFor()
})

browserTest('keeps what was chosen through a reload and the back button', async ({ browser }) => {
  const served = await openPages()
  await fillWithPayments(served)
  const page = await browser.open(served.at('/dashboard/insights'))
  await combo(page, 'Group by').selectOption('processor')
  await page.getByRole('heading', { name: 'By processor' }).waitFor()
  await combo(page, 'Currency').selectOption('JPY')
  await combo(page, 'Period').selectOption('custom')
  await page.getByRole('textbox', { name: 'From' }).fill('2026-01-04')
  await page.getByRole('textbox', { name: 'To' }).fill('2026-01-04')
  await expect.poll(() => cellsOf(page, 'JPY')).toHaveLength(1)
  await page.reload()
  expect((await cellsOf(page, 'JPY'))[0]?.slice(0, 2)).toEqual([String.raw`back\slash`, '1'])
  expect(await combo(page, 'Group by').inputValue()).toBe('processor')
  await page.goBack()
  await page.goBack()
  await table(page, 'EUR').waitFor()
  expect(await combo(page, 'Group by').inputValue()).toBe('processor')
})

browserTest('draws count and volume over time, and has the same figures as a table', async ({ browser }) => {
  const served = await openPages()
  await fillWithPayments(served)
  const page = await browser.open(served.at('/dashboard/insights?currency=EUR'))
  const chart = page.getByRole('img', {
    name: /^Payments by day, in EUR: 5 with payments from 2026-01-01 to /,
  })
  await chart.waitFor()
  await page.getByText(/^Most on 2026-/).waitFor()
  await chart.locator('[data-index="0"]').first().hover()
  await page.getByText('2026-01-01: 1 payment, 7.00 EUR authorized').waitFor()
  await page.getByText('Figures of the chart').click()
  const days = page.getByRole('table', { name: 'Payments by day' })
  expect(await days.getByRole('row').nth(1).getByRole('cell').allInnerTexts()).toEqual([
    '2026-01-01',
    '1',
    '7.00',
  ])
})

browserTest('follows a `pay` command in another process', async ({ browser }) => {
  const served = await openPages()
  await createPayment(served, 'tok_visa')
  const page = await browser.open(served.at('/dashboard/insights'))
  expect((await cellsOf(page, 'EUR'))[0]?.[1]).toBe('1')
  const bench = createSpawnBench()
  const env = { PAY_BASE_URL: served.server.url, PAY_API_KEY: 'sandbox_all' }
  const line = [
    'payment',
    'create',
    '--token',
    'tok_visa',
    '--amount',
    '5.00 EUR',
    '--order-id',
    'o',
    '--yes',
  ]
  expect((await bench.pay(line, { env })).exitCode).toBe(0)
  await expect.poll(async () => (await cellsOf(page, 'EUR'))[0]?.[1]).toBe('2')
  bench.dispose()
})

browserTest('works by keyboard, on a phone, in both themes, and without payments', async ({ browser }) => {
  const served = await openPages()
  const page = await browser.open(served.at('/dashboard/insights'))
  await page.getByText('No payments in this period.').waitFor()
  await expectAccessible(page)
  await fillWithPayments(served)
  await page.goto(served.at('/dashboard/insights?period=90d&currency=EUR'))
  await table(page, 'EUR').waitFor()
  for (const width of Object.values(WIDTHS)) await expectFitsWidth(page, width)
  await expectAccessible(page)
  await combo(page, 'Group by').focus()
  await page.keyboard.press('m')
  await page.getByRole('heading', { name: 'By method' }).waitFor()
  await page.getByText('Figures of the chart').focus()
  await page.keyboard.press('Enter')
  await page.getByRole('table', { name: 'Payments by day' }).waitFor()
  await expectAccessible(page)
})
