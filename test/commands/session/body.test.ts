import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { useBench } from '../../support/use-bench.ts'
import type { RunOptions } from '../../support/run-pay.ts'

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
