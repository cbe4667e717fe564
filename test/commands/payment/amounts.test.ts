import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SERVICE_ENV, envelope } from '../../support/error-envelope.ts'
import { createBench, jsonAnswer } from '../../support/run-pay.ts'
import type { Bench, RunOptions } from '../../support/run-pay.ts'

let bench: Bench
beforeEach(() => {
  bench = createBench()
})
afterEach(() => {
  bench.dispose()
})

/** A payment of the currency; every write is answered like a read. */
const serving = (payment: Readonly<Record<string, unknown>>): RunOptions => ({
  env: SERVICE_ENV,
  service: () => jsonAnswer(200, { id: 'p1', status: 'AUTHORIZED', ...payment }),
})

const CHANGES = ['capture', 'refund', 'adjust'] as const
const bodiesOf = (requests: readonly { readonly method: string; readonly body: string | undefined }[]) =>
  requests.filter((request) => request.method === 'POST').map((request) => request.body)

const BAD: readonly (readonly [string, string])[] = [
  ['nothing', ''],
  ['a space', ' '],
  ['a sign', '-7'],
  ['a plus sign', '+7'],
  ['a minus of another alphabet', '\u22127'],
  ['a sign before a currency', '-7.00 EUR'],
  ['an exponent', '7e2'],
  ['an exponent with a currency', '1e2 EUR'],
  ['a comma', '7,00 EUR'],
  ['separators', '1,000.00 EUR'],
  ['spaces between digits', '1 000 EUR'],
  ['underscores', '1_000'],
  ['two points', '1.000.00 EUR'],
  ['no digit before the point', '.50 EUR'],
  ['no digit after the point', '7. EUR'],
  ['a currency sign', '€7.00'],
  ['a currency in small letters', '7.00 eur'],
  ['the currency first', 'EUR 7.00'],
  ['no space before the currency', '7.00EUR'],
  ['an unknown currency', '7.00 EUX'],
  ['two currencies', '7.00 EUR EUR'],
  ['too many decimals', '7.001 EUR'],
  ['too many zeros', '7.000 EUR'],
  ['decimals of a currency without', '700.0 JPY'],
  ['four decimals of three', '1.0001 KWD'],
  ['a hexadecimal number', '0x10'],
  ['other digits', '٧٠٠'],
  ['wide digits', '７００'],
  ['words', 'all'],
  ['infinity', 'Infinity'],
  ['2^53', '9007199254740992'],
  ['2^53 cents in euros', '90071992547409.92 EUR'],
  ['a thousand digits', '9'.repeat(1000)],
  ['a line break', '7\n00'],
]

