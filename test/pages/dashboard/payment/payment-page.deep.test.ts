import { expect, onTestFinished } from 'vitest'
import { browserTest, expectAccessible, expectFitsWidth, WIDTHS } from '../../../support/browser.ts'
import { createSpawnBench } from '../../../support/spawn-pay.ts'
import { createPayment, textAt } from '../../../sandbox/service.ts'
import { openPages } from '../../served-pages.ts'
import { openAction, openPayment } from '../open-payment.ts'

browserTest('is accessible and fits every width, with and without a dialog', async ({ browser }) => {
  const { page } = await openPayment(browser, 'tok_visa', { captured: 400 })
  await page.getByRole('table', { name: 'Requests' }).waitFor()
  for (const width of Object.values(WIDTHS)) await expectFitsWidth(page, width)
  await expectAccessible(page)
  await openAction(page, 'Refund')
  for (const width of Object.values(WIDTHS)) await expectFitsWidth(page, width)
  await expectAccessible(page)
})

browserTest.for(['tok_3ds', 'tok_declined'])('%s is accessible', async (token, { browser }) => {
  const { page } = await openPayment(browser, token)
  await expectAccessible(page)
  await expectFitsWidth(page, WIDTHS.phone)
})

browserTest('everything works by keyboard, and the focus returns', async ({ browser }) => {
  const { page, moved } = await openPayment(browser, 'tok_visa', { captured: 1000 })
  const button = page.getByRole('button', { name: 'Refund', exact: true })
  await button.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  const focused = () =>
    page.evaluate<string>('document.activeElement.textContent || document.activeElement.id')
  expect(await dialog.getByLabel('Amount').evaluate((field) => field.matches(':focus'))).toBe(true)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(focused).toBe('Refund')
  await page.keyboard.press('Enter')
  await page.keyboard.type('2.00')
  // Enter in a field doesn't confirm.
  await page.keyboard.press('Enter')
  for (const name of ['Half', 'All', '', 'Back']) {
    await page.keyboard.press('Tab')
    expect(await page.evaluate<string>('document.activeElement.textContent')).toBe(name)
  }
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  expect(await moved('amountRefunded')).toBe(0)
  await page.keyboard.press('Enter')
  await dialog.waitFor()
  await page.keyboard.type('2.00')
  for (let tab = 0; tab < 5; tab += 1) await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(focused).toBe('Refund')
  expect(await moved('amountRefunded')).toBe(200)
})

browserTest(
  'the heading says how much, whose and what became of it, and the ID can be copied',
  async ({ browser }) => {
    const { page, served, id } = await openPayment(browser, 'tok_visa', {
      captured: 1000,
      more: { customerId: 'ada' },
    })
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const heading = (state: string) =>
      page.getByRole('heading', { name: `10.00 EUR from ada ${state} ${id}` })
    await heading('Settled').waitFor()
    await page.getByRole('button', { name: 'Copy ID' }).click()
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(id)
    await served.ok('POST', `/payments/${id}/refund`, { amount: 999 })
    await heading('Settled, partly refunded').waitFor()
    await served.ok('POST', `/payments/${id}/refund`, {})
    await heading('Refunded').waitFor()
    const text = await page.getByRole('main').innerText()
    expect(text).toContain('Sandbox Alpha')
    expect(text).not.toMatch(/\b(?:SETTLED|PAYMENT_CARD|NOT_PERFORMED|SANDBOX_ALPHA|VISA)\b/)
  },
)

browserTest.for(['tok_3ds', 'tok_3ds_unavailable', 'tok_declined', 'tok_risk_flagged', 'tok_voucher'])(
  'a payment of %s is told in words, and its tables fit the page',
  async (token, { browser }) => {
    const { page } = await openPayment(browser, token)
    expect(await page.getByRole('main').innerText()).not.toMatch(/\b[A-Z\d]+(?:_[A-Z\d]+)+\b/)
    expect(await page.evaluate(CUT)).toEqual([])
  },
)

