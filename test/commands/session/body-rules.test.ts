import { describe, expect, test } from 'vitest'
import { useBench } from '../../support/use-bench.ts'
import type { RunOptions } from '../../support/run-pay.ts'
import { errorOf } from '../../support/run-result.ts'

const bench = useBench()

const create = (words: readonly string[], options?: RunOptions) =>
  bench.runPay(['--sandbox', 'session', 'create', ...words], options)

async function sent(words: readonly string[], options?: RunOptions): Promise<unknown> {
  const result = await create(words, options)
  expect(result).toMatchObject({ exitCode: 0 })
  return JSON.parse(result.requests[0]?.body ?? 'null')
}

/** The error of a command that is refused before anything is sent. */
async function refused(words: readonly string[], options?: RunOptions) {
  const result = await create([...words, '--json'], options)
  expect(result).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
  return errorOf(result)
}

const invalid = (...validationErrors: readonly unknown[]) => ({
  code: 'invalid_body',
  exitCode: 2,
  outcome: 'none',
  validationErrors,
})

describe('the rules of the schema', () => {
  test('all problems are reported at once, each with its path', async () => {
    const data = {
      amount: 'x',
      orderId: 5,
      custommerId: 'c',
      order: { lineItems: [{ amount: 1 }, { amount: 1.5, quantitty: 2 }] },
      metadata: { a: true },
      paymentMethod: { paymentType: 'ECOMERCE' },
    }
    expect(await refused(['--data', JSON.stringify(data)])).toMatchObject(
      invalid(
        { path: 'orderId', description: 'must be text, not 5' },
        { path: 'amount', description: 'must be a whole number, not "x"' },
        { path: 'order.lineItems[1].amount', description: 'must be a whole number, not 1.5' },
        { path: 'metadata.a', description: 'must be text or a whole number, not true' },
        { path: 'currencyCode', description: 'is required with an amount' },
        { path: 'custommerId', description: 'unknown field; did you mean "customerId"?' },
        {
          path: 'order.lineItems[1].quantitty',
          description: 'unknown field; did you mean "quantity"?',
        },
        {
          path: 'paymentMethod.paymentType',
          description: expect.stringContaining('did you mean ECOMMERCE?'),
        },
      ),
    )
  })

  test('all problems are printed as text, too', async () => {
    const result = await create(['--set', 'orderIdd=1', '--set', 'amount=7'])
    expect(result.exitCode).toBe(2)
    expect(result.stderr).toContain('orderIdd: unknown field; did you mean "orderId"?')
    expect(result.stderr).toContain('amount: must be a whole number')
    expect(result.stderr).toContain('currencyCode: is required with an amount')
  })

  test.each([
    ['an amount', '{"amount":1}'],
    ['an amount of zero', '{"amount":0}'],
    ['a line item', '{"order":{"lineItems":[{"amount":1}]}}'],
    ['shipping', '{"order":{"shipping":{"amount":1}}}'],
    ['a fee', '{"order":{"fees":[{"amount":1}]}}'],
    ['a line item in the older form', '{"lineItems":[{"amount":1}]}'],
  ])('%s needs a currencyCode', async (_, data) => {
    expect(await refused(['--data', data])).toMatchObject(
      invalid({ path: 'currencyCode', description: 'is required with an amount' }),
    )
  })

  test.each([
    ['true', true],
    ['a list', []],
    ['an object', {}],
    ['a fraction', 1.5],
    ['null', null],
  ])('metadata cannot be %s', async (_, value) => {
    expect(await refused(['--data', JSON.stringify({ metadata: { k: value } })])).toMatchObject(
      invalid({ path: 'metadata.k' }),
    )
  })

  test.each([
    ['paymentMethod.paymentType', 'GIFT'],
    ['currencyCode', 'EURO'],
    ['currencyCode', 'eur'],
    ['currencyCode', 'XYZ'],
  ])('a value outside a closed set is refused: %s %s', async (path, value) => {
    expect(await refused(['--set', `${path}=${value}`])).toMatchObject(invalid({ path }))
  })

  test.each([
    ['paymentMethod.authorizationType', 'ESTIMATD', 'ESTIMATED'],
    ['order.countryCode', 'Germany', ''],
  ])('a value outside an open set is sent with a warning: %s %s', async (path, value, meant) => {
    const result = await create(['--set', `${path}=${value}`], {
      service: () => ({ status: 200, headers: {}, body: '{"clientToken":"t"}' }),
    })
    expect(result.exitCode).toBe(0)
    expect(result.stderr).toContain(`Warning: ${path}: "${value}" is not a known value`)
    expect(result.stderr).toContain(meant)
    expect(result.requests[0]?.body).toContain(value)
  })

  test('--no-validate sends the body unchanged', async () => {
    const result = await create(['--no-validate', '--data', '{"amount":"x","orderIdd":1}'], {
      service: () => ({ status: 200, headers: {}, body: '{"clientToken":"t"}' }),
    })
    expect(result.exitCode).toBe(0)
    expect(result.requests[0]?.body).toBe('{"amount":"x","orderIdd":1}')
  })

  test('an order in both forms is refused', async () => {
    const data = '{"currencyCode":"EUR","order":{"countryCode":"DE"},"lineItems":[{"amount":1}]}'
    expect(await refused(['--data', data])).toMatchObject(invalid({ path: 'lineItems' }))
  })

  test.each(['9007199254740992', '9007199254740993', '1e16', '123456789012345678901234567890'])(
    'an amount of %s is refused, never rounded',
    async (amount) => {
      const error = await refused(['--data', `{"currencyCode":"EUR","amount":${amount}}`])
      expect(error).toMatchObject(invalid({ path: 'amount' }))
    },
  )

  test('the largest exact amount is sent', async () => {
    expect(await sent(['--amount', '9007199254740991', '--currency', 'EUR'])).toEqual({
      amount: 9007199254740991,
      currencyCode: 'EUR',
    })
  })
})

