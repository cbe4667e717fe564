import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
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

describe('a request body', () => {
  test('flags override --set, and --set overrides --data', async () => {
    const data = '{"orderId":"data","customerId":"data","amount":1,"currencyCode":"EUR"}'
    expect(
      await sent(['--data', data, '--set', 'orderId=set', '--set', 'customerId=set', '--order-id', 'flag']),
    ).toEqual({ orderId: 'flag', customerId: 'set', amount: 1, currencyCode: 'EUR' })
  })

  test('flags override --set regardless of their order', async () => {
    const words = ['--order-id', 'flag', '--set', 'orderId=set', '--data', '{"orderId":"data"}']
    expect(await sent(words)).toEqual({ orderId: 'flag' })
  })

  test('the last --set of a field wins', async () => {
    expect(await sent(['--set', 'orderId=a', '--set', 'orderId=b'])).toEqual({ orderId: 'b' })
  })

  test('merges nested objects', async () => {
    const data = '{"customer":{"firstName":"Ada","billingAddress":{"city":"Bonn"}}}'
    expect(
      await sent([
        '--data',
        data,
        '--set',
        'customer.billingAddress.countryCode=DE',
        '--email',
        'ada@example.com',
      ]),
    ).toEqual({
      customer: {
        firstName: 'Ada',
        emailAddress: 'ada@example.com',
        billingAddress: { city: 'Bonn', countryCode: 'DE' },
      },
    })
  })

  test('replaces arrays', async () => {
    const data =
      '{"currencyCode":"EUR","order":{"countryCode":"DE","lineItems":[{"itemId":"a","amount":1},{"itemId":"b","amount":2}]}}'
    expect(await sent(['--data', data, '--line-item', 'itemId=c,amount=3'])).toEqual({
      currencyCode: 'EUR',
      order: { countryCode: 'DE', lineItems: [{ itemId: 'c', amount: 3 }] },
    })
  })

  test('merges metadata from --data and flags', async () => {
    expect(
      await sent(['--data', '{"metadata":{"a":"1","b":"2"}}', '--metadata', 'b=3', '--metadata', 'c=4']),
    ).toEqual({ metadata: { a: '1', b: '3', c: '4' } })
  })

  test.each([
    ['a string that looks like a number', 'orderId=42', { orderId: '42' }],
    ['a string that looks like JSON', 'orderId={"a":1}', { orderId: '{"a":1}' }],
    ['an equals sign in the value', 'orderId=a=b', { orderId: 'a=b' }],
    ['an empty string', 'orderId=', { orderId: '' }],
    ['a value that contains :=', 'orderId=x:=y', { orderId: 'x:=y' }],
    ['JSON', 'paymentMethod.vaultOnSuccess:=true', { paymentMethod: { vaultOnSuccess: true } }],
    ['a whole object as JSON', 'customer:={"firstName":"Ada"}', { customer: { firstName: 'Ada' } }],
    ['a JSON list', 'order.lineItems:=[{"itemId":"a"}]', { order: { lineItems: [{ itemId: 'a' }] } }],
    ['an index in brackets', 'order.lineItems[0].itemId=a', { order: { lineItems: [{ itemId: 'a' }] } }],
    ['an index after a dot', 'order.lineItems.0.itemId=a', { order: { lineItems: [{ itemId: 'a' }] } }],
    ['a name with an escaped dot', 'metadata.a\\.b=1', { metadata: { 'a.b': '1' } }],
    ['digits as a name of metadata', 'metadata.0=1', { metadata: { 0: '1' } }],
    ['unicode', 'orderId=ordre-é-注文-🧾', { orderId: 'ordre-é-注文-🧾' }],
  ])('--set accepts %s', async (_, set, body) => {
    expect(await sent(['--set', set])).toEqual(body)
  })

  test('an index, in brackets or after a dot, selects an existing entry', async () => {
    const data = '{"order":{"lineItems":[{"itemId":"a"},{"itemId":"b"}]}}'
    expect(
      await sent([
        '--data',
        data,
        '--set',
        'order.lineItems.1.name=B',
        '--set',
        'order.lineItems[2].itemId=c',
      ]),
    ).toEqual({ order: { lineItems: [{ itemId: 'a' }, { itemId: 'b', name: 'B' }, { itemId: 'c' }] } })
  })

  test('--metadata accepts keys with dots and values with equals signs', async () => {
    expect(await sent(['--metadata', 'a.b.c=1=2'])).toEqual({ metadata: { 'a.b.c': '1=2' } })
  })

  test('--line-item keeps escaped commas', async () => {
    expect(await sent(['--line-item', 'name=Shoe\\, blue,quantity=2'])).toEqual({
      order: { lineItems: [{ name: 'Shoe, blue', quantity: 2 }] },
    })
  })

  test('--line-item accepts every field of an order line', async () => {
    const spec =
      'name=Shoe,itemId=s-1,amount=1000,quantity=2,description=Blue,discountAmount=100,taxAmount=50,taxCode=T,productType=PHYSICAL,productData.sku=S,productData.brand=B,productData.color=C,productData.globalTradeItemNumber=G,productData.manufacturerPartNumber=M,productData.weight=300,productData.weightUnit=g'
    expect(await sent(['--currency', 'EUR', '--line-item', spec])).toEqual({
      currencyCode: 'EUR',
      order: {
        lineItems: [
          {
            name: 'Shoe',
            itemId: 's-1',
            amount: 1000,
            quantity: 2,
            description: 'Blue',
            discountAmount: 100,
            taxAmount: 50,
            taxCode: 'T',
            productType: 'PHYSICAL',
            productData: {
              sku: 'S',
              brand: 'B',
              color: 'C',
              globalTradeItemNumber: 'G',
              manufacturerPartNumber: 'M',
              weight: 300,
              weightUnit: 'g',
            },
          },
        ],
      },
    })
  })

  test('has flags for fees, shipping and addresses', async () => {
    expect(
      await sent([
        '--fee',
        'amount=250,type=HANDLING,description=Gift\\, wrap',
        '--fee',
        'amount=1',
        '--shipping',
        '490',
        '--currency',
        'EUR',
        '--billing-address',
        'firstName=Ada,lastName=Byron,addressLine1=Main St 1,addressLine2=c/o X',
        '--shipping-address',
        'city=Berlin,state=BE,postalCode=10115,countryCode=DE',
      ]),
    ).toEqual({
      currencyCode: 'EUR',
      order: {
        fees: [{ amount: 250, type: 'HANDLING', description: 'Gift, wrap' }, { amount: 1 }],
        shipping: { amount: 490 },
      },
      customer: {
        billingAddress: {
          firstName: 'Ada',
          lastName: 'Byron',
          addressLine1: 'Main St 1',
          addressLine2: 'c/o X',
        },
        shippingAddress: { city: 'Berlin', state: 'BE', postalCode: '10115', countryCode: 'DE' },
      },
    })
  })

  test('merges an address flag into the address in --data', async () => {
    const data = '{"customer":{"billingAddress":{"city":"Bonn","countryCode":"DE"}}}'
    expect(await sent(['--data', data, '--billing-address', 'city=Berlin'])).toEqual({
      customer: { billingAddress: { city: 'Berlin', countryCode: 'DE' } },
    })
  })

  test.each([
    [['--line-item', 'amount=10.00 EUR'], { order: { lineItems: [{ amount: 1000 }] } }],
    [['--fee', 'amount=2 EUR'], { order: { fees: [{ amount: 200 }] } }],
    [['--shipping', '4.90 EUR'], { order: { shipping: { amount: 490 } } }],
    [['--shipping', '4.90', '--currency', 'EUR'], { order: { shipping: { amount: 490 } } }],
    [['--amount', '7.00', '--shipping', '4.90 EUR'], { amount: 700, order: { shipping: { amount: 490 } } }],
    [['--fee', 'amount=0.50', '--amount', '7 EUR'], { amount: 700, order: { fees: [{ amount: 50 }] } }],
    [
      ['--line-item', 'amount=1.00 EUR,taxAmount=0.10'],
      { order: { lineItems: [{ amount: 100, taxAmount: 10 }] } },
    ],
  ])('an amount with a currency sets currencyCode: %j', async (words, body) => {
    expect(await sent(words)).toEqual({ currencyCode: 'EUR', ...body })
  })

  test('--no-vault-on-success sends false', async () => {
    expect(await sent(['--no-vault-on-success'])).toEqual({ paymentMethod: { vaultOnSuccess: false } })
    expect(await sent(['--vault-on-success', '--customer-id', 'c'])).toEqual({
      customerId: 'c',
      paymentMethod: { vaultOnSuccess: true },
    })
  })

  test('--data accepts JSON, a file and stdin', async () => {
    writeFileSync(join(bench.folder, 'body.json'), '\uFEFF{"orderId":"file"}\n')
    expect(await sent(['--data', '{"orderId":"inline"}'])).toEqual({ orderId: 'inline' })
    expect(await sent(['--data', '@body.json'])).toEqual({ orderId: 'file' })
    expect(await sent(['-d', '-'], { stdin: '{"orderId":"stdin"}\n' })).toEqual({ orderId: 'stdin' })
  })

  test('is omitted without any flag', async () => {
    const result = await create([])
    expect(result.exitCode).toBe(0)
    expect(result.requests[0]?.body).toBeUndefined()
  })

  test.each(['9007199254740993', '1e400', '-0', '1.10', '123456789012345678901234567890'])(
    '--no-validate sends the digits of %s unchanged',
    async (number) => {
      const result = await create(['--no-validate', '--data', `{"metadata":{"n":${number}}}`])
      expect(result.requests[0]?.body).toBe(`{"metadata":{"n":${number}}}`)
    },
  )

  test('keeps the digits of a metadata integer above 2^53', async () => {
    const result = await create(['--data', '{"metadata":{"n":9007199254740993}}'])
    expect(result.requests[0]?.body).toBe('{"metadata":{"n":9007199254740993}}')
  })
})

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
        { path: 'order.lineItems[1].quantitty', description: 'unknown field; did you mean "quantity"?' },
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
    expect(await bench.runPay(words)).toMatchObject({ exitCode: 12, requests: [] })
  })
})

