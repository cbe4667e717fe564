import { expect } from 'vitest'
import { browserTest, expectAccessible, expectFitsWidth, WIDTHS } from '../../../support/browser.ts'
import type { Page } from '../../../support/browser.ts'
import { createSpawnBench } from '../../../support/spawn-pay.ts'
import { createPayment, settledPayment, textAt, addFault, tokenized } from '../../../sandbox/service.ts'
import { openPages } from '../../served-pages.ts'

const table = (page: Page) => page.getByRole('table', { name: 'Requests' })
const linksIn = (page: Page) => table(page).getByRole('link')

browserTest('has a row for each request, newest first, named by method and path', async ({ browser }) => {
  const served = await openPages()
  const id = await settledPayment(served)
  await addFault(served, {
    on: '* /payments/*/refund',
    do: 'status=503',
    rate: 1,
    seed: 1,
    times: 1,
    skip: 0,
  })
  await served.call('POST', `/payments/${id}/refund`)
  await served.call('POST', `/payments/${id}/cancel`)
  const page = await browser.open(served.at('/dashboard/requests'))
  await linksIn(page).first().waitFor()
  expect(await linksIn(page).allInnerTexts()).toEqual([
    `POST /payments/${id}/cancel`,
    `POST /payments/${id}/refund`,
    `POST /payments/${id}/capture`,
    'POST /payments',
  ])
  const cells = (row: number) => table(page).getByRole('row').nth(row).getByRole('cell').allInnerTexts()
  expect((await cells(1)).join(' ')).toMatch(/400 InvalidPaymentStatus – no \d+ ms sandbox_all 2026-03-04/)
  expect((await cells(2)).join(' ')).toMatch(/503 status=503 no/)
})

browserTest('opens headers and bodies, indented and without secrets', async ({ browser }) => {
  const served = await openPages()
  const token = await tokenized(served, { card: '4111111111111111' })
  const payment = await createPayment(served, token, { metadata: { big: 12345678901234 } })
  const page = await browser.open(served.at('/dashboard/requests'))
  await linksIn(page).first().click()
  const dialog = page.getByRole('dialog', { name: 'POST /payments' })
  await dialog.getByRole('group', { name: 'Request body' }).waitFor()
  const sent = await dialog.getByRole('group', { name: 'Request body' }).innerText()
  expect(sent).toContain('{\n  "paymentMethodToken": "{paymentMethodToken}",\n')
  expect(await dialog.getByRole('group', { name: 'Response body' }).innerText()).toContain(
    `"id": "${textAt(payment, 'id')}"`,
  )
  expect(await dialog.innerText()).toContain('{x-api-key}')
  expect(await page.content()).not.toContain(token)
  await dialog.getByRole('button', { name: 'Copy as pay' }).click()
  await dialog.getByText('The log keeps no tokens or card data').waitFor()
  await page.reload()
  await page.getByRole('dialog', { name: 'POST /payments' }).waitFor()
  await page.getByRole('link', { name: textAt(payment, 'id') }).click()
  await page.getByRole('heading', { name: textAt(payment, 'id') }).waitFor()
})

browserTest('says why a request has no bodies', async ({ browser }) => {
  const served = await openPages()
  for (let count = 0; count < 21; count += 1) await served.ok('GET', '/payments')
  await served.call('GET', `/payments/${'x'.repeat(20)}`)
  const page = await browser.open(served.at('/dashboard/requests'))
  await linksIn(page).first().click()
  await page.getByText('kept for the first 20 requests of each second').waitFor()
  expect(await page.getByRole('button', { name: 'Copy as curl' }).isDisabled()).toBe(true)
})

