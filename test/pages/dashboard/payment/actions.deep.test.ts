import { expect } from 'vitest'
import { browserTest } from '../../../support/browser.ts'
import { ESTIMATED, openAction, openPayment } from '../open-payment.ts'

browserTest('a refund of a part is sent once, and the page shows it', async ({ browser }) => {
  const { page, read, moved } = await openPayment(browser, 'tok_visa', { captured: 1000 })
  const { dialog, fill, confirm } = await openAction(page, 'Refund')
  await fill('Amount', '3.50')
  expect(await dialog.getByText('3.50 EUR', { exact: true }).count()).toBe(2)
  expect(await dialog.getByText('6.50 EUR').count()).toBe(1)
  await fill('Reason', 'damaged in transit')
  await confirm()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('damaged in transit').first().waitFor()
  expect(await moved('amountRefunded')).toBe(350)
  expect(await read()).toMatchObject({ transactions: [{}, { amount: 350, reason: 'damaged in transit' }] })
})

browserTest.for([
  ['', 700],
  ['all', 700],
  ['half', 350],
  ['2,50', 250],
] as const)('"%s" of 7.00 EUR refunds %i', async ([text, refunded], { browser }) => {
  const { page, moved } = await openPayment(browser, 'tok_visa', { captured: 700 })
  const { dialog, fill, confirm } = await openAction(page, 'Refund')
  expect(await dialog.getByText('Empty: all of it, 7.00 EUR.').count()).toBe(1)
  await fill('Amount', text)
  await confirm()
  await dialog.waitFor({ state: 'detached' })
  expect(await moved('amountRefunded')).toBe(refunded)
  const isLeft = refunded < 700
  await expect
    .poll(() => page.getByRole('button', { name: 'Refund', exact: true }).count())
    .toBe(isLeft ? 1 : 0)
})

browserTest.for([
  ['a final capture releases the rest', true, 'SETTLED'],
  ['a capture that is not final leaves the rest', false, 'PARTIALLY_SETTLED'],
] as const)('%s', async ([, isFinal, status], { browser }) => {
  const { page, read, moved } = await openPayment(browser, 'tok_visa')
  const { dialog, fill, confirm } = await openAction(page, 'Capture')
  await fill('Amount', '4.00 EUR')
  const box = dialog.getByRole('checkbox', { name: 'Final: release the rest' })
  expect(await box.isChecked()).toBe(true)
  await box.setChecked(isFinal)
  expect(await dialog.getByText(isFinal ? 'releases 6.00 EUR' : '6.00 EUR, still to capture').count()).toBe(1)
  await confirm()
  await dialog.waitFor({ state: 'detached' })
  expect(await read()).toMatchObject({ status })
  expect(await moved('amountCaptured')).toBe(400)
})

browserTest('a capture of everything asks nothing about the rest', async ({ browser }) => {
  const { page, read } = await openPayment(browser, 'tok_visa')
  const { dialog, confirm } = await openAction(page, 'Capture')
  expect(await dialog.getByRole('checkbox').count()).toBe(0)
  await confirm()
  await dialog.waitFor({ state: 'detached' })
  expect(await read()).toMatchObject({ status: 'SETTLED' })
})

browserTest('a cancellation says what it releases', async ({ browser }) => {
  const { page, read } = await openPayment(browser, 'tok_visa')
  const { dialog, confirm } = await openAction(page, 'Cancel')
  expect(await dialog.getByText('releases 10.00 EUR').count()).toBe(1)
  expect(await dialog.getByText('the customer must pay again').count()).toBe(1)
  await confirm()
  await dialog.waitFor({ state: 'detached' })
  expect(await read()).toMatchObject({ status: 'CANCELLED' })
})

browserTest('an adjustment sets the new total', async ({ browser }) => {
  const { page, read } = await openPayment(browser, 'tok_visa', { more: ESTIMATED })
  const { dialog, fill, confirm } = await openAction(page, 'Adjust')
  await fill('Amount', '12.50')
  expect(await dialog.getByText('12.50 EUR (2.50 EUR more)').count()).toBe(1)
  await confirm()
  await dialog.waitFor({ state: 'detached' })
  expect(await read()).toMatchObject({ amount: 1250 })
})

browserTest('a declined payment is authorized through another processor', async ({ browser }) => {
  const { page, read } = await openPayment(browser, 'tok_failed')
  const { dialog, confirm } = await openAction(page, 'Authorize')
  await dialog.getByLabel('Processor').selectOption({ label: 'Sandbox Beta (beta-1)' })
  expect(await dialog.getByText('through Sandbox Beta (beta-1)').count()).toBe(1)
  await confirm()
  await dialog.waitFor({ state: 'detached' })
  expect(await read()).toMatchObject({ processor: { processorMerchantId: 'beta-1' } })
})

browserTest.for([
  ['Approve', 'AUTHORIZED'],
  ['Reject', 'DECLINED'],
] as const)('%s for the customer, then resume: %s', async ([answer, status], { browser }) => {
  const { page, read } = await openPayment(browser, 'tok_3ds')
  await page.getByRole('button', { name: answer, exact: true }).click()
  await page.getByText('Resume the payment to continue.').first().waitFor()
  const { dialog, confirm } = await openAction(page, 'Resume')
  await confirm()
  await dialog.waitFor({ state: 'detached' })
  expect(await read()).toMatchObject({ status })
})

browserTest.for([
  ['tok_visa', {}, ['Capture', 'Cancel']],
  ['tok_visa', ESTIMATED, ['Capture', 'Cancel', 'Adjust']],
  ['tok_autocapture', {}, ['Refund']],
  ['tok_declined', {}, ['Authorize']],
  ['tok_3ds', {}, ['Cancel', 'Authorize', 'Resume']],
] as const)('%s %j allows %j', async ([token, more, actions], { browser }) => {
  const { page } = await openPayment(browser, token, { more })
  expect(await page.locator('.actions').getByRole('button').allTextContents()).toEqual(actions)
})

browserTest('a payment of which a part is captured can be captured and refunded', async ({ browser }) => {
  const { page } = await openPayment(browser, 'tok_visa', { captured: 300 })
  expect(await page.locator('.actions').getByRole('button').allTextContents()).toEqual(['Capture', 'Refund'])
})