describe('refused before anything is sent', () => {
  test.each([
    ['an empty text', '', 'is empty'],
    ['white space', ' \n ', 'is empty'],
    ['a truncated object', '{"orderId":', 'line 1'],
    ['two values', '{} {}', 'not valid JSON'],
    ['a comment', '{} // x', 'not valid JSON'],
    ['single quotes', "{'orderId':'a'}", 'not valid JSON'],
    ['NaN', '{"amount":NaN}', 'not valid JSON'],
    ['a list', '[]', 'a list'],
    ['null', 'null', 'null'],
    ['text', '"x"', 'a string'],
    ['a number', '5', 'a number'],
    ['true', 'true', 'a boolean'],
    ['a key given twice', '{"amount":1,"amount":2}', 'given twice'],
    ['a key given twice, once escaped', '{"amount":1,"\\u0061mount":2}', 'given twice'],
    ['deep nesting', `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`, 'deeper'],
    ['__proto__', '{"__proto__":{"amount":1}}', '__proto__'],
    ['a nested __proto__', '{"customer":{"__proto__":{"x":1}}}', '__proto__'],
    ['__proto__ in a list', '{"order":{"lineItems":[{"__proto__":1}]}}', '__proto__'],
  ])('--data with %s', async (_, data, words) => {
    const error = await refused(['--data', data])
    expect(JSON.stringify(error)).toContain(words)
    expect(error).toMatchObject({ code: 'bad_data' })
    expect(Object.hasOwn(Object.prototype, 'x')).toBe(false)
  })

  test('bytes that are not UTF-8', async () => {
    const stdin = new Uint8Array([...new TextEncoder().encode('{"orderId":"'), 0xff, 0x22, 0x7d])
    expect(await refused(['--data', '-'], { stdin })).toMatchObject({
      message: 'stdin is not UTF-8 text',
      hint: expect.stringContaining('UTF-8'),
    })
  })

  test.each([
    ['a missing file', '@nothing.json', 'nothing.json'],
    ['a folder', '@config', 'config'],
    ['no file name', '@', 'names no file'],
  ])('--data with %s', async (_, data, words) => {
    expect(JSON.stringify(await refused(['--data', data]))).toContain(words)
  })

  test('invalid JSON, with the reason once', async () => {
    expect(await refused(['--data', 'nul'])).toMatchObject({
      message: '--data is not valid JSON: Unexpected "n" at line 1, column 1',
    })
  })

  test.each([
    ['__proto__.x=1', '__proto__'],
    ['constructor.prototype.x=1', 'constructor'],
    ['customer.prototype=1', 'prototype'],
    ['customer.__proto__.x=1', '__proto__'],
    ['\\_\\_proto\\_\\_.x=1', '__proto__'],
    ['metadata:={"__proto__":{"x":1}}', '__proto__'],
    ['=1', 'is empty'],
    ['orderId', 'PATH=VALUE'],
    ['customer..email=1', 'empty part'],
    ['.orderId=1', 'empty part'],
    ['[0]=1', 'index'],
    ['order.lineItems[x].amount:=1', 'bracket'],
    ['order.lineItems[-1].amount:=1', 'bracket'],
    ['order.lineItems[1].amount:=1', 'no entry [1]'],
    ['order.lineItems[999999].amount:=1', 'no entry'],
    ['orderId:=', 'not valid JSON: The text is empty'],
    ['orderId:={', 'not valid JSON'],
  ])('--set %s', async (set, words) => {
    expect(JSON.stringify(await refused(['--set', set]))).toContain(words)
    // --no-validate skips the schema; the path itself must be refused too.
    await refused(['--no-validate', '--set', set])
    expect(Object.hasOwn(Object.prototype, 'x')).toBe(false)
  })

  test('--set with a path of thousands of parts', async () => {
    for (const path of [`${'a.'.repeat(60_000)}a`, `a${'[0]'.repeat(40_000)}`])
      expect(await refused(['--set', `${path}=1`])).toMatchObject({ code: 'bad_path' })
  })

  test.each(['__proto__=1', 'novalue', '=1'])('--metadata %s', async (pair) => {
    await refused(['--metadata', pair])
  })

  test('--metadata with a duplicate key', async () => {
    expect(JSON.stringify(await refused(['--metadata', 'a=1', '--metadata', 'a=2']))).toContain('twice')
  })

  test.each(['colour=red', 'amount', 'amount=1.5', 'amount=-1', 'amount=1e3', 'amount=99999999999999999'])(
    '--line-item %s',
    async (item) => {
      await refused(['--line-item', item])
    },
  )

  test.each([
    [['--fee', 'amount=1.00 EUR', '--currency', 'USD'], 'currency_conflict'],
    [['--fee', 'amount=1.00 EUR', '--shipping', '1.00 USD'], 'currency_conflict'],
    [['--line-item', 'amount=1.00 EUR,taxAmount=0.10 USD'], 'currency_conflict'],
    [['--shipping', '4.90'], 'amount_needs_currency'],
    [['--fee', 'amount=4.90'], 'amount_needs_currency'],
    [['--fee', 'amount=4.901 EUR'], 'bad_amount'],
    [['--fee', 'amont=1'], 'bad_value'],
    [['--fee', 'amount=1,amount=2'], 'given_twice'],
    [['--billing-address', 'street=Main St 1'], 'bad_value'],
    [['--billing-address', 'city'], 'bad_value'],
    [['--line-item', '__proto__=1'], 'bad_value'],
    [['--line-item', 'productData.weight=1.5'], 'bad_value'],
    [['--vault-on-success', '--no-vault-on-success'], 'given_twice'],
  ])('%j', async (words, code) => {
    expect(await refused(words)).toMatchObject({ code })
  })

  test('a misspelled field, with a suggestion', async () => {
    expect(await refused(['--line-item', 'amont=1'])).toMatchObject({
      hint: expect.stringMatching(/^Did you mean amount\? Its fields are name, itemId, amount,/),
    })
  })

  test('a file above the limit', async () => {
    writeFileSync(join(bench.folder, 'big.json'), Buffer.alloc(11 * 1024 * 1024, 0x20))
    expect(await refused(['--data', '@big.json'])).toMatchObject({
      code: 'too_large',
      message: 'big.json contains more than 10240 KB',
    })
  })

  test('an empty flag', async () => {
    expect(JSON.stringify(await refused(['--order-id', '']))).toContain('--order-id is empty')
  })
})

