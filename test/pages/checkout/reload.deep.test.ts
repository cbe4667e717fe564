import { expect } from 'vitest'
import { browserTest } from '../../support/browser.ts'
import { control } from '../../sandbox/controls/call-control.ts'
import {
  CARDS,
  addFault,
  chooseCard,
  countPayments,
  openCheckout,
  payWith,
  paymentAfter,
  paymentRequests,
} from './open-checkout.ts'

const CUT = { tolerates: /net::ERR_|Failed to load resource/ }

browserTest('a reload while typing forgets the card', async ({ browser }) => {
  const { page } = await openCheckout(browser)
  await chooseCard(page, CARDS.approved)
  await page.reload()
  await page.getByRole('button', { name: /^Pay / }).waitFor()
  expect(await page.getByLabel('Card number').inputValue()).toBe('')
  expect(await page.getByLabel('Security code').inputValue()).toBe('')
})

browserTest('a reload while the payment is sent finds it', async ({ browser }) => {
  const checkout = await openCheckout(browser, { open: CUT })
  const { page, served } = checkout
  await addFault(served, { on: 'POST /payments', do: 'drop-after' })
  await payWith(page, CARDS.approved)
  await page.getByRole('heading', { name: 'Payment not confirmed yet' }).waitFor()
  await page.reload()
  await paymentAfter(checkout, 'Payment successful')
  expect(await countPayments(served)).toBe(1)
})

browserTest('a reload during the challenge continues it', async ({ browser }) => {
  const checkout = await openCheckout(browser)
  const { page, served } = checkout
  await payWith(page, CARDS.challenge)
  await page.getByRole('button', { name: 'Approve' }).waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Approve' }).click()
  await paymentAfter(checkout, 'Payment successful')
  expect(await paymentRequests(served)).toHaveLength(1)
})

browserTest('a reload while waiting for a third party continues to wait', async ({ browser }) => {
  const checkout = await openCheckout(browser)
  const { page, served } = checkout
  await page.getByRole('radio', { name: 'iDEAL' }).check()
  await page.getByRole('button', { name: /^Pay / }).click()
  await page.getByRole('heading', { name: 'Waiting for iDEAL' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Waiting for iDEAL' }).waitFor()
  const { data } = await served.ok('GET', '/payments')
  const [id] = Array.isArray(data) ? data.map((payment) => String(Object(payment).id)) : []
  // Answered elsewhere.
  const { body } = await control(served, 'POST', '/sandbox/challenge', { paymentId: id, outcome: 'fail' })
  await served.ok('POST', `/payments/${id}/resume`, { resumeToken: body['resumeToken'] })
  expect(await paymentAfter(checkout, 'Payment declined')).toMatchObject({ id })
})

browserTest('a reload after success shows it again, and after a decline the form', async ({ browser }) => {
  const checkout = await openCheckout(browser)
  const { page, served } = checkout
  await payWith(page, CARDS.declined)
  await paymentAfter(checkout, 'Payment declined')
  await page.reload()
  await payWith(page, CARDS.approved)
  const paid = await paymentAfter(checkout, 'Payment successful')
  await page.reload()
  expect(await paymentAfter(checkout, 'Payment successful')).toMatchObject({ id: paid['id'] })
  expect(await countPayments(served)).toBe(2)
})

browserTest('a session that is paid in another tab is not paid twice', async ({ browser }) => {
  const checkout = await openCheckout(browser)
  const { page, served } = checkout
  const other = await page.context().newPage()
  await other.goto(page.url())
  await other.getByRole('button', { name: /^Pay / }).waitFor()
  await payWith(page, CARDS.approved)
  const paid = await paymentAfter(checkout, 'Payment successful')
  await payWith(other, '5555555555554444')
  expect(await paymentAfter({ ...checkout, page: other }, 'Payment successful')).toMatchObject({
    id: paid['id'],
  })
  expect(await countPayments(served)).toBe(1)
})

browserTest('two tabs that pay at the same moment make one payment', async ({ browser }) => {
  const checkout = await openCheckout(browser)
  const { page, served } = checkout
  // This tab has passed its last look at the session when the other one pays.
  await page.route(
    '**/payments',
    async (route) => {
      const { body } = await control(served, 'POST', '/sandbox/tokenize', {
        card: CARDS.approved,
        clientToken: checkout.clientToken,
      })
      await served.handle({
        method: 'POST',
        url: '/payments',
        headers: { authorization: `Bearer ${checkout.clientToken}`, 'x-api-version': '2.1' },
        body: JSON.stringify(body),
      })
      await route.continue()
    },
    { times: 1 },
  )
  await payWith(page, '5555555555554444')
  expect(await paymentAfter(checkout, 'Payment successful')).toMatchObject({
    paymentMethod: { paymentMethodData: { last4Digits: '1111' } },
  })
  expect((await paymentRequests(served)).map(({ errorId }) => errorId)).toContain(
    'PaymentRequestLimitExceeded',
  )
})

browserTest(
  'a price that the shop changes in the meantime is shown before anything is charged',
  async ({ browser }) => {
    const checkout = await openCheckout(browser)
    const { page, served, clientToken } = checkout
    await chooseCard(page, CARDS.approved)
    await served.ok('PATCH', '/client-session', { clientToken, amount: 5990, currencyCode: 'EUR' })
    await page.getByRole('button', { name: 'Pay 49.90 EUR' }).click()
    await page.getByText('The shop has changed the order').waitFor()
    expect(await paymentRequests(served)).toEqual([])
    await page.getByRole('button', { name: 'Pay 59.90 EUR' }).click()
    expect(await paymentAfter(checkout, 'Payment successful')).toMatchObject({ amount: 5990 })
  },
)
