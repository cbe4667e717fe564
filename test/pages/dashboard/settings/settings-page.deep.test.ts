import { expect } from 'vitest'
import { changeSettings } from '../../../sandbox/service.ts'
import { browserTest, expectAccessible, expectFitsWidth, WIDTHS } from '../../../support/browser.ts'
import type { Page } from '../../../support/browser.ts'
import { openPages } from '../../served-pages.ts'

const method = (page: Page, name: string) => page.getByRole('group', { name })

browserTest('settings are shown, changed and saved', async ({ browser }) => {
  const { at, sandbox } = await openPages()
  const page = await browser.open(at('/dashboard/settings'))
  const secure = page.getByRole('combobox', { name: '3D Secure' })
  expect(await secure.inputValue()).toBe('auto')
  const offered = ['Card', 'PayPal', 'Klarna', 'iDEAL']
  for (const name of [...offered, 'Google Pay', 'Boleto'])
    expect(await page.getByRole('checkbox', { name }).isChecked()).toBe(offered.includes(name))
  expect(await method(page, 'Klarna').getByLabel('Currencies').inputValue()).toBe('EUR')

  await secure.selectOption('always')
  await page.getByRole('combobox', { name: 'Authorization type' }).selectOption('ESTIMATED')
  await page.getByRole('checkbox', { name: 'Show surcharges' }).uncheck()
  for (const name of ['Card', 'Klarna', 'iDEAL']) await page.getByRole('checkbox', { name }).uncheck()
  await method(page, 'PayPal').getByLabel('Currencies').fill('eur; usd ')
  await method(page, 'PayPal').getByLabel('Countries').fill('DE NL')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('✓ Saved').waitFor()
  expect(await sandbox.read(({ store }) => store.settings.checkout())).toEqual({
    methods: [{ type: 'PAYPAL', currencies: ['EUR', 'USD'], countries: ['DE', 'NL'] }],
    threeDSecure: 'always',
    authorizationType: 'ESTIMATED',
    showSurcharges: false,
  })
  expect(await method(page, 'PayPal').getByLabel('Currencies').inputValue()).toBe('EUR, USD')

  await page.reload()
  await expect.poll(() => secure.inputValue()).toBe('always')
  expect(await page.getByRole('checkbox', { name: 'Card' }).isChecked()).toBe(false)
})

browserTest('a refusal names the field, and nothing is saved', async ({ browser }) => {
  const { at, sandbox } = await openPages()
  const page = await browser.open(at('/dashboard/settings'))
  const countries = method(page, 'Klarna').getByLabel('Countries')
  await countries.fill('DE, XX')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alert').waitFor()
  expect(await countries.getAttribute('aria-invalid')).toBe('true')
  expect(await page.getByRole('alert').textContent()).toBe('must be an ISO 3166-1 code such as DE')
  expect(await method(page, 'PayPal').getByLabel('Countries').getAttribute('aria-invalid')).toBeNull()
  expect((await sandbox.read(({ store }) => store.settings.checkout())).methods[2]).toMatchObject({
    countries: [],
  })
  await expectAccessible(page)
})

browserTest('settings changed elsewhere appear, unless the form has changes', async ({ browser }) => {
  const { at, sandbox } = await openPages()
  const page = await browser.open(at('/dashboard/settings'))
  const secure = page.getByRole('combobox', { name: '3D Secure' })
  await secure.waitFor()
  await changeSettings({ sandbox }, { threeDSecure: 'never' })
  await expect.poll(() => secure.inputValue()).toBe('never')
  await page.getByRole('checkbox', { name: 'Boleto' }).check()
  await changeSettings({ sandbox }, { threeDSecure: 'always' })
  const loaded = page.waitForResponse('**/sandbox/settings')
  await changeSettings({ sandbox }, { showSurcharges: false })
  await loaded
  expect(await page.getByRole('checkbox', { name: 'Boleto' }).isChecked()).toBe(true)
  expect(await secure.inputValue()).toBe('never')
})

browserTest('the settings are saved by keyboard alone', async ({ browser }) => {
  const { at, sandbox } = await openPages()
  const page = await browser.open(at('/dashboard/settings'))
  await page.getByRole('combobox', { name: '3D Secure' }).waitFor()
  const focused = () => page.evaluate<string>('document.activeElement.labels?.[0]?.textContent ?? ""')
  for (let presses = 0; (await focused()) !== '3D Secure'; presses += 1) {
    expect(presses).toBeLessThan(30)
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('n')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await page.keyboard.press('Enter')
  await page.getByText('✓ Saved').waitFor()
  expect(await sandbox.read(({ store }) => store.settings.checkout())).toMatchObject({
    threeDSecure: 'never',
    showSurcharges: false,
  })
})

browserTest('the page of settings fits every width and is accessible', async ({ browser }) => {
  const { at } = await openPages()
  const page = await browser.open(at('/dashboard/settings'))
  await page.getByRole('button', { name: 'Save' }).waitFor()
  for (const width of Object.values(WIDTHS)) await expectFitsWidth(page, width)
  await expectAccessible(page)
})
