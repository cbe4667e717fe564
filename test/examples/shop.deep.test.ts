import { expect, onTestFinished } from 'vitest'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { browserTest } from '../support/browser.ts'
import { ROOT } from '../support/spawn-pay.ts'
import { openPages } from '../pages/served-pages.ts'

/** Starts `examples/shop.mjs` against a sandbox; resolves to its address. */
function startShop(sandboxUrl: string): Promise<string> {
  const shop = spawn(process.execPath, [join(ROOT, 'examples/shop.mjs')], {
    env: { SANDBOX_URL: sandboxUrl, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void shop.kill())
  return new Promise((resolve, reject) => {
    shop.once('error', reject)
    shop.once('exit', (code) => reject(new Error(`the shop ended with ${code}`)))
    shop.stdout.setEncoding('utf8').once('data', (line: string) => resolve(line.trim()))
  })
}

browserTest('the example shop sells mugs: leave, decline, try again, pay', async ({ browser }) => {
  const served = await openPages()
  const { url } = served.server
  const page = await browser.open(await startShop(url), { origins: [url] })
  const checkout = page.frameLocator('iframe[title="Checkout"]')

  await page.getByRole('button', { name: 'Buy' }).click()
  await checkout.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('Your mugs are still in the basket.').waitFor()
  expect(await page.locator('iframe').count()).toBe(0)

  await page.getByRole('button', { name: 'Buy' }).click()
  await checkout.getByRole('button', { name: '4000000000000002' }).click()
  await checkout.getByRole('button', { name: 'Pay 49.90 EUR' }).click()
  await page.getByText('The payment failed (INSUFFICIENT_FUNDS).').waitFor()
  await checkout.getByRole('button', { name: 'Try again' }).click()
  await checkout.getByRole('button', { name: '4111111111111111' }).click()
  await checkout.getByRole('button', { name: 'Pay 49.90 EUR' }).click()
  await page.getByText('Thank you. Your mugs are on their way.').waitFor()
  expect(await served.ok('GET', '/payments')).toMatchObject({
    data: [{ status: 'AUTHORIZED', amount: 4990 }, { status: 'DECLINED' }],
  })
})