describe('the API version selects the rules', () => {
  const WITHOUT_CURRENCY = ['--amount', '1000']

  test.each(['2021-09-27', '2021-09-08'])('%s requires no currency with an amount', async (version) => {
    const dry = await create([...WITHOUT_CURRENCY, '--api-version', version, '--dry-run', '--json'])
    expect(JSON.parse(dry.stdout)).toMatchObject({ body: { amount: 1000 } })
  })

  test('2021-09-27 requires none from the sandbox either', async () => {
    const words = [...WITHOUT_CURRENCY, '--api-version', '2021-09-27', '--json']
    expect(JSON.parse((await create(words)).stdout)).toMatchObject({ amount: 1000 })
  })

  test.each(['2.1', '2.4', '2021-10-19'])('%s requires a currency with an amount', async (version) => {
    expect(await refused([...WITHOUT_CURRENCY, '--api-version', version, '--dry-run'])).toMatchObject(
      invalid({ path: 'currencyCode', description: 'is required with an amount' }),
    )
  })

  test('for pay api, too', async () => {
    const words = ['--sandbox', 'api', 'POST', '/client-session', '--set', 'amount:=5']
    expect(await bench.runPay(words)).toMatchObject({ exitCode: 2, requests: [] })
    expect(await bench.runPay([...words, '--api-version', '2021-09-27'])).toMatchObject({ exitCode: 0 })
  })
})

test('an undocumented field of a surcharge is sent with a warning', async () => {
  const surcharge = { amount: 5, percentage: 1.5 }
  const body = { currencyCode: 'EUR', paymentMethod: { options: { PAYMENT_CARD: { surcharge } } } }
  const result = await create(['--data', JSON.stringify(body), '--json'])
  expect(result.exitCode).toBe(0)
  expect(result.stderr).toContain('surcharge.percentage: unknown field; it is sent unchanged')
  expect(JSON.parse(result.stdout)).toMatchObject(body)
})

test('a surcharge needs a currencyCode', async () => {
  const surcharge = '{"paymentMethod":{"options":{"PAYPAL":{"surcharge":{"amount":5}}}}}'
  expect(await refused(['--data', surcharge])).toMatchObject(
    invalid({ path: 'currencyCode', description: 'is required with an amount' }),
  )
})

describe('a whole number', () => {
  const sentText = async (words: readonly string[]) => {
    const result = await create(words)
    return { exitCode: result.exitCode, body: result.requests[0]?.body }
  }

  test.each([
    ['100.0', '100'],
    ['1e2', '100'],
    ['9007199254740991.0', '9007199254740991'],
  ])('may be written as %s and is sent as %s', async (written, amount) => {
    const expected = { exitCode: 0, body: `{"currencyCode":"EUR","amount":${amount}}` }
    expect(await sentText(['--data', `{"currencyCode":"EUR","amount":${written}}`])).toEqual(expected)
    expect(await sentText(['--set', 'currencyCode=EUR', '--set', `amount:=${written}`])).toEqual(expected)
  })

  test.each(['100.5', '9007199254740992.0', '1e16', '1e999'])('cannot be %s', async (written) => {
    expect(await refused(['--data', `{"currencyCode":"EUR","amount":${written}}`])).toMatchObject({
      code: 'invalid_body',
      validationErrors: [{ path: 'amount' }],
    })
  })

  test('keeps its digits with --no-validate', async () => {
    const { body } = await sentText(['--no-validate', '--data', '{"metadata":{"a":100.0,"b":1.10}}'])
    expect(body).toBe('{"metadata":{"a":100.0,"b":1.10}}')
  })

  test('counts against the limits of the profile in any notation', async () => {
    await bench.runPay('profile add shop --base-url http://127.0.0.1:9 --api-key-stdin --test', {
      stdin: 'k',
    })
    await bench.runPay(['profile', 'set', 'shop', '--max-amount', '0.99 EUR'])
    const data = '{"paymentMethodToken":"t","orderId":"o","currencyCode":"EUR","amount":1e2}'
    const words = ['payment', 'create', '--profile', 'shop', '--yes', '--data', data, '--json']
    const result = await bench.runPay(words)
    expect(result).toMatchObject({ exitCode: 12, requests: [] })
  })
})
