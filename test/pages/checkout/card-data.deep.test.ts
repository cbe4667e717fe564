import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { browserTest } from '../../support/browser.ts'
import { CARDS, openCheckout, payWith, resultOf } from './open-checkout.ts'

const SECRETS = [CARDS.approved, '4111 1111 1111 1111', 'Test Customer']

browserTest(
  'raw card data goes into the tokenize request only, and nothing secret into an address',
  async ({ browser }) => {
    const { page, clientToken, served } = await openCheckout(browser)
    const sent: { readonly url: string; readonly body: string; readonly headers: string }[] = []
    page.on('request', (request) => {
      sent.push({
        url: request.url(),
        body: request.postData() ?? '',
        headers: JSON.stringify(request.headers()),
      })
    })
    await payWith(page, CARDS.approved)
    await resultOf(page, 'Payment successful')

    const withCard = sent.filter((request) =>
      SECRETS.some((secret) => JSON.stringify(request).includes(secret)),
    )
    expect(withCard.map(({ url, body }) => [new URL(url).pathname, body])).toEqual([
      ['/sandbox/tokenize', JSON.stringify({ card: CARDS.approved })],
    ])
    expect(sent.filter(({ url }) => url.includes(clientToken))).toEqual([])
    expect(sent.filter(({ headers }) => headers.includes('sandbox_all'))).toEqual([])
    const kept = await page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, history.state])',
    )
    expect(kept).toBe('[{},{},"",null]')

    const files = readdirSync(served.folder, { recursive: true, withFileTypes: true }).filter((file) =>
      file.isFile(),
    )
    expect(files.length).toBeGreaterThan(0)
    for (const file of files) {
      const bytes = readFileSync(join(file.parentPath, file.name))
      for (const secret of SECRETS) expect(bytes.includes(secret), `${file.name} holds ${secret}`).toBe(false)
    }
  },
)

browserTest('a page kept for the Back button holds no card', async ({ browser }) => {
  const { page, served } = await openCheckout(browser)
  await page.getByRole('button', { name: CARDS.approved }).click()
  await page.goto(served.at('/checkout'))
  await page.goBack()
  await page.getByRole('button', { name: /^Pay / }).waitFor()
  expect(await page.getByLabel('Card number').inputValue()).toBe('')
})
