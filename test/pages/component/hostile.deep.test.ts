import { expect } from 'vitest'
import { browserTest } from '../../support/browser.ts'
import { CARDS, ORDER, countPayments, createSession } from '../checkout/open-checkout.ts'
import { openPages } from '../served-pages.ts'
import { openMerchant, serveSite } from './merchant.ts'

/** A third party's frame on the page of the shop, such as an advertisement, that sends anything that may help it. */
const hostileScript = (token: string) => `
  window.heard = []
  addEventListener('message', ({ data }) => heard.push(data))
  window.sent = 0
  setInterval(() => {
    sent += 1
    parent.postMessage({ type: 'pay-checkout:ready' }, '*')
    parent.postMessage({ kind: 'complete', paymentId: 'forged', status: 'AUTHORIZED' }, '*')
    parent.postMessage({ kind: 'cancel' }, '*')
    for (let index = 0; index < parent.frames.length; index += 1) {
      if (parent.frames[index] === window) continue
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = ({ data }) => heard.push(data)
      try {
        parent.frames[index].postMessage({ type: 'pay-checkout:start', clientToken: ${JSON.stringify(token)} }, '*', [port2])
      } catch {}
    }
  }, 5)`

browserTest(
  'another frame on the page gets no token, forges no result and exchanges no session',
  async ({ browser }) => {
    const served = await openPages()
    const forged = await createSession(served, { ...ORDER, orderId: 'forged', amount: 1 })
    const hostile = await serveSite(
      '</head><body><script src="/page.js"></script></body>',
      hostileScript(forged),
    )
    const { page, checkout, calls, clientToken } = await openMerchant(browser, {
      served,
      more: `<iframe title="advertisement" src="${hostile}"></iframe>`,
      open: { origins: [hostile] },
    })
    const advertisement = page.frame({ url: `${hostile}/` })
    await checkout.getByRole('button', { name: CARDS.approved }).click()
    const before = Number(await advertisement?.evaluate('sent'))
    await expect.poll(async () => Number(await advertisement?.evaluate('sent'))).toBeGreaterThan(before + 20)
    expect(await calls()).toEqual([])
    await checkout.getByRole('button', { name: 'Pay 49.90 EUR' }).click()
    await checkout.getByText('Payment successful').waitFor()
    expect(await calls()).toMatchObject([{ name: 'complete', status: 'AUTHORIZED' }])
    const heard = JSON.stringify(await advertisement?.evaluate('heard'))
    for (const words of ['pay-checkout:start', clientToken, 'AUTHORIZED'])
      expect(heard.includes(words), words).toBe(false)
    expect(await countPayments(served)).toBe(1)
  },
)

browserTest('the page of the shop cannot exchange the session of a running checkout', async ({ browser }) => {
  const served = await openPages()
  const other = await createSession(served, { ...ORDER, amount: 1 })
  const { page, checkout } = await openMerchant(browser, { served })
  await checkout.getByRole('button', { name: 'Pay 49.90 EUR' }).waitFor()
  const start = JSON.stringify({ type: 'pay-checkout:start', clientToken: other })
  await page.evaluate(
    `document.querySelector('iframe').contentWindow.postMessage(${start}, '*', [new MessageChannel().port2])`,
  )
  await checkout.getByRole('button', { name: CARDS.approved }).click()
  await checkout.getByRole('button', { name: 'Pay 49.90 EUR' }).click()
  await checkout.getByText('You paid 49.90 EUR').waitFor()
})

browserTest('malformed messages change nothing', async ({ browser }) => {
  const served = await openPages()
  const site = await serveSite(
    `</head><body><iframe title="Checkout" src="${served.at('/checkout')}"></iframe><script src="/page.js"></script></body>`,
    `const frame = document.querySelector('iframe')
     const port = () => new MessageChannel().port2
     addEventListener('message', () => {
       for (const message of [null, 'x', 7, [], {}, { type: 'pay-checkout:start' }, { type: 'pay-checkout:start', clientToken: 7 }])
         frame.contentWindow.postMessage(message, '*', [port()])
       frame.contentWindow.postMessage({ type: 'pay-checkout:start', clientToken: 'a.b.c' }, '*')
       window.isDone = true
     })`,
  )
  const page = await browser.open(site, { origins: [served.server.url] })
  await page.waitForFunction('window.isDone')
  expect(await page.frameLocator('iframe').locator('#page').innerText()).toBe('')
})

browserTest('a shop on localhost may embed the checkout', async ({ browser }) => {
  const { checkout } = await openMerchant(browser, { host: 'localhost' })
  await checkout.getByRole('button', { name: 'Pay 49.90 EUR' }).waitFor()
})

browserTest('a checkout listens to the window around it only', async ({ browser }) => {
  const served = await openPages()
  const forged = await createSession(served)
  const hostile = await serveSite(
    '</head><body><script src="/page.js"></script></body>',
    hostileScript(forged),
  )
  const site = await serveSite(
    `</head><body><iframe title="Checkout" src="${served.at('/checkout')}"></iframe><iframe title="advertisement" src="${hostile}"></iframe></body>`,
  )
  const page = await browser.open(site, { origins: [served.server.url, hostile] })
  const advertisement = page.frame({ url: `${hostile}/` })
  await expect.poll(async () => Number(await advertisement?.evaluate('sent'))).toBeGreaterThan(50)
  expect(await page.frameLocator('iframe[title="Checkout"]').locator('#page').innerText()).toBe('')
})
