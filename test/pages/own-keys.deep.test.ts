import { expect } from 'vitest'
import { makeServerKeys } from '../../src/sandbox/serve/server-keys.ts'
import { browserTest } from '../support/browser.ts'
import { openPages } from './served-pages.ts'

/** Pages of a server that other machines can reach: it has its own keys, and its own names. */

let made = 0
const KEYS = makeServerKeys(() => `secret-${(made += 1)}`)
const [OWN = '', READS = ''] = KEYS.keys()

browserTest(
  'the dashboard asks for a key, follows the sandbox with it, and keeps it nowhere',
  async ({ browser }) => {
    const service = await openPages({ keys: KEYS, allowedHosts: ['sandbox.test'] })
    const page = await browser.open(`http://sandbox.test:${service.server.port}/dashboard`)
    const field = page.getByRole('textbox', { name: 'API key' })
    await field.fill('wrong')
    await page.getByRole('button', { name: 'Use key' }).click()
    await page.getByText('The sandbox refused this key.').waitFor()
    await field.fill(OWN)
    await page.getByRole('button', { name: 'Use key' }).click()
    await page.getByText('Connected').waitFor()
    await service.sandbox.handle({
      method: 'POST',
      url: '/payments',
      headers: { 'x-api-key': 'sandbox_all', 'content-type': 'application/json' },
      body: JSON.stringify({
        paymentMethodToken: 'tok_visa',
        orderId: 'order-77',
        currencyCode: 'EUR',
        amount: 1000,
      }),
    })
    await page.getByText('order-77').waitFor()
    const kept = await page.evaluate<string>(
      'JSON.stringify([location.href, document.cookie, { ...localStorage }, { ...sessionStorage }, history.state])',
    )
    expect(kept).not.toMatch(/secret/)
    await page.reload()
    await page.getByRole('textbox', { name: 'API key' }).waitFor()
  },
)

browserTest('a key that may only read opens no dashboard', async ({ browser }) => {
  const { at } = await openPages({ keys: KEYS })
  const page = await browser.open(at('/dashboard'))
  await page.getByRole('textbox', { name: 'API key' }).fill(READS)
  await page.getByRole('button', { name: 'Use key' }).click()
  await page.getByText('The sandbox controls accept only the key').first().waitFor()
})
