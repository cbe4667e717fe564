import { expect } from 'vitest'
import { addFault, clearFaults, loggedIn } from '../../../sandbox/service.ts'
import { browserTest } from '../../../support/browser.ts'
import type { ServedPages } from '../../served-pages.ts'
import { openAction, openPayment } from '../open-payment.ts'

/** The browser reports a cut connection on its console. */
const tolerates =
  /ERR_EMPTY_RESPONSE|ERR_CONNECTION_|ERR_INCOMPLETE|ERR_CONTENT_LENGTH|ERR_INVALID|ERR_FAILED/

/** For every refund, because browsers send a request once more by themselves when a connection breaks. */
const fail = (served: ServedPages, kind: 'drop-after' | 'drop-before' | 'truncate' | 'malformed') =>
  addFault(served, { on: 'POST /payments/*/refund', do: kind, rate: 1, seed: 1, skip: 0 })

browserTest.for(['drop-after', 'truncate', 'malformed'] as const)(
  'a refund whose answer is lost (%s) is found on the payment, and never repeated',
  async (kind, { browser }) => {
    const { served, page, read, moved } = await openPayment(browser, 'tok_autocapture', { tolerates })
    await fail(served, kind)
    const { dialog, fill, confirm } = await openAction(page, 'Refund')
    await fill('Amount', '3.00')
    await confirm()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('was lost, but the payment shows that it was applied').first().waitFor()
    expect(await moved('amountRefunded')).toBe(300)
    expect(await read()).toMatchObject({ transactions: [{}, { amount: 300 }] })
    const sent = await loggedIn(served, 50)
    const applied = sent.filter((entry) => entry.operation === 'payment.refund' && entry.applied)
    expect(applied).toHaveLength(1)
  },
)

browserTest('a refund that never arrived is said to be missing, and can be repeated', async ({ browser }) => {
  const { served, page, moved } = await openPayment(browser, 'tok_autocapture', { tolerates })
  await fail(served, 'drop-before')
  const { dialog, fill, confirm, alert } = await openAction(page, 'Refund')
  await fill('Amount', '3.00')
  await confirm()
  await expect.poll(() => alert.textContent()).toContain("didn't answer, and the payment is unchanged")
  expect(await moved('amountRefunded')).toBe(0)
  await clearFaults(served)
  await confirm()
  await dialog.waitFor({ state: 'detached' })
  expect(await moved('amountRefunded')).toBe(300)
})

browserTest('a second click after a lost answer cannot refund twice', async ({ browser }) => {
  const { served, page, moved } = await openPayment(browser, 'tok_autocapture', { tolerates })
  await fail(served, 'drop-after')
  // The payment can't be read either, so the page can't know.
  await page.route('**/sandbox/record*', (route) => route.abort())
  const { dialog, fill, confirm, alert } = await openAction(page, 'Refund')
  await fill('Amount', '3.00')
  await confirm()
  await expect.poll(() => alert.textContent()).toContain('it is unknown whether this was applied')
  await page.unroute('**/sandbox/record*')
  await clearFaults(served)
  await confirm()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('was lost, but the payment shows that it was applied').first().waitFor()
  expect(await moved('amountRefunded')).toBe(300)
})

browserTest('clicks while a request is on its way send nothing', async ({ browser }) => {
  const { served, page, moved } = await openPayment(browser, 'tok_autocapture')
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/refund', async (route) => {
    await held
    await route.continue()
  })
  const { dialog, fill, confirm } = await openAction(page, 'Refund')
  await fill('Amount', '3.00')
  await confirm()
  await expect.poll(() => dialog.getAttribute('aria-busy')).toBe('true')
  await dialog.getByLabel('Amount').press('Enter')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  expect(await dialog.count()).toBe(1)
  release()
  await dialog.waitFor({ state: 'detached' })
  expect(await moved('amountRefunded')).toBe(300)
  const sent = await loggedIn(served, 50)
  expect(sent.filter(({ operation }) => operation === 'payment.refund')).toHaveLength(1)
})