browserTest(
  'on a phone, a value breaks between its parts, and no name covers a value',
  async ({ browser }) => {
    const { page } = await openPayment(browser, 'tok_visa', {
      more: {
        customerId: 'shop-germany/customer_0000000046',
        customer: { emailAddress: 'olga.keller46@example.com' },
        metadata: { subscription_renewal_identifier: 'renewal-46' },
      },
    })
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await page.evaluate(BROKEN)).toEqual([])
    expect(await page.getByText('olga.keller46@example.com', { exact: true }).count()).toBe(1)
  },
)

/** Parts of details that lie on more than one line, and names that are wider than their place. */
const BROKEN = `[...document.querySelectorAll('.details dt, .details dd')].flatMap((value) => {
  const parts = []
  const texts = document.createTreeWalker(value, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const range = document.createRange()
    range.selectNodeContents(texts.currentNode)
    const { textContent } = texts.currentNode
    if (!/[\\s-]/.test(textContent) && range.getClientRects().length > 1) parts.push(textContent)
  }
  return value.scrollWidth > value.clientWidth ? [...parts, value.textContent] : parts
})`

browserTest('line items, shipping and fees add up to the amount', async ({ browser }) => {
  const { page } = await openPayment(browser, 'tok_visa', {
    more: {
      amount: undefined,
      order: {
        lineItems: [
          { name: 'Cap', amount: 2490, quantity: 2, discountAmount: 80 },
          { name: 'Tent', amount: 24_900, taxAmount: 100 },
        ],
        fees: [{ type: 'GIFT_WRAP', amount: 250 }],
        shipping: { amount: 490 },
      },
    },
  })
  const items = page.getByRole('table', { name: 'Line items' })
  expect(await items.getByRole('row').allInnerTexts()).toEqual([
    expect.stringMatching(/Total$/),
    expect.stringMatching(/^Cap\s+2\s+24\.90\s+0\.80\s+49\.00$/),
    expect.stringMatching(/^Tent\s+1\s+249\.00\s+1\.00\s+250\.00$/),
  ])
  await page.setViewportSize({ width: 1120, height: 800 })
  expect(await page.evaluate(CUT)).toEqual([])
  expect(await page.locator('.sums > div').allInnerTexts()).toEqual([
    'Shipping\n4.90 EUR',
    'Gift wrap\n2.50 EUR',
    'Total\n306.40 EUR',
  ])
  await page.getByRole('heading', { name: '306.40 EUR' }).waitFor()
})

browserTest('while an amount is typed, the dialog says how it is understood', async ({ browser }) => {
  const { page } = await openPayment(browser, 'tok_autocapture')
  const { dialog, fill } = await openAction(page, 'Refund')
  for (const [text, words] of [
    ['5.00', '5.00 EUR'],
    ['10.01', '10.01 EUR is more than the 10.00 EUR that is left.'],
    ['5', '5.00 EUR or 0.05 EUR?'],
    ['', 'Empty: all of it, 10.00 EUR.'],
  ] as const) {
    await fill('Amount', text)
    await dialog.locator('.hint').getByText(words, { exact: true }).waitFor()
  }
})

/** Tables that are wider than the page. */
const CUT = `[...document.querySelectorAll('.table-frame')].filter((frame) => frame.scrollWidth > frame.clientWidth)
  .map((frame) => frame.textContent)`

browserTest('the focus goes to the heading if the action is gone', async ({ browser }) => {
  const { page, id } = await openPayment(browser, 'tok_visa')
  const { dialog, confirm } = await openAction(page, 'Cancel')
  await confirm()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('Cancelled: no funds are reserved.').first().waitFor()
  await expect
    .poll(() => page.evaluate<string>('document.activeElement.textContent'))
    .toMatch(new RegExp(`${id}|^Cancel$`))
})

const HOSTILE = `<img src=x onerror="reportViolation('markup')"><script>reportViolation('script')</script>`

