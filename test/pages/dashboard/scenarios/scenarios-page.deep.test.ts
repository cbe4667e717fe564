import { expect } from 'vitest'
import { browserTest, expectAccessible, expectFitsWidth, WIDTHS } from '../../../support/browser.ts'
import { SCENARIOS } from '../../../../src/sandbox/domain/scenarios/scenarios.ts'
import { wordsOf } from '../../../../src/pages/page/words.ts'
import { openPages } from '../../served-pages.ts'

browserTest('scenarios are listed with what they do', async ({ browser }) => {
  const { at } = await openPages()
  const page = await browser.open(at('/dashboard/scenarios'))
  const cards = page.getByRole('table', { name: 'Cards and tokens' })
  await cards.waitFor()
  const text = ((await cards.textContent()) ?? '').toLowerCase()
  for (const { token, card, outcome, what } of SCENARIOS.paymentMethods)
    for (const part of [token, card ?? '', wordsOf(outcome), what.replaceAll('`', '')])
      expect(text).toContain(part.toLowerCase())
  for (const [table, part] of [
    ['Processors', 'shared-1'],
    ['Loyalty connections', 'points-1'],
    ['Client sessions', 'third-party-unavailable'],
    ['On the clock', 'SETTLED'],
  ] as const)
    expect(await page.getByRole('table', { name: table }).textContent()).toContain(part)
  for (const width of Object.values(WIDTHS)) await expectFitsWidth(page, width)
  await expectAccessible(page)
})
