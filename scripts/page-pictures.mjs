// Takes docs/pictures/*.png: the README's story in a real browser. Usage: npm run build && node scripts/page-pictures.mjs
//   CHROMIUM names the browser; the default is /usr/bin/chromium.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PAY = join(ROOT, 'bin/pay.cjs')
const folder = mkdtempSync(join(tmpdir(), 'pay-pictures-'))
const env = { ...process.env, PAY_CONFIG_DIR: join(folder, 'config'), PAY_STATE_DIR: join(folder, 'state') }
const pay = (line, input = '') =>
  execFileSync(process.execPath, [PAY, ...line], {
    env,
    input,
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'ignore'],
  }).trim()

const ORDER = [
  ['--order-id', 'order-1042', '--currency', 'EUR'],
  ['--customer-id', 'anna', '--email', 'anna.keller@example.com'],
  ['--set', 'customer.firstName=Anna', '--set', 'customer.lastName=Keller'],
  ['--line-item', 'name=Umbrella,itemId=umbrella,amount=2495,quantity=1,taxAmount=398'],
  ['--line-item', 'name=Wool scarf,itemId=scarf,amount=1990,quantity=1,discountAmount=283'],
  ['--shipping', '390'],
].flat()

pay(['sandbox', 'seed', '--payments', '600'])
const url = pay(['sandbox', 'start', '--background', '--port', '0', '-o', 'id'])
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
})
const open = async (path, colorScheme, height) => {
  const context = await browser.newContext({
    viewport: { width: 1120, height },
    deviceScaleFactor: 1.5,
    colorScheme,
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  await page.goto(`${url}${path}`)
  return page
}
const take = (page, name) => page.screenshot({ path: join(ROOT, 'docs/pictures', `${name}.png`) })

try {
  const clientToken = pay(['--sandbox', 'session', 'create', ...ORDER, '--query', 'clientToken', '-o', 'id'])

  const dashboard = await open('/dashboard', 'light', 640)
  const checkout = await open(`/checkout#${clientToken}`, 'light', 720)
  await checkout.getByRole('button', { name: '4916994064252017' }).click()
  await checkout.evaluate('scrollTo(0, 0)')
  await take(checkout, 'checkout')
  await checkout.getByRole('button', { name: /^Pay / }).click()
  await checkout.getByRole('button', { name: 'Approve' }).click()
  const status = checkout.getByRole('status').filter({ hasText: 'Payment successful' })
  const id = /[\w-]{9,}/.exec((await status.innerText()).replace(/Payment successful/, ''))?.[0]
  console.log(`paid: ${id}`)

  // The payment appears without a reload.
  await dashboard.getByRole('link', { name: id }).click()
  await dashboard.getByRole('heading', { name: id }).waitFor()
  await act(dashboard, 'Capture')
  await act(dashboard, 'Refund', async (dialog) => {
    await dialog.getByRole('button', { name: 'Half' }).click()
    await dialog.getByLabel('Reason').fill('scarf returned')
  })
  await dashboard.setViewportSize({ width: 1120, height: 760 })
  await take(dashboard, 'payment')
  console.log(pay(['--sandbox', 'payment', 'get', id]))

  const insights = await open('/dashboard/insights', 'dark', 760)
  await insights.getByRole('combobox', { name: 'Currency' }).selectOption('EUR')
  await insights.getByRole('table', { name: /EUR/ }).waitFor()
  await take(insights, 'insights')
  console.log(await insights.getByRole('table', { name: /EUR/ }).innerText())
  console.log(pay(['--sandbox', 'insights', '--currency', 'EUR']))
} finally {
  await browser.close()
  pay(['sandbox', 'stop', '--all'])
  rmSync(folder, { recursive: true })
}

async function act(page, name, fill = async () => {}) {
  await page.getByRole('button', { name, exact: true }).click()
  const dialog = page.getByRole('dialog')
  await fill(dialog)
  await dialog.getByRole('button', { name, exact: true }).click()
  await dialog.waitFor({ state: 'hidden' })
}
