import { describe, expect, test } from 'vitest'
import { SERVICE_ENV, envelope } from '../../support/error-envelope.ts'
import { jsonAnswer } from '../../support/run-pay.ts'
import { useBench } from '../../support/use-bench.ts'
import type { RunOptions } from '../../support/run-pay.ts'

const bench = useBench()

/** Responds to every read and write with this payment. */
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
  ['a Unicode minus sign', '\u22127'],
  ['a sign and a currency', '-7.00 EUR'],
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
  ['a currency in lower case', '7.00 eur'],
  ['the currency first', 'EUR 7.00'],
  ['no space before the currency', '7.00EUR'],
  ['an unknown currency', '7.00 EUX'],
  ['two currencies', '7.00 EUR EUR'],
  ['too many decimals', '7.001 EUR'],
  ['too many zeros', '7.000 EUR'],
  ['decimals in a currency without decimals', '700.0 JPY'],
  ['four decimals in a currency with three', '1.0001 KWD'],
  ['a hexadecimal number', '0x10'],
  ['Arabic-Indic digits', '٧٠٠'],
  ['full-width digits', '７００'],
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

  test('takes the currency of a bare decimal from --currency and checks it', async () => {
    const words = ['payment', verb, 'p1', '--amount', '7.00', '--currency', 'EUR']
    const result = await bench.runPay(words, serving({ currencyCode: 'EUR' }))
    expect(bodiesOf(result.requests)).toEqual(['{"amount":700}'])
    expect(result.requests[0]?.method).toBe('GET')
  })

  test('reads a bare integer with --currency as minor units and checks the currency', async () => {
    const words = ['payment', verb, 'p1', '--amount', '7', '--currency', 'EUR']
    expect(bodiesOf((await bench.runPay(words, serving({ currencyCode: 'EUR' }))).requests)).toEqual([
      '{"amount":7}',
    ])
    const other = await bench.runPay(words, serving({ currencyCode: 'USD' }))
    expect(other.exitCode).toBe(2)
    expect(bodiesOf(other.requests)).toEqual([])
  })

  test('refuses a bare decimal without a currency', async () => {
    const result = await bench.runPay(['payment', verb, 'p1', '--amount', '7.00', '--json'], serving({}))
    expect(result).toMatchObject({ exitCode: 2, requests: [] })
    expect(result.stderr).toContain('"code":"amount_needs_currency"')
  })

  test('refuses two different currencies before it reads anything', async () => {
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
    ['differs', { currencyCode: 'USD' }, 'The payment is in USD, not in EUR'],
    ['differs, which may be another payment', { currencyCode: 'USD' }, 'Check that it is the right payment'],
    ['is missing', {}, 'has no readable currency'],
    ['is missing, and what to do', {}, 'A bare integer in minor units'],
    ['is null', { currencyCode: null }, 'has no readable currency'],
    ['is a number', { currencyCode: 978 }, 'has no readable currency'],
    ['is in lower case', { currencyCode: 'eur' }, 'not in EUR'],
  ])("sends nothing if the payment's currency %s", async (_, payment, message) => {
    const result = await bench.runPay(['payment', verb, 'p1', '--amount', '7.00 EUR'], serving(payment))
    expect(result).toMatchObject({ exitCode: 2, stdout: '' })
    expect(result.stderr).toContain(message)
    expect(result.requests.map((request) => request.method)).toEqual(['GET'])
  })

  test('an ID that the service does not know leads to the payments, not to an unchecked amount', async () => {
    const words = ['payment', verb, 'p1', '--amount', '7.00 EUR']
    const service = () => jsonAnswer(400, envelope('PaymentError'))
    const { stderr } = await bench.runPay(words, { env: SERVICE_ENV, service })
    expect(stderr).toContain('There is no such payment, so EUR could not be checked')
    expect(stderr).toContain('pay payment list')
    expect(stderr).not.toContain('unchecked')
  })

  test.each([
    ['not found', () => jsonAnswer(400, envelope('PaymentError'))],
    ['refused', () => jsonAnswer(403, envelope('Forbidden'))],
    ['a failing service', () => jsonAnswer(503, {})],
    ['a page of HTML', () => ({ status: 200, headers: {}, body: '<html>login</html>' })],
    ['an empty response', () => ({ status: 200, headers: {}, body: '' })],
    ['a list', () => jsonAnswer(200, [])],
  ])('sends nothing if the payment cannot be read: %s', async (_, service) => {
    const words = ['payment', verb, 'p1', '--amount', '7.00 EUR', '--max-retries', '0', '--json']
    const result = await bench.runPay(words, { env: SERVICE_ENV, service })
    expect(result).toMatchObject({ exitCode: 2, stdout: '' })
    expect(result.stderr).toContain('"code":"currency_unchecked"')
    expect(bodiesOf(result.requests)).toEqual([])
  })

  test('reports an unchecked currency in a dry run', async () => {
    const words = ['payment', verb, 'p1', '--amount', '7.00 EUR', '--dry-run', '--json']
    const result = await bench.runPay(words, serving({}))
    expect(result).toMatchObject({ exitCode: 0, requests: [] })
    expect(JSON.parse(result.stdout)).toMatchObject({
      body: { amount: 700 },
      unchecked: ['that the payment is in EUR'],
    })
  })

  test('refuses an amount above 2^53 in --data', async () => {
    const words = ['payment', verb, 'p1', '--data', '{"amount":9007199254740993}', '--json']
    const result = await bench.runPay(words, serving({}))
    expect(result).toMatchObject({ exitCode: 2, requests: [] })
    expect(result.stderr).toContain('too large to be exact')
  })

  test('--amount overrides --data, even if its currency comes from the payment', async () => {
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
      ])('refuses 7.00 EUR with %s', async (words) => {
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
