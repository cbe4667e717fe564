import { expect } from 'vitest'
import { addFault, faultsIn } from '../../../sandbox/service.ts'
import { browserTest, expectAccessible, expectFitsWidth, WIDTHS } from '../../../support/browser.ts'
import { PLAIN_FAULT_KINDS } from '../../../../src/sandbox/faults/fault.ts'
import { openPages } from '../../served-pages.ts'

browserTest('faults are added, count what they meet, and are cleared', async ({ browser }) => {
  const served = await openPages()
  const { at, sandbox } = served
  const page = await browser.open(at('/dashboard/faults'))
  await page.getByText('No faults').waitFor()
  expect(await page.getByRole('button', { name: 'Clear faults' }).isDisabled()).toBe(true)
  await page.getByLabel('On', { exact: true }).fill('GET /payments/*')
  await page.getByLabel('Do', { exact: true }).fill('status=503')
  await page.getByLabel('Rate').fill('1')
  await page.getByLabel('Times').fill('1')
  await page.getByRole('button', { name: 'Add fault' }).click()
  const row = page.getByRole('table', { name: 'Faults' }).getByRole('row').nth(1)
  await row.waitFor()
  expect(await faultsIn({ sandbox })).toMatchObject([
    { on: 'GET /payments/*', do: 'status=503', rate: 1, times: 1, skip: 0 },
  ])
  expect(await row.getByRole('cell').allTextContents()).toEqual(
    expect.arrayContaining(['GET /payments/*', 'status=503', '0']),
  )

  expect(await served.call('GET', '/payments/p1')).toMatchObject({ status: 503 })
  expect(await served.call('GET', '/payments/p1')).toMatchObject({ status: 400 })
  await expect
    .poll(async () => (await row.getByRole('cell').allTextContents()).slice(2, 4))
    .toEqual(['2', '1'])

  await page.getByRole('button', { name: 'Clear faults' }).click()
  await page.getByText('No faults').waitFor()
  expect(await faultsIn({ sandbox })).toEqual([])
})

browserTest('a refused fault says what is wrong with each field', async ({ browser }) => {
  const { at, sandbox } = await openPages()
  const page = await browser.open(at('/dashboard/faults'))
  await page.getByLabel('On', { exact: true }).fill('nothing')
  await page.getByLabel('Do', { exact: true }).fill('drop-aftr')
  await page.getByLabel('Rate').fill('often')
  await page.getByRole('button', { name: 'Add fault' }).click()
  await page.getByText('did you mean drop-after?').waitFor()
  for (const label of ['On', 'Do', 'Rate'])
    expect(await page.getByLabel(label, { exact: true }).getAttribute('aria-invalid')).toBe('true')
  expect(await page.getByLabel('Times').getAttribute('aria-invalid')).toBeNull()
  expect(await faultsIn({ sandbox })).toEqual([])
  await expectAccessible(page)
})

browserTest('the page explains every kind of fault, and fills one in by keyboard', async ({ browser }) => {
  const { at } = await openPages()
  const page = await browser.open(at('/dashboard/faults'))
  for (const kind of [...PLAIN_FAULT_KINDS, 'delay=2s', 'status=503', '429=30'])
    await page.getByRole('button', { name: kind, exact: true }).waitFor()
  const chosen = page.getByRole('button', { name: 'drop-after' })
  await chosen.focus()
  await page.keyboard.press('Enter')
  const effect = page.getByRole('textbox', { name: 'Do', exact: true })
  expect(await effect.inputValue()).toBe('drop-after')
  await page.getByText('The connection is cut instead of a response. The request is applied.').waitFor()
  await effect.fill('status=404')
  expect(await page.getByRole('button', { name: 'status=503' }).getAttribute('aria-pressed')).toBe('true')
  await page.getByText('The response has this status').waitFor()
  for (const width of Object.values(WIDTHS)) await expectFitsWidth(page, width)
  await expectAccessible(page)
})

browserTest('a fault that breaks the page itself is shown, and can be cleared', async ({ browser }) => {
  const { at, sandbox } = await openPages()
  await addFault({ sandbox }, { on: '* /**', do: 'status=500', rate: 1, seed: 1, skip: 0 })
  const page = await browser.open(at('/dashboard/faults'))
  await page.getByRole('button', { name: 'Clear faults' }).click()
  await page.getByText('No faults').waitFor()
})