describe.each(CHANGES)('payment %s', (verb) => {
  test.each(BAD)('refuses an amount of %s', async (_, amount) => {
    const result = await bench.runPay(['payment', verb, 'p1', '--amount', amount], serving({}))
    expect(result).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
    expect(result.stderr).toContain('--amount')
  })

  test.each(['0', '00', '0.00 EUR', '0 JPY'])('refuses zero: %s', async (amount) => {
    const result = await bench.runPay(['payment', verb, 'p1', '--amount', amount], serving({}))
    expect(result).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
    expect(result.stderr).toContain('zero')
  })

  test.each([
    ['700', undefined, 700],
    ['007', undefined, 7],
    ['9007199254740991', undefined, 9007199254740991],
    ['7.00 EUR', 'EUR', 700],
    ['7 EUR', 'EUR', 700],
    ['7.5 EUR', 'EUR', 750],
    ['0.01 EUR', 'EUR', 1],
    ['700 JPY', 'JPY', 700],
    ['1.234 KWD', 'KWD', 1234],
    ['1 KWD', 'KWD', 1000],
    ['5.00 HUF', 'HUF', 500],
    ['90071992547409.91 EUR', 'EUR', 9007199254740991],
  ])('reads %s', async (amount, currencyCode, amountMinor) => {
    const result = await bench.runPay(['payment', verb, 'p1', '--amount', amount], serving({ currencyCode }))
    expect(result.exitCode).toBe(0)
    expect(bodiesOf(result.requests)).toEqual([`{"amount":${amountMinor}}`])
  })

  test('takes the currency of a bare decimal from --currency, and checks it', async () => {
    const words = ['payment', verb, 'p1', '--amount', '7.00', '--currency', 'EUR']
    const result = await bench.runPay(words, serving({ currencyCode: 'EUR' }))
    expect(bodiesOf(result.requests)).toEqual(['{"amount":700}'])
    expect(result.requests[0]?.method).toBe('GET')
  })

  test('a bare integer beside --currency stays minor units, and the currency is checked', async () => {
    const words = ['payment', verb, 'p1', '--amount', '7', '--currency', 'EUR']
    expect(bodiesOf((await bench.runPay(words, serving({ currencyCode: 'EUR' }))).requests)).toEqual([
      '{"amount":7}',
    ])
    const other = await bench.runPay(words, serving({ currencyCode: 'USD' }))
    expect(other.exitCode).toBe(2)
    expect(bodiesOf(other.requests)).toEqual([])
  })

  test('refuses a bare decimal that nobody gives a currency', async () => {
    const result = await bench.runPay(['payment', verb, 'p1', '--amount', '7.00', '--json'], serving({}))
    expect(result).toMatchObject({ exitCode: 2, requests: [] })
    expect(result.stderr).toContain('"code":"amount_needs_currency"')
  })

  test('refuses two currencies before anything is read', async () => {
    const words = ['payment', verb, 'p1', '--amount', '7.00 EUR', '--currency', 'USD']
    expect(await bench.runPay(words, serving({}))).toMatchObject({ exitCode: 2, requests: [] })
  })

  test.each(['EURO', 'eur', '', 'XYZ', 'E\u001b[31m'])('refuses --currency "%s"', async (currency) => {
    const words = ['payment', verb, 'p1', '--amount', '7', '--currency', currency]
    expect(await bench.runPay(words, serving({ currencyCode: currency }))).toMatchObject({
      exitCode: 2,
      requests: [],
    })
  })

  test.each([
    ['is another', { currencyCode: 'USD' }, 'The payment is in USD, not in EUR'],
    ['is not told', {}, 'has no readable currency'],
    ['is null', { currencyCode: null }, 'has no readable currency'],
    ['is a number', { currencyCode: 978 }, 'has no readable currency'],
    ['is in small letters', { currencyCode: 'eur' }, 'not in EUR'],
  ])("sends nothing when the payment's currency %s", async (_, payment, says) => {
    const result = await bench.runPay(['payment', verb, 'p1', '--amount', '7.00 EUR'], serving(payment))
    expect(result).toMatchObject({ exitCode: 2, stdout: '' })
    expect(result.stderr).toContain(says)
    expect(result.requests.map((request) => request.method)).toEqual(['GET'])
  })

  test.each([
    ['not there', () => jsonAnswer(400, envelope('PaymentError'))],
    ['refused', () => jsonAnswer(403, envelope('Forbidden'))],
    ['a failing service', () => jsonAnswer(503, {})],
    ['a page of HTML', () => ({ status: 200, headers: {}, body: '<html>login</html>' })],
    ['an empty answer', () => ({ status: 200, headers: {}, body: '' })],
    ['a list', () => jsonAnswer(200, [])],
  ])('sends nothing when the payment cannot be read: %s', async (_, service) => {
    const words = ['payment', verb, 'p1', '--amount', '7.00 EUR', '--max-retries', '0', '--json']
    const result = await bench.runPay(words, { env: SERVICE_ENV, service })
    expect(result).toMatchObject({ exitCode: 2, stdout: '' })
    expect(result.stderr).toContain('"code":"currency_unchecked"')
    expect(bodiesOf(result.requests)).toEqual([])
  })

  test('a dry run says that the currency is unchecked', async () => {
    const words = ['payment', verb, 'p1', '--amount', '7.00 EUR', '--dry-run', '--json']
    const result = await bench.runPay(words, serving({}))
    expect(result).toMatchObject({ exitCode: 0, requests: [] })
    expect(JSON.parse(result.stdout)).toMatchObject({
      body: { amount: 700 },
      unchecked: ['that the payment is in EUR'],
    })
  })

  test('an amount of --data above 2^53 is refused', async () => {
    const words = ['payment', verb, 'p1', '--data', '{"amount":9007199254740993}', '--json']
    const result = await bench.runPay(words, serving({}))
    expect(result).toMatchObject({ exitCode: 2, requests: [] })
    expect(result.stderr).toContain('too large to be exact')
  })

  test('--amount wins over the amount of --data, also when it waits for the currency of the payment', async () => {
    const words = ['payment', verb, 'p1', '--data', '{"amount":5000}', '--amount', '7.00']
    const result = await bench.runPay(words, {
      ...serving({ currencyCode: 'EUR', amount: 9000, status: verb === 'refund' ? 'SETTLED' : 'AUTHORIZED' }),
      tty: true,
    })
    expect(bodiesOf(result.requests)).toEqual(['{"amount":700}'])
  })
})

