import { beforeEach, describe, expect, test } from 'vitest'
import { useBench } from '../../support/use-bench.ts'

const bench = useBench()
let clientToken: string
beforeEach(async () => {
  const created = await bench.runPay(
    "--sandbox session create --order-id A-1 --customer-id c-1 --amount '10.00 EUR' --metadata a=1 --email ada@example.com -o id",
  )
  clientToken = created.stdout.trim()
})
const update = (words: readonly string[]) =>
  bench.runPay(['--sandbox', 'session', 'update', '--client-token', clientToken, ...words])

async function changed(words: readonly string[]): Promise<unknown> {
  const result = await update([...words, '--json'])
  expect(result).toMatchObject({ exitCode: 0 })
  const body: unknown = JSON.parse(result.stdout)
  return body
}

test('sends only the given fields', async () => {
  const result = await update(['--order-id', 'A-2'])
  expect(JSON.parse(result.requests[0]?.body ?? '')).toEqual({ clientToken, orderId: 'A-2' })
})

test('replaces an object completely and keeps fields that are not given', async () => {
  expect(await changed(['--metadata', 'b=2'])).toMatchObject({ orderId: 'A-1', metadata: { b: '2' } })
  expect(await changed([])).not.toMatchObject({ metadata: { a: '1' } })
})

test('--unset sends null, which removes the field', async () => {
  const result = await update(['--unset', 'customerId', '--unset', 'customer.emailAddress', '--json'])
  expect(JSON.parse(result.requests[0]?.body ?? '')).toEqual({
    clientToken,
    customerId: null,
    customer: { emailAddress: null },
  })
  expect(JSON.parse(result.stdout)).not.toHaveProperty('customerId')
})

test('null in --data or --set removes the field', async () => {
  expect(await changed(['--data', '{"customerId":null}'])).not.toHaveProperty('customerId')
  expect(await changed(['--set', 'orderId:=null'])).not.toHaveProperty('orderId')
})

describe('refused before anything is sent', () => {
  test.each([
    ['--unset custommerId', ['--unset', 'custommerId'], 'did you mean \\"customerId\\"'],
    ['--unset with an empty path', ['--unset', ''], 'is empty'],
    ['--unset __proto__', ['--unset', '__proto__.x'], '__proto__'],
    ['paymentMethod.options', ['--set', 'paymentMethod.options:={"PAYMENT_CARD":{}}'], 'cannot be updated'],
    ['paymentMethod.options as null', ['--unset', 'paymentMethod.options'], 'cannot be updated'],
    ['a null client token', ['--no-input', '--data', '{"clientToken":null}'], ''],
    ['a negative amount', ['--set', 'amount:=-1'], 'must be 0 or more'],
    ['an unknown currency', ['--currency', 'EUX'], 'not an ISO 4217 code'],
    ['metadata that is not an object', ['--set', 'metadata:=true'], 'an object'],
  ])('%s', async (_, words, message) => {
    const token = words.includes('--no-input') ? [] : ['--client-token', clientToken]
    const result = await bench.runPay(['--sandbox', 'session', 'update', ...token, ...words, '--json'])
    expect(result).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
    expect(result.stderr).toContain(message)
  })

  test('two values from stdin', async () => {
    const result = await bench.runPay('--sandbox session update --client-token - --data -', { stdin: '{}' })
    expect(result).toMatchObject({ exitCode: 2, requests: [] })
    expect(result.stderr).toContain('--data and --client-token cannot both be read from stdin')
  })

  test('a token from stdin that is empty or has several words', async () => {
    for (const stdin of ['', '\n', 'a b', 'a\nb\n']) {
      const result = await bench.runPay('--sandbox session update --client-token - --order-id x', { stdin })
      expect(result).toMatchObject({ exitCode: 2, requests: [] })
      expect(result.stderr).toContain('it needs the token or key alone')
    }
  })
})

test('exits 3 for an unknown client token', async () => {
  const result = await bench.runPay('--sandbox session update --client-token nope --order-id x --json')
  expect(result).toMatchObject({ exitCode: 3, stdout: '' })
  expect(result.stderr).toContain('"errorId":"ClientSessionValidationError"')
})

test('the sandbox refuses a client token after 24 hours', async () => {
  await bench.runPay('sandbox clock advance 25h')
  const result = await bench.runPay(['--sandbox', 'session', 'get', '--client-token', clientToken, '--json'])
  expect(result).toMatchObject({ exitCode: 3, stdout: '' })
  expect(result.stderr).toContain('ClientSessionValidationError')
})

test('session get prints the session without its token', async () => {
  const result = await bench.runPay(['--sandbox', 'session', 'get', '--client-token', clientToken, '--json'])
  expect(JSON.parse(result.stdout)).toMatchObject({ orderId: 'A-1', amount: 1000, currencyCode: 'EUR' })
  expect(result.stdout).not.toContain(clientToken)
  expect(result.stderr).not.toContain(clientToken)
})

describe('a change of the order', () => {
  const LINE = ['--line-item', 'name=Shoe,amount=1250']
  const SAYS = 'The amount was not recalculated: it is still 10.00 EUR, but the order adds up to 12.50 EUR.'

  test.each([
    ['with line items', LINE],
    ['in the older form', ['--set', 'lineItems:=[{"amount":1250}]']],
    ['with shipping', ['--set', 'order.shipping.amount:=1250']],
  ])('%s keeps a separate amount, with a warning', async (_, words) => {
    const result = await update([...words, '--json', '-q'])
    expect(result.exitCode).toBe(0)
    expect(JSON.parse(result.stdout)).toMatchObject({ amount: 1000 })
    expect(result.stderr).toContain(`Warning: ${SAYS}`)
  })

  test.each([
    ['with a new amount', [...LINE, '--amount', '1100']],
    ['that clears the amount', [...LINE, '--unset', 'amount']],
    ['that adds up to the amount', ['--line-item', 'amount=500,quantity=2']],
    ['without amounts', ['--country', 'DE']],
    ['that clears it', ['--unset', 'order']],
  ])('%s prints no warning', async (_, words) => {
    const result = await update([...words, '--json'])
    expect(result.exitCode).toBe(0)
    expect(result.stderr).not.toContain('recalculated')
  })
})