browserTest('text from a payment never becomes markup', async ({ browser }) => {
  const served = await openPages()
  const text = { firstName: HOSTILE, lastName: HOSTILE, emailAddress: HOSTILE }
  const address = { addressLine1: HOSTILE, addressLine2: HOSTILE, city: HOSTILE, countryCode: 'DE' }
  const payment = await createPayment(served, 'tok_visa', {
    orderId: HOSTILE,
    customerId: HOSTILE,
    customer: {
      ...text,
      billingAddress: { ...address, firstName: HOSTILE, lastName: HOSTILE },
      shippingAddress: address,
    },
    order: { lineItems: [{ name: HOSTILE, description: HOSTILE, itemId: HOSTILE, amount: 1000 }] },
    metadata: { [HOSTILE]: HOSTILE },
    paymentMethod: { descriptor: HOSTILE },
  })
  const id = textAt(payment, 'id')
  await served.ok('POST', `/payments/${id}/capture`)
  await served.ok('POST', `/payments/${id}/refund`, { amount: 100, reason: HOSTILE, orderId: HOSTILE })
  await served.ok('POST', '/observability/payments', {
    paymentId: HOSTILE,
    currencyCode: 'EUR',
    amount: 100,
    createdAt: '2026-01-31T09:30:00Z',
    processor: { name: HOSTILE, merchantId: HOSTILE },
    order: { id: HOSTILE },
    paymentMethod: { paymentMethodType: HOSTILE },
    descriptor: HOSTILE,
    metadata: { [HOSTILE]: HOSTILE },
  })
  const encoded = encodeURIComponent(HOSTILE)
  for (const path of [
    '/dashboard/payments',
    `/dashboard/payments/${id}`,
    `/dashboard/payments/${encoded}`,
    `/dashboard/payments?search=${encoded}&order=${encoded}&reason=${encoded}&status=${encoded}`,
  ]) {
    const page = await browser.open(served.at(path))
    await page.getByText('onerror').first().waitFor({ state: 'attached' })
    expect(await page.locator('img, #page script').count()).toBe(0)
    await expectFitsWidth(page, WIDTHS.phone)
  }
})

browserTest('secrets of a payment are not on its page', async ({ browser }) => {
  const { page, read } = await openPayment(browser, 'tok_3ds', {
    more: { metadata: { note: 'card 4111 1111 1111 1111', api_key: 'secret-4711' } },
  })
  const { requiredAction, paymentMethod } = await read()
  await page.getByText('note').first().waitFor()
  const html = await page.content()
  expect(html).not.toContain('4111 1111 1111 1111')
  expect(html).not.toContain('secret-4711')
  expect(html).not.toContain(textAt(requiredAction, 'clientToken').split('.')[1])
  expect(html).not.toContain(textAt(paymentMethod, 'paymentMethodToken'))
})

browserTest('a `pay` command in another process changes the open page', async ({ browser }) => {
  const bench = createSpawnBench()
  onTestFinished(() => bench.dispose())
  const { served, page, id } = await openPayment(browser, 'tok_visa')
  await page.getByText('Connected').waitFor()
  const account = { env: { PAY_BASE_URL: served.server.url, PAY_API_KEY: 'sandbox_all' } }
  const ended = await bench.pay(['payment', 'capture', id, '--amount', '400', '--no-final'], account)
  expect(ended).toMatchObject({ exitCode: 0 })
  await page.getByText('Partially settled').first().waitFor()
  await page.getByRole('button', { name: 'Refund', exact: true }).waitFor()
  await page.getByRole('link', { name: `POST /payments/${id}/capture` }).waitFor()
})

browserTest('an external record is shown and can only be read', async ({ browser }) => {
  const served = await openPages()
  await served.ok('POST', '/observability/payments', {
    paymentId: 'ext/1',
    currencyCode: 'EUR',
    amount: 700,
    status: 'SETTLED',
    createdAt: '2026-01-31T09:30:00Z',
    processor: { name: 'ACME' },
    order: { id: 'order-9' },
    metadata: { shop: 'Berlin' },
    paymentMethod: { paymentMethodType: 'PAYMENT_CARD' },
  })
  const page = await browser.open(served.at('/dashboard/payments/ext%2F1'))
  await page.getByRole('heading', { name: 'ext/1' }).waitFor()
  await page.getByText('External record').waitFor()
  await page.getByRole('heading', { name: '7.00 EUR' }).waitFor()
  expect(await page.locator('.page-header').getByRole('button').allTextContents()).toEqual(['Copy ID'])
  await expectAccessible(page)
})
