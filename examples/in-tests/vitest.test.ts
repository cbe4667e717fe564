import { expect, onTestFinished, test } from 'vitest'
import { startSandbox } from 'payctl/sandbox'

test('a refund is made exactly once although the answer was lost', async () => {
  const sandbox = await startSandbox()
  onTestFinished(() => sandbox.close())
  const post = (path: string, body: object, headers?: HeadersInit) =>
    sandbox.fetch(path, { method: 'POST', body: JSON.stringify(body), headers })
  const order = { paymentMethodToken: 'tok_autocapture', amount: 4990, currencyCode: 'EUR', orderId: 'A-1' }
  const { id } = await (await post('/payments', order)).json()
  await sandbox.faults.add({ on: 'POST /payments/*/refund', do: 'drop-after', times: 1 })
  // In place of your code, which tries again with the same key.
  const refund = () => post(`/payments/${id}/refund`, { amount: 500 }, { 'X-Idempotency-Key': 'ticket-7' })
  await refund().catch(refund)
  const refunds = await sandbox.requests({ on: 'POST /payments/*/refund' })
  expect(refunds.map(({ applied }) => applied)).toEqual([true, false])
})