describe('payment create and session create', () => {
  const MADE = { clientToken: 't', id: 'p1', status: 'AUTHORIZED' }
  const COMMANDS = [
    ['session', 'create'],
    ['payment', 'create', '--token', 'tok_visa'],
  ]
  describe.each(COMMANDS.map((words) => [words.slice(0, 2).join(' '), words] as const))(
    '%s',
    (_, command) => {
      test.each([
        ['7.00 EUR', [], 700, 'EUR'],
        ['7 EUR', [], 700, 'EUR'],
        ['700 JPY', [], 700, 'JPY'],
        ['1.5 KWD', [], 1500, 'KWD'],
        ['7.00', ['--currency', 'EUR'], 700, 'EUR'],
        ['700', ['--currency', 'EUR'], 700, 'EUR'],
        ['7.00', ['--set', 'currencyCode=EUR'], 700, 'EUR'],
        ['0', ['--currency', 'EUR'], 0, 'EUR'],
        ['0.00 EUR', [], 0, 'EUR'],
      ])('reads %s', async (amount, words, amountMinor, currencyCode) => {
        const result = await bench.runPay([...command, '--amount', amount, ...words], serving(MADE))
        expect(result.exitCode).toBe(0)
        expect(JSON.parse(result.requests[0]?.body ?? '')).toMatchObject({
          amount: amountMinor,
          currencyCode,
        })
      })

      test.each(BAD)('refuses an amount of %s', async (_name, amount) => {
        const result = await bench.runPay([...command, '--amount', amount], serving(MADE))
        expect(result).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
      })

      test.each([
        [['--currency', 'USD']],
        [['--set', 'currencyCode=USD']],
        [['--data', '{"currencyCode":"USD"}']],
      ])('refuses 7.00 EUR beside %s', async (words) => {
        const result = await bench.runPay([...command, '--amount', '7.00 EUR', ...words], serving(MADE))
        expect(result).toMatchObject({ exitCode: 2, requests: [] })
        expect(result.stderr).toContain('USD')
      })

      test('refuses a bare decimal without a currency', async () => {
        const result = await bench.runPay([...command, '--amount', '7.00'], serving(MADE))
        expect(result).toMatchObject({ exitCode: 2, requests: [] })
      })
    },
  )
})

describe('a capture', () => {
  test.each([
    ['nothing', [], undefined],
    ['true', ['--final'], '{"final":true}'],
    ['false', ['--no-final'], '{"final":false}'],
  ])('sends of final only what was asked for: %s', async (_, words, body) => {
    const result = await bench.runPay(['payment', 'capture', 'p1', ...words], serving({}))
    expect(bodiesOf(result.requests)).toEqual([body])
  })

  test('of a part says what was released', async () => {
    const payment = {
      status: 'SETTLED',
      amount: 1000,
      currencyCode: 'EUR',
      processor: { amountCaptured: 700 },
    }
    const result = await bench.runPay('payment capture p1 --amount 700', serving(payment))
    expect(result.stderr).toContain('Captured 7.00 EUR of 10.00 EUR: the other 3.00 EUR was released.')
  })

  test('of a part says so too where the service writes null for what it does not have', async () => {
    const payment = {
      status: 'SETTLED',
      amount: 1000,
      currencyCode: 'EUR',
      requiredAction: null,
      customerId: null,
      processor: { name: null, amountCaptured: 700 },
    }
    const result = await bench.runPay('payment capture p1 --amount 700', serving(payment))
    expect(result.stderr).toContain('the other 3.00 EUR was released')
  })

  test('previews the figures of a payment with nulls in it', async () => {
    const processor = { name: null, amountCaptured: 0 }
    const payment = { amount: 1000, currencyCode: 'EUR', customerId: null, processor }
    const result = await bench.runPay('payment capture p1', {
      ...serving(payment),
      answers: { Amount: '' },
    })
    expect(bodiesOf(result.requests)).toEqual(['{"amount":1000}'])
  })

  test.each([
    ['of all of it', { status: 'SETTLED', amount: 700 }],
    ['that is not the last', { status: 'PARTIALLY_SETTLED', amount: 1000 }],
    ['whose figures are not told', { status: 'SETTLED' }],
  ])('%s says nothing of a release', async (_, payment) => {
    const service = serving({ currencyCode: 'EUR', processor: { amountCaptured: 700 }, ...payment })
    const result = await bench.runPay('payment capture p1 --amount 700', service)
    expect(result.exitCode).toBe(0)
    expect(result.stderr).not.toContain('released')
  })

  test('with --final and --no-final is refused', async () => {
    const result = await bench.runPay('payment capture p1 --final --no-final', serving({}))
    expect(result).toMatchObject({ exitCode: 2, requests: [] })
  })
})
