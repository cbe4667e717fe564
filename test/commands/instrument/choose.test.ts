import { beforeEach, describe, expect, test } from 'vitest'
import { jsonAnswer } from '../../support/run-pay.ts'
import { useBench } from '../../support/use-bench.ts'
import type { RunOptions } from '../../support/run-pay.ts'
import { storeProfile } from '../../support/stored-profile.ts'

const bench = useBench()

const METHODS = {
  data: [
    {
      token: 'pm-secret-one',
      paymentMethodType: 'PAYMENT_CARD',
      paymentMethodData: {
        network: 'VISA',
        last4Digits: '4242',
        expirationMonth: '12',
        expirationYear: '2031',
      },
      default: true,
      customerId: 'c-1',
    },
    { token: 'pm-secret-two', paymentMethodType: 'PAYPAL', default: false, description: 'hers\u001B[2J' },
    { token: 'pm-secret-gone', paymentMethodType: 'PAYPAL', deleted: true },
  ],
}
const service: RunOptions['service'] = ({ method }) =>
  jsonAnswer(200, method === 'GET' ? METHODS : { token: 'x', deleted: true })

const deleted = (requests: readonly { readonly method: string; readonly url: string }[]) =>
  requests.filter(({ method }) => method === 'DELETE').map(({ url }) => url.replace(/^.*\//, ''))

describe('a missing saved method', () => {
  beforeEach(() => storeProfile(bench))

  test('is chosen from those of a customer, without showing tokens', async () => {
    const sent = await bench.runPay('instrument delete --color never', {
      answers: { 'Customer ID': 'c-1', Token: 'pm-secret-two' },
      service,
    })
    expect(sent.exitCode).toBe(0)
    expect(deleted(sent.requests)).toEqual(['pm-secret-two'])
    expect(sent.offered['Token']).toEqual([
      'VISA •••• 4242 (12/2031)  ✓ default',
      'PAYPAL                               hers\\u001b[2J',
    ])
    expect(sent.stderr).toMatch(/^Method +PAYPAL$/m)
    expect(sent.stderr).toMatch(/^Default +no$/m)
    expect(sent.stderr).toMatch(/^Customer +c-1$/m)
    expect(sent.stderr).not.toContain('pm-secret')
  })

  test('is typed if no customer is given', async () => {
    const sent = await bench.runPay('instrument delete', {
      answers: { 'Customer ID': '', Token: 'pm-secret-two' },
      service,
    })
    expect(deleted(sent.requests)).toEqual(['pm-secret-two'])
    expect(sent.offered).toEqual({})
  })

  test('is typed if the key lacks the scope to list them', async () => {
    const sent = await bench.runPay('instrument delete --customer-id c-1 --color never', {
      answers: { Token: 'pm-secret-two' },
      service: ({ method }) => (method === 'GET' ? jsonAnswer(403, {}) : jsonAnswer(200, { deleted: true })),
    })
    expect(deleted(sent.requests)).toEqual(['pm-secret-two'])
    expect(sent.stderr).toMatch(/^Method +unknown$/m)
  })

  test('is an error in a script', async () => {
    const refused = await bench.runPay('instrument delete --customer-id c-1', { service })
    expect(refused).toMatchObject({ exitCode: 2, requests: [] })
  })
})

describe('before a saved method is deleted', () => {
  test('shows it on a live profile and asks for confirmation', async () => {
    await storeProfile(bench, { mode: 'live' })
    const refused = await bench.runPay('instrument delete pm-secret-one --customer-id c-1 --color never', {
      answers: { Confirm: false },
      service,
    })
    expect(refused.exitCode).toBe(2)
    expect(deleted(refused.requests)).toEqual([])
    await expect(refused.stderr).toMatchFileSnapshot('../../golden/views/preview-instrument-delete.txt')
  })

  test('shows unknown fields as unknown', async () => {
    await storeProfile(bench)
    const sent = await bench.runPay('instrument delete pm-secret-one --color never', {
      tty: true,
      columns: 120,
      service,
    })
    expect(sent.requests.map(({ method }) => method)).toEqual(['DELETE'])
    expect(sent.stderr).toMatch(/^Method +unknown$/m)
    expect(sent.stderr).toContain('add --customer-id ID')
  })

  test('neither reads nor shows it in a script', async () => {
    await storeProfile(bench)
    const sent = await bench.runPay('instrument delete pm-secret-one --customer-id c-1', { service })
    expect(sent.requests.map(({ method }) => method)).toEqual(['DELETE'])
    expect(sent.stderr).toBe('')
  })
})
