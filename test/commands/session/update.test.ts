import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createBench } from '../../support/run-pay.ts'
import type { Bench } from '../../support/run-pay.ts'

let bench: Bench
let clientToken: string
beforeEach(async () => {
  bench = createBench()
  const created = await bench.runPay(
    "--sandbox session create --order-id A-1 --customer-id c-1 --amount '10.00 EUR' --metadata a=1 --email ada@example.com -o id",
  )
  clientToken = created.stdout.trim()
})
afterEach(() => {
  bench.dispose()
})

const update = (words: readonly string[]) =>
  bench.runPay(['--sandbox', 'session', 'update', '--client-token', clientToken, ...words])

async function changed(words: readonly string[]): Promise<unknown> {
  const result = await update([...words, '--json'])
  expect(result).toMatchObject({ exitCode: 0 })
  const body: unknown = JSON.parse(result.stdout)
  return body
}

test('only what is given is sent', async () => {
  const result = await update(['--order-id', 'A-2'])
  expect(JSON.parse(result.requests[0]?.body ?? '')).toEqual({ clientToken, orderId: 'A-2' })
})

test('an object is replaced as a whole, and a field that is not named stays', async () => {
  expect(await changed(['--metadata', 'b=2'])).toMatchObject({ orderId: 'A-1', metadata: { b: '2' } })
  expect(await changed([])).not.toMatchObject({ metadata: { a: '1' } })
})

test('--unset sends null, and the field is gone', async () => {
  const result = await update(['--unset', 'customerId', '--unset', 'customer.emailAddress', '--json'])
  expect(JSON.parse(result.requests[0]?.body ?? '')).toEqual({
    clientToken,
    customerId: null,
    customer: { emailAddress: null },
  })
  expect(JSON.parse(result.stdout)).not.toHaveProperty('customerId')
})

test('null in --data and in --set clears as well', async () => {
  expect(await changed(['--data', '{"customerId":null}'])).not.toHaveProperty('customerId')
  expect(await changed(['--set', 'orderId:=null'])).not.toHaveProperty('orderId')
})

describe('refused before anything is sent', () => {
  test.each([
    ['--unset custommerId', ['--unset', 'custommerId'], 'did you mean \\"customerId\\"'],
    ['--unset of no path', ['--unset', ''], 'is empty'],
    ['--unset __proto__', ['--unset', '__proto__.x'], '__proto__'],
    ['paymentMethod.options', ['--set', 'paymentMethod.options:={"PAYMENT_CARD":{}}'], 'cannot be updated'],
    ['paymentMethod.options as null', ['--unset', 'paymentMethod.options'], 'cannot be updated'],
    ['a client token of null', ['--no-input', '--data', '{"clientToken":null}'], ''],
    ['a negative amount', ['--set', 'amount:=-1'], 'must be 0 or more'],
    ['an unknown currency', ['--currency', 'EUX'], 'not an ISO 4217 code'],
    ['metadata that is no map', ['--set', 'metadata:=true'], 'an object'],
  ])('%s', async (_, words, says) => {
    const token = words.includes('--no-input') ? [] : ['--client-token', clientToken]
    const result = await bench.runPay(['--sandbox', 'session', 'update', ...token, ...words, '--json'])
    expect(result).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
    expect(result.stderr).toContain(says)
  })

  test('two readers of stdin', async () => {
    const result = await bench.runPay('--sandbox session update --client-token - --data -', { stdin: '{}' })
    expect(result).toMatchObject({ exitCode: 2, requests: [] })
    expect(result.stderr).toContain('--data and --client-token cannot both be read from stdin')
  })

  test('stdin with more than one word, or none, where a token is needed', async () => {
    for (const stdin of ['', '\n', 'a b', 'a\nb\n']) {
      const result = await bench.runPay('--sandbox session update --client-token - --order-id x', { stdin })
      expect(result).toMatchObject({ exitCode: 2, requests: [] })
      expect(result.stderr).toContain('one token is required')
    }
  })
})

test('a client token that the service does not know is a refusal', async () => {
  const result = await bench.runPay('--sandbox session update --client-token nope --order-id x --json')
  expect(result).toMatchObject({ exitCode: 3, stdout: '' })
  expect(result.stderr).toContain('"errorId":"ClientSessionValidationError"')
})

test('a client token of more than 24 hours is refused by the clock of the sandbox', async () => {
  await bench.runPay('sandbox clock advance 25h')
  const result = await bench.runPay(['--sandbox', 'session', 'get', '--client-token', clientToken, '--json'])
  expect(result).toMatchObject({ exitCode: 3, stdout: '' })
  expect(result.stderr).toContain('ClientSessionValidationError')
})

test('get answers the session without its token', async () => {
  const result = await bench.runPay(['--sandbox', 'session', 'get', '--client-token', clientToken, '--json'])
  expect(JSON.parse(result.stdout)).toMatchObject({ orderId: 'A-1', amount: 1000, currencyCode: 'EUR' })
  expect(result.stdout).not.toContain(clientToken)
  expect(result.stderr).not.toContain(clientToken)
})

describe('a change of the order', () => {
  const LINE = ['--line-item', 'name=Shoe,amount=1250']
  const SAYS = 'The amount was not recalculated: it stays 10.00 EUR, and the order comes to 12.50 EUR.'

  test.each([
    ['of its lines', LINE],
    ['in the other form', ['--set', 'lineItems:=[{"amount":1250}]']],
    ['by shipping', ['--set', 'order.shipping.amount:=1250']],
  ])('%s leaves an amount of its own, and says so', async (_, words) => {
    const result = await update([...words, '--json', '-q'])
    expect(result.exitCode).toBe(0)
    expect(JSON.parse(result.stdout)).toMatchObject({ amount: 1000 })
    expect(result.stderr).toContain(`Warning: ${SAYS}`)
  })

  test.each([
    ['with its amount', [...LINE, '--amount', '1100']],
    ['with its amount cleared', [...LINE, '--unset', 'amount']],
    ['that comes to the amount', ['--line-item', 'amount=500,quantity=2']],
    ['without any amount in it', ['--country', 'DE']],
    ['that is cleared', ['--unset', 'order']],
  ])('%s needs no words', async (_, words) => {
    const result = await update([...words, '--json'])
    expect(result.exitCode).toBe(0)
    expect(result.stderr).not.toContain('recalculated')
  })
})