describe('a body with many problems', () => {
  const lines = (count: number, line: unknown) =>
    JSON.stringify({ lineItems: Array.from({ length: count }, () => line) })

  test('lists the first hundred and says how many there are', async () => {
    const error = await refused(['--data', '-'], { stdin: lines(5_000, { name: 1, y: 1 }) })
    expect(error).toMatchObject({
      message: 'The request is not valid (10000 problems, the first 100 of them listed)',
    })
    expect(error).toHaveProperty('validationErrors.length', 100)
  })

  test('lists an error even after hundreds of warnings', async () => {
    const order = { lineItems: Array.from({ length: 300 }, () => ({ productType: 'NEW' })), last: 1 }
    expect(await refused(['--data', '-'], { stdin: JSON.stringify({ order }) })).toMatchObject(
      invalid({ path: 'order.last', description: 'unknown field' }),
    )
  })

  test.each([
    ['130,000 lines of the wrong type', 130_000, 1],
    ['130,000 lines with an unknown field', 130_000, { x: 1 }],
    ['130,000 lines that are lists', 130_000, []],
    ['40,000 lines with wrong fields', 40_000, { amount: 'x', name: 1 }],
  ])('is refused with one problem: %s', async (_, count, line) => {
    expect(await refused(['--data', '-'], { stdin: lines(count, line) })).toMatchObject(
      invalid({ path: '$', description: 'must have at most 50000 values' }),
    )
  })
})

test('an amount in minor units without a currency teaches how to give one', async () => {
  const error = await refused(['--amount', '500'])
  expect(error).toMatchObject({
    code: 'invalid_body',
    hint: '--amount 500 is in minor units and needs a currency: add --currency, such as EUR for 5.00 EUR, or write --amount "5.00 EUR".',
  })
  // A currency that is given and wrong isn't missing.
  expect(await refused(['--amount', '500', '--currency', 'eur'])).toMatchObject({
    hint: 'To send the body unchecked, add --no-validate.',
  })
  expect(await refused(['--data', '{"amount":500}'])).toMatchObject({
    hint: 'To send the body unchecked, add --no-validate.',
  })
})