browserTest(
  'filters by words, outcome, method and payment, and keeps the filter in the address',
  async ({ browser }) => {
    const served = await openPages()
    const id = await settledPayment(served)
    const other = await settledPayment(served)
    await served.call('POST', `/payments/${id}/cancel`)
    const page = await browser.open(served.at('/dashboard/requests'))
    await page.getByRole('searchbox', { name: 'Search requests' }).fill(`post ${other}`)
    await expect
      .poll(() => linksIn(page).allInnerTexts())
      .toEqual([`POST /payments/${other}/capture`, 'POST /payments'])
    await page.reload()
    await expect.poll(() => linksIn(page).count()).toBe(2)
    await page.getByRole('searchbox', { name: 'Search requests' }).fill('')
    await page.getByRole('combobox', { name: 'Outcome' }).selectOption('refused')
    await expect.poll(() => linksIn(page).allInnerTexts()).toEqual([`POST /payments/${id}/cancel`])
    await page.getByRole('combobox', { name: 'Method' }).selectOption('GET')
    await page.getByText('No request matches.').waitFor()
    await page.getByRole('combobox', { name: 'Method' }).selectOption('POST')
    await expect.poll(() => linksIn(page).allInnerTexts()).toEqual([`POST /payments/${id}/cancel`])
    await page.goto(served.at(`/dashboard/requests?payment=${id}`))
    await expect.poll(() => linksIn(page).count()).toBe(3)
    await page.getByRole('button', { name: 'Show all' }).click()
    await expect.poll(() => linksIn(page).count()).toBe(5)
    await page.getByRole('searchbox', { name: 'Search requests' }).fill('nothing like it')
    await page.getByText('No request matches.').waitFor()
  },
)

browserTest('follows what other processes send, reads included', async ({ browser }) => {
  const served = await openPages()
  const page = await browser.open(served.at('/dashboard/requests'))
  await page.getByText('No requests yet.').waitFor()
  const bench = createSpawnBench()
  const env = { PAY_BASE_URL: served.server.url, PAY_API_KEY: 'sandbox_all' }
  await bench.pay('payment list', { env })
  await expect.poll(() => linksIn(page).allInnerTexts()).toEqual(['GET /payments'])
  await bench.pay('payment get nothing', { env })
  // What isn't an ID may be an order.
  const seen = ['GET /payments', 'GET /payments/nothing', 'GET /payments']
  await expect.poll(() => linksIn(page).allInnerTexts()).toEqual(seen)
  bench.dispose()
  await served.sandbox.write(({ store }) => store.requests.clear())
  await page.getByText('No requests yet.').waitFor()
})

browserTest('ten thousand rows have pages, which stay in place while they are read', async ({ browser }) => {
  const served = await openPages()
  for (let sent = 0; sent < 10_000; sent += 500)
    await Promise.all(
      Array.from({ length: 500 }, (_, number) =>
        served.sandbox.handle({ method: 'GET', url: `/n/${sent + number}`, headers: {}, body: undefined }),
      ),
    )
  const page = await browser.open(served.at('/dashboard/requests?offset=4900'))
  await page.getByText('4,901 to 5,000 of 10,000').waitFor()
  expect(await linksIn(page).count()).toBe(100)
  const before = await linksIn(page).allInnerTexts()
  await served.call('GET', '/payments')
  await page.getByRole('button', { name: 'Show 1 newer request' }).waitFor()
  expect(await linksIn(page).allInnerTexts()).toEqual(before)
  await page.getByRole('button', { name: 'Show 1 newer request' }).click()
  await page.getByRole('link', { name: 'GET /payments', exact: true }).waitFor()
})

browserTest('works by keyboard, on a phone, and in both themes', async ({ browser }) => {
  const served = await openPages()
  await settledPayment(served)
  const page = await browser.open(served.at('/dashboard/requests'))
  await linksIn(page).first().waitFor()
  for (const width of Object.values(WIDTHS)) await expectFitsWidth(page, width)
  await expectAccessible(page)
  await page.getByRole('combobox', { name: 'Method' }).focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'POST /payments' })
  await dialog.getByRole('button', { name: 'Copy as curl' }).waitFor()
  await expectAccessible(page)
  await expectFitsWidth(page, 320)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('POST /payments')
})
