import { expect } from 'vitest'
import { browserTest, expectAccessible, expectFitsWidth, WIDTHS } from '../../../support/browser.ts'
import type { Page } from '../../../support/browser.ts'
import { createSpawnBench } from '../../../support/spawn-pay.ts'
import { textAt, tokenized } from '../../../sandbox/service.ts'
import { openPages } from '../../served-pages.ts'

const rowsOf = async (page: Page) => {
  const rows = await page.getByRole('table', { name: 'Sessions' }).getByRole('row').all()
  return Promise.all(
    rows.slice(1).map(async (row) => (await row.getByRole('cell').allInnerTexts()).join(' | ')),
  )
}

browserTest('shows each session with its state, amount, order, payment and expiry', async ({ browser }) => {
  const served = await openPages()
  const session = await served.ok('POST', '/client-session', {
    orderId: 'A-1',
    currencyCode: 'EUR',
    amount: 4990,
  })
  const paymentMethodToken = await tokenized(served, {
    card: '4111111111111111',
    clientToken: textAt(session, 'clientToken'),
  })
  const payment = textAt(await served.ok('POST', '/payments', { paymentMethodToken }), 'id')
  const page = await browser.open(served.at('/dashboard/sessions'))
  await page.getByRole('link', { name: payment }).waitFor()
  expect(await rowsOf(page)).toEqual([
    expect.stringMatching(
      new RegExp(String.raw`49\.90 EUR \| Paid \| A-1 \| – \| ${payment} \| Authorized.* \| 2026-03-05 `),
    ),
  ])
  await page.getByRole('link', { name: payment }).click()
  await page.getByRole('heading', { name: payment }).waitFor()
})

browserTest(
  'makes a session and opens its checkout, with the token in the fragment only',
  async ({ browser }) => {
    const served = await openPages()
    const page = await browser.open(served.at('/dashboard/sessions'))
    await page.getByText('No sessions yet.').waitFor()
    const [checkout] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('button', { name: 'New session' }).click(),
    ])
    await checkout.waitForURL(/\/checkout#/)
    const { hash, search, pathname } = new URL(checkout.url())
    expect([pathname, search]).toEqual(['/checkout', ''])
    await expect
      .poll(() => rowsOf(page))
      .toEqual([expect.stringContaining('49.90 EUR | Open | demo-1 | demo-customer')])
    expect(await served.ok('GET', `/client-session?clientToken=${hash.slice(1)}`)).toMatchObject({
      amount: 4990,
    })
    expect(await page.getByRole('link', { name: 'Open its checkout' }).getAttribute('href')).toBe(
      `/checkout${hash}`,
    )
  },
)

browserTest(
  'follows other processes, searches, pages, and keeps both in the address',
  async ({ browser }) => {
    const served = await openPages()
    for (let number = 0; number < 51; number += 1)
      await served.ok('POST', '/client-session', { orderId: `o-${number}`, currencyCode: 'EUR', amount: 1 })
    const page = await browser.open(served.at('/dashboard/sessions'))
    await page.getByText('1 to 50 of 51').waitFor()
    const bench = createSpawnBench()
    const env = { PAY_BASE_URL: served.server.url, PAY_API_KEY: 'sandbox_all' }
    await bench.pay('session create --order-id live-1 --amount 100 --currency EUR', { env })
    bench.dispose()
    await page.getByText('1 to 50 of 52').waitFor()
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByText('51 to 52 of 52').waitFor()
    await page.reload()
    await page.getByText('51 to 52 of 52').waitFor()
    await page.getByRole('searchbox', { name: 'Search sessions' }).fill('LIVE')
    await page.getByText('1 to 1 of 1').waitFor()
    expect(await rowsOf(page)).toEqual([expect.stringContaining('live-1')])
    await page.reload()
    await page.getByText('1 to 1 of 1').waitFor()
  },
)

browserTest('works by keyboard, on a phone, and in both themes', async ({ browser }) => {
  const served = await openPages()
  const page = await browser.open(served.at('/dashboard/sessions'))
  await page.getByText('No sessions yet.').waitFor()
  await expectAccessible(page)
  await page.getByRole('heading', { name: 'Sessions' }).focus()
  await page.keyboard.press('Tab')
  await Promise.all([page.context().waitForEvent('page'), page.keyboard.press('Enter')])
  await page.getByText('1 to 1 of 1').waitFor()
  await expectAccessible(page)
  for (const width of Object.values(WIDTHS)) await expectFitsWidth(page, width)
})
