import { expect } from 'vitest'
import { browserTest, expectAccessible } from '../../support/browser.ts'
import { HOUR_MS, advance } from '../../sandbox/service.ts'
import { CARDS } from '../checkout/open-checkout.ts'
import { openMerchant, pageWith, serveSite } from './merchant.ts'
import { openPages } from '../served-pages.ts'

browserTest(
  'a customer pays on the page of the shop, and onComplete gets the payment',
  async ({ browser }) => {
    const { page, checkout, calls, served, clientToken } = await openMerchant(browser)
    await checkout.getByRole('button', { name: CARDS.approved }).click()
    await checkout.getByRole('button', { name: 'Pay 49.90 EUR' }).click()
    await checkout.getByText('Payment successful').waitFor()
    const [call, ...more] = await calls()
    expect(more).toEqual([])
    expect(call).toEqual({ name: 'complete', paymentId: expect.any(String), status: 'AUTHORIZED' })
    expect(await served.ok('GET', `/payments/${String(call?.['paymentId'])}`)).toMatchObject({ amount: 4990 })
    const addresses = page.frames().map((frame) => frame.url())
    expect(addresses.filter((address) => address.includes(clientToken))).toEqual([])
  },
)

browserTest('onCancel is called when the customer leaves', async ({ browser }) => {
  const { checkout, calls } = await openMerchant(browser)
  await checkout.getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(calls).toEqual([{ name: 'cancel' }])
})

browserTest(
  'onFail gets the error of a token that has expired, and the frame says what to do',
  async ({ browser }) => {
    const served = await openPages()
    const { checkout, calls } = await openMerchant(browser, { served, token: 'not a token' })
    await checkout.getByRole('heading', { name: 'This link is damaged' }).waitFor()
    await expect
      .poll(calls)
      .toEqual([{ name: 'fail', paymentId: null, status: null, reason: 'InvalidClientToken' }])

    const late = await openMerchant(browser, { served })
    await late.checkout.getByRole('button', { name: CARDS.approved }).click()
    await advance(served, 25 * HOUR_MS)
    await late.checkout.getByRole('button', { name: /^Pay / }).click()
    await expect
      .poll(late.calls)
      .toEqual([{ name: 'fail', paymentId: null, status: null, reason: 'Unauthorized' }])
  },
)

browserTest('the frame is as high as its content, at any width', async ({ browser }) => {
  const { page, checkout } = await openMerchant(browser)
  await checkout.getByRole('button', { name: /^Pay / }).waitFor()
  const difference = async () => {
    const frame = await page.evaluate<number>("document.querySelector('iframe').clientHeight")
    const inner = await page
      .frames()[1]
      ?.evaluate<number>("document.getElementById('page').getBoundingClientRect().height")
    return Math.abs(frame - (inner ?? 0))
  }
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    await expect.poll(difference, { message: `at ${width} px` }).toBeLessThan(1)
  }
  await expectAccessible(page)
})

browserTest(
  'unmount removes the checkout, twice is fine, and it can be mounted again',
  async ({ browser }) => {
    const { page, checkout } = await openMerchant(browser)
    await checkout.getByRole('button', { name: /^Pay / }).waitFor()
    await page.evaluate('checkout.unmount(); checkout.unmount()')
    expect(await page.locator('iframe').count()).toBe(0)
    await page.reload()
    await checkout.getByRole('button', { name: /^Pay / }).waitFor()
  },
)

browserTest('a frame that is loaded again gets its session again', async ({ browser }) => {
  const { page, checkout, calls } = await openMerchant(browser)
  await checkout.getByRole('button', { name: CARDS.challenge }).click()
  await checkout.getByRole('button', { name: /^Pay / }).click()
  await checkout.getByRole('button', { name: 'Approve' }).waitFor()
  await page
    .frames()[1]
    ?.evaluate('location.reload()')
    .catch(() => undefined)
  await checkout.getByRole('button', { name: 'Approve' }).click()
  await checkout.getByText('Payment successful').waitFor()
  await expect.poll(calls).toMatchObject([{ name: 'complete' }])
})

browserTest('wrong arguments are TypeErrors in the console of the shop', async ({ browser }) => {
  const { server } = await openPages()
  const site = await serveSite(pageWith(server.url))
  const page = await browser.open(site, { origins: [server.url] })
  const errorOf = (call: string) =>
    page.evaluate<string>(
      `(() => { try { ${call} } catch (error) { return error.name + ': ' + error.message } return 'none' })()`,
    )
  expect(await errorOf('PayCheckout.mount()')).toMatch(/^TypeError: .*the first argument must be an element/)
  expect(await errorOf("PayCheckout.mount('#checkout', { clientToken: 'x' })")).toMatch(
    /^TypeError: .*must be an element/,
  )
  expect(await errorOf('PayCheckout.mount(document.body, { onComplete() {} })')).toMatch(
    /^TypeError: .*clientToken must be/,
  )
  expect(await page.locator('iframe').count()).toBe(0)
})

browserTest('the component loaded as a module says how to load it', async ({ browser }) => {
  const { server } = await openPages()
  const site = await serveSite('</head><body><div id="checkout"></div></body>')
  const page = await browser.open(site, { origins: [server.url], tolerates: /CORS|ERR_FAILED/ })
  // What a bundler does: runs the text of the script, where no element is the current script.
  const source = await (await fetch(`${server.url}/checkout.js`)).text()
  await page.evaluate(source)
  const message = page.evaluate("PayCheckout.mount(document.body, { clientToken: 'x' })")
  await expect(message).rejects.toThrow('without type="module"')
})
