import { expect, onTestFinished } from 'vitest'
import { browserTest, expectAccessible, expectFitsWidth, WIDTHS } from '../../../support/browser.ts'
import { createSpawnBench } from '../../../support/spawn-pay.ts'
import { createPayment, textAt } from '../../../sandbox/service.ts'
import { openPages } from '../../served-pages.ts'
import type { ServedPages } from '../../served-pages.ts'
import { fill, ids } from './records.ts'

async function create(served: ServedPages, token: string, more: Readonly<Record<string, unknown>> = {}) {
  return textAt(await createPayment(served, token, more), 'id')
}

browserTest('lists every payment, newest first, and links to each', async ({ browser }) => {
  const served = await openPages()
  await fill(served, 1)
  const first = await create(served, 'tok_visa')
  const second = await create(served, 'tok_declined', { amount: 1_234_567_890, currencyCode: 'KWD' })
  const page = await browser.open(served.at('/dashboard'))
  await page.getByText('3 payments').waitFor()
  expect(await ids(page)).toEqual([second, first, 'ext-000'])
  const row = page.getByRole('row').filter({ hasText: second })
  expect(await row.getByRole('cell').allTextContents()).toEqual(
    expect.arrayContaining([second, 'Declined', '1,234,567.890 KWD']),
  )
  const isCut =
    'document.querySelector("td.figure").scrollWidth > document.querySelector("td.figure").clientWidth'
  expect(await page.evaluate(isCut)).toBe(false)
  await page.getByRole('link', { name: second, exact: true }).click()
  await page.getByRole('heading', { name: second }).waitFor()
  expect(new URL(page.url()).pathname).toBe(`/dashboard/payments/${second}`)
  await page.goBack()
  await page.getByRole('heading', { name: 'Payments' }).waitFor()
})

browserTest(
  'search and filters are in the address, and survive a reload and the way back',
  async ({ browser }) => {
    const served = await openPages()
    const visa = await create(served, 'tok_visa', { orderId: 'A-1', customerId: 'ada' })
    const declined = await create(served, 'tok_declined', {
      orderId: 'B-2',
      customer: { emailAddress: 'eve@example.com' },
    })
    const page = await browser.open(served.at('/dashboard/payments'))
    await page.getByText('2 payments').waitFor()
    await page.getByRole('combobox', { name: 'Status' }).selectOption('DECLINED')
    await expect.poll(() => ids(page)).toEqual([declined])
    expect(new URL(page.url()).search).toBe('?status=DECLINED')
    await page.reload()
    await expect.poll(() => ids(page)).toEqual([declined])
    expect(await page.getByRole('combobox', { name: 'Status' }).inputValue()).toBe('DECLINED')
    await page.goBack()
    await expect.poll(() => ids(page)).toEqual([declined, visa])
    expect(await page.getByRole('combobox', { name: 'Status' }).inputValue()).toBe('')
    await page.getByRole('searchbox', { name: 'Search payments' }).fill('ad')
    await expect.poll(() => ids(page)).toEqual([visa])
    expect(new URL(page.url()).search).toBe('?search=ad')
    await page.reload()
    await expect.poll(() => ids(page)).toEqual([visa])
    expect(await page.getByRole('searchbox').inputValue()).toBe('ad')
    await page.getByRole('searchbox').fill('declined EVE@exmaple.com')
    await page.getByText('No payment of EVE@exmaple.com; similar:').waitFor()
    await page.getByRole('button', { name: 'eve@example.com' }).click()
    await expect.poll(() => ids(page)).toEqual([declined])
    expect(await page.getByRole('searchbox').inputValue()).toBe('declined eve@example.com')
    await page.getByRole('searchbox').fill('nothing')
    await page.getByText('No payment matches.').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expect.poll(() => ids(page)).toEqual([declined, visa])
    expect(await page.getByRole('searchbox').inputValue()).toBe('')
  },
)

browserTest('filters that a link set are shown and can be removed', async ({ browser }) => {
  const served = await openPages()
  const visa = await create(served, 'tok_visa')
  const declined = await create(served, 'tok_declined')
  const page = await browser.open(served.at('/dashboard/payments?reason=INSUFFICIENT_FUNDS&from=2020-01-01'))
  await expect.poll(() => ids(page)).toEqual([declined])
  expect(await page.getByRole('combobox', { name: 'Period' }).inputValue()).toBe('custom')
  await page.getByRole('button', { name: 'Remove the filter Reason' }).click()
  await expect.poll(() => ids(page)).toEqual([declined, visa])
  expect(new URL(page.url()).search).toBe('?from=2020-01-01')
})

browserTest('a filter that the sandbox refuses is explained', async ({ browser }) => {
  const served = await openPages()
  const page = await browser.open(served.at('/dashboard/payments?status=GONE'))
  expect(await page.getByRole('alert').textContent()).toContain('$.status')
})

browserTest('an empty sandbox says how to make a payment', async ({ browser }) => {
  const served = await openPages()
  const page = await browser.open(served.at('/dashboard/payments'))
  await page.getByText('No payments yet.').waitFor()
  await expectAccessible(page)
  await expectFitsWidth(page, WIDTHS.phone)
})

