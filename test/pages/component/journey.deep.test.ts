import { expect } from 'vitest'
import { browserTest } from '../../support/browser.ts'
import { CARDS } from '../checkout/open-checkout.ts'
import { openMerchant } from './merchant.ts'

browserTest(
  'onFail gets each failure with its reason, and the customer tries again in place',
  async ({ browser }) => {
    const { checkout, calls } = await openMerchant(browser)
    await checkout.getByRole('button', { name: CARDS.declined }).click()
    await checkout.getByRole('button', { name: /^Pay / }).click()
    await checkout.getByRole('button', { name: 'Try again' }).click()
    await checkout.getByRole('button', { name: CARDS.challenge }).click()
    await checkout.getByRole('button', { name: /^Pay / }).click()
    await checkout.getByRole('button', { name: 'Approve' }).click()
    await checkout.getByText('Payment successful').waitFor()
    expect(await calls()).toEqual([
      { name: 'fail', paymentId: expect.any(String), status: 'DECLINED', reason: 'INSUFFICIENT_FUNDS' },
      { name: 'complete', paymentId: expect.any(String), status: 'AUTHORIZED' },
    ])
  },
)
