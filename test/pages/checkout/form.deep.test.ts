import { expect } from 'vitest'
import type { Locator, Page } from 'playwright-core'
import { browserTest } from '../../support/browser.ts'
import { CARDS, chooseCard, openCheckout, paymentAfter, paymentRequests } from './open-checkout.ts'

const fieldsOf = (page: Page) => ({
  number: page.getByRole('textbox', { name: 'Card number', exact: true }),
  expiry: page.getByRole('textbox', { name: 'Expiry date', exact: true }),
  code: page.getByRole('textbox', { name: 'Security code', exact: true }),
  name: page.getByRole('textbox', { name: 'Name on card', exact: true }),
})

const payButton = (page: Page) => page.getByRole('button', { name: 'Pay 49.90 EUR', exact: true })

/** The text that describes a field to a screen reader. */
async function descriptionOf(page: Page, field: Locator): Promise<string> {
  const ids = (await field.getAttribute('aria-describedby'))?.split(' ') ?? []
  return (await Promise.all(ids.map((id) => page.locator(`#${id}`).innerText()))).join(' ')
}

const isFocused = async (page: Page, field: Locator) =>
  (await page.locator(':focus').getAttribute('id')) === (await field.getAttribute('id'))

browserTest('an empty form says what is missing, and the first field gets the focus', async ({ browser }) => {
  const { page, served } = await openCheckout(browser)
  const fields = fieldsOf(page)
  await payButton(page).click()
  for (const [field, problem] of [
    [fields.number, 'Enter the card number.'],
    [fields.expiry, 'Enter the expiry date as MM/YY.'],
    [fields.code, 'Enter the security code.'],
  ] as const) {
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    expect(await descriptionOf(page, field)).toBe(problem)
  }
  expect(await fields.name.getAttribute('aria-invalid')).toBeNull()
  expect(await isFocused(page, fields.number)).toBe(true)
  expect(await paymentRequests(served)).toEqual([])
})

browserTest('only the invalid field is marked, and correcting it ends that', async ({ browser }) => {
  const { page, served } = await openCheckout(browser)
  const fields = fieldsOf(page)
  await chooseCard(page, CARDS.approved)
  await fields.expiry.fill('01/20')
  await payButton(page).click()
  expect(await descriptionOf(page, fields.expiry)).toBe('The card has expired. Use another card.')
  expect(await isFocused(page, fields.expiry)).toBe(true)
  expect(await page.locator('[aria-invalid]').count()).toBe(1)
  await fields.expiry.fill('12/39')
  expect(await page.locator('[aria-invalid]').count()).toBe(0)
  expect(await paymentRequests(served)).toEqual([])
})

browserTest('a field is judged when the customer leaves it, not while typing', async ({ browser }) => {
  const { page } = await openCheckout(browser)
  const { number, expiry } = fieldsOf(page)
  await number.pressSequentially('4111 1111 1111 1112')
  expect(await number.getAttribute('aria-invalid')).toBeNull()
  await expiry.focus()
  expect(await descriptionOf(page, number)).toBe('The card number is not valid. Check its digits.')
})

browserTest('digits are grouped while typing, and the cursor stays where it is', async ({ browser }) => {
  const { page } = await openCheckout(browser)
  const { number, expiry } = fieldsOf(page)
  await number.pressSequentially('4111111111111111')
  expect(await number.inputValue()).toBe('4111 1111 1111 1111')
  // Replaces the second group from within.
  for (let step = 0; step < 12; step += 1) await number.press('ArrowLeft')
  await number.press('Backspace')
  await number.pressSequentially('9')
  expect(await number.inputValue()).toBe('4111 1911 1111 1111')
  // At the beginning of a group, Backspace takes the digit before the space.
  await number.press('Home')
  for (let step = 0; step < 5; step += 1) await number.press('ArrowRight')
  await number.press('Backspace')
  expect(await number.inputValue()).toBe('4111 9111 1111 111')
  await number.pressSequentially('2')
  expect(await number.inputValue()).toBe('4112 1911 1111 1111')
  await expiry.pressSequentially('430')
  expect(await expiry.inputValue()).toBe('04/30')
  for (let step = 0; step < 5; step += 1) await expiry.press('Backspace')
  expect(await expiry.inputValue()).toBe('')
})

browserTest('the scheme is recognized, and decides on groups and security code', async ({ browser }) => {
  const { page } = await openCheckout(browser)
  const { number, code, expiry } = fieldsOf(page)
  await number.fill('378282246310005')
  expect(await number.inputValue()).toBe('3782 822463 10005')
  expect(await page.locator('.badge').innerText()).toBe('American Express')
  expect(await descriptionOf(page, code)).toBe('4 digits on the front')
  await code.fill('123')
  await expiry.fill('12/39')
  await payButton(page).click()
  expect(await descriptionOf(page, code)).toBe('The security code of an American Express card has 4 digits.')
})

browserTest('browsers can fill the form, and phones show the right keys', async ({ browser }) => {
  const { page } = await openCheckout(browser)
  const facts = await Promise.all(
    Object.values(fieldsOf(page)).map(async (field) => [
      await field.getAttribute('autocomplete'),
      await field.getAttribute('inputmode'),
    ]),
  )
  expect(facts).toEqual([
    ['cc-number', 'numeric'],
    ['cc-exp', 'numeric'],
    ['cc-csc', 'numeric'],
    ['cc-name', 'text'],
  ])
})

browserTest(
  'a card that the sandbox does not know is refused with the reason, and nothing is charged',
  async ({ browser }) => {
    const { page, served } = await openCheckout(browser)
    await chooseCard(page, CARDS.approved)
    await fieldsOf(page).number.fill('4012888888881881')
    await payButton(page).click()
    const alert = page.getByRole('alert')
    await alert.waitFor()
    expect(await alert.innerText()).toContain('Nothing was charged.')
    expect(await alert.innerText()).not.toContain('4012')
    expect(await page.locator(':focus').innerText()).toBe('Pay 49.90 EUR')
    expect(await paymentRequests(served)).toEqual([])
  },
)

browserTest('two clicks, and Enter, pay once', async ({ browser }) => {
  const checkout = await openCheckout(browser)
  const { page, served } = checkout
  await chooseCard(page, CARDS.approved)
  await payButton(page).dblclick()
  await paymentAfter(checkout, 'Payment successful')
  expect(await paymentRequests(served)).toHaveLength(1)
})

browserTest(
  'the button is disabled while the payment is on its way, and the page says so',
  async ({ browser }) => {
    const checkout = await openCheckout(browser)
    const { page } = checkout
    let release = (): void => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/payments', async (route) => {
      await held
      await route.continue()
    })
    await chooseCard(page, CARDS.approved)
    await fieldsOf(page).name.press('Enter')
    await page.getByText("Paying 49.90 EUR… Don't close this page.").waitFor()
    expect(await payButton(page).isDisabled()).toBe(true)
    expect(await fieldsOf(page).number.inputValue(), 'the card is forgotten once it is a token').toBe('')
    release()
    await paymentAfter(checkout, 'Payment successful')
  },
)

browserTest('two submissions before the page can draw itself pay once', async ({ browser }) => {
  const checkout = await openCheckout(browser)
  const { page, served } = checkout
  await chooseCard(page, CARDS.approved)
  await page.evaluate('for (const form of [document.forms[0], document.forms[0]]) form.requestSubmit()')
  await paymentAfter(checkout, 'Payment successful')
  expect(await paymentRequests(served)).toHaveLength(1)
})