browserTest('keys move through the rows, open one, and show the keys', async ({ browser }) => {
  const served = await openPages()
  await fill(served, 60)
  const page = await browser.open(served.at('/dashboard/payments'))
  await page.getByRole('link', { name: 'ext-059', exact: true }).waitFor()
  const focused = () => page.evaluate<string>('document.activeElement.textContent')
  for (const [key, id] of [
    ['j', 'ext-059'],
    ['k', 'ext-059'],
    ['j', 'ext-058'],
    ['ArrowDown', 'ext-057'],
    ['ArrowUp', 'ext-058'],
    ['End', 'ext-010'],
    ['j', 'ext-010'],
    ['Home', 'ext-059'],
  ] as const) {
    await page.keyboard.press(key)
    await expect.poll(focused).toBe(id)
  }
  await page.keyboard.press('?')
  const keys = page.getByRole('dialog', { name: 'Keys' })
  await keys.getByText('Next row').waitFor()
  await page.keyboard.press('j')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect.poll(focused).toBe('ext-059')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'ext-059' }).waitFor()
  // It has nothing to refund.
  await page.keyboard.press('r')
  expect(await page.getByRole('dialog').count()).toBe(0)
  await page.keyboard.press('/')
  await page.getByRole('searchbox', { name: 'Search payments' }).waitFor()
  await expect.poll(() => page.evaluate('document.activeElement.type')).toBe('search')
})

browserTest('a key before the effects of the last one is not lost', async ({ browser }) => {
  const served = await openPages()
  await fill(served, 1)
  const page = await browser.open(served.at('/dashboard/payments'))
  await page.getByRole('link', { name: 'ext-000', exact: true }).waitFor()
  // The page of the payment is drawn, and no frame has been painted.
  await page.evaluate(`(async () => {
    document.querySelector('.list tbody a').click()
    while (document.querySelector('h1').textContent !== 'ext-000') await null
    document.dispatchEvent(new KeyboardEvent('keydown', { key: '/' }))
  })()`)
  await expect.poll(() => page.evaluate('document.activeElement.type')).toBe('search')
})

browserTest('search finds a payment by whatever is known of it', async ({ browser }) => {
  const served = await openPages()
  await fill(served, 60)
  const id = await create(served, 'tok_mastercard', {
    amount: 1_236_027,
    customer: { emailAddress: 'ada@example.com' },
  })
  const page = await browser.open(served.at('/dashboard/payments'))
  await page.getByText('61 payments').waitFor()
  const search = page.getByRole('searchbox', { name: 'Search payments' })
  for (const text of ['ADA@ex', '4444', '12360.27', '12,360.27 EUR', id.toLowerCase(), 'order-1 ']) {
    await search.fill(text)
    if (text === 'order-1 ') await expect.poll(() => ids(page)).toContain(id)
    else await expect.poll(() => ids(page)).toEqual([id])
  }
  // Several: Enter goes to the first.
  await search.press('Enter')
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe(id)
  await search.fill('4444')
  await search.press('Enter')
  await page.getByRole('heading', { name: id }).waitFor()
})

browserTest(
  'a phone has the search and the status before the rows, and the rest on demand',
  async ({ browser }) => {
    const served = await openPages()
    await create(served, 'tok_visa')
    const page = await browser.open(served.at('/dashboard/payments'), { width: 390 })
    const source = page.getByRole('combobox', { name: 'Source' })
    await page.getByRole('combobox', { name: 'Status' }).waitFor()
    expect(await source.count()).toBe(0)
    await page.getByRole('button', { name: 'More filters' }).click()
    await source.selectOption('external')
    await page.getByText('No payment matches.').waitFor()
    expect(await page.getByText('All words must fit').count()).toBe(0)
    const more = page.getByRole('button', { name: 'More filters (1 set)' })
    await more.click()
    expect(await source.count()).toBe(0)
    await page.reload()
    await more.waitFor()
  },
)

browserTest(
  'a payment of a `pay` command appears at the top, or is announced further down',
  async ({ browser }) => {
    const bench = createSpawnBench()
    onTestFinished(() => bench.dispose())
    const served = await openPages()
    await fill(served, 120)
    const account = { env: { PAY_BASE_URL: served.server.url, PAY_API_KEY: 'sandbox_all' } }
    const pay = async () => {
      const words = 'payment create --token tok_visa --amount 700 --currency EUR --order-id order-1 -o id'
      const { exitCode, stdout } = await bench.pay(words, account)
      expect(exitCode).toBe(0)
      return stdout.trim()
    }
    const page = await browser.open(served.at('/dashboard/payments'))
    await page.getByText('Connected').waitFor()
    await page.getByText('120 payments').waitFor()
    const first = await pay()
    await page.getByRole('link', { name: first, exact: true }).waitFor()
    expect((await ids(page))[0]).toBe(first)
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByRole('link', { name: 'ext-060', exact: true }).waitFor()
    const second = await pay()
    const notice = page.getByRole('button', { name: 'Show 1 newer payment' })
    await notice.waitFor()
    expect(await page.getByRole('link', { name: second, exact: true }).count()).toBe(0)
    await notice.click()
    await page.getByRole('link', { name: second, exact: true }).waitFor()
    expect((await ids(page)).slice(0, 2)).toEqual([second, first])
  },
)
