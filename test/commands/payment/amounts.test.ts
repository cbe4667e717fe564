import { describe, expect, test } from 'vitest'
import { TransportFailure } from '../../../src/client/http/transport-port.ts'
import { SERVICE_ENV, envelope } from '../../support/error-envelope.ts'
import { jsonAnswer } from '../../support/run-pay.ts'
import { useBench } from '../../support/use-bench.ts'
import type { RunOptions } from '../../support/run-pay.ts'
import { errorOf } from '../../support/run-result.ts'

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
    expect(stderr).toContain('There is no such payment')
    expect(stderr).toContain('pay payment list')
    expect(stderr).not.toContain('unchecked')
  })

  test.each([
    ['not found', 5, 'payment_not_found', () => jsonAnswer(400, envelope('PaymentError'))],
    ['refused', 4, 'forbidden', () => jsonAnswer(403, envelope('Forbidden'))],
    ['a failing service', 11, 'server_error', () => jsonAnswer(503, {})],
    ['a page of HTML', 11, 'wrong_answer', () => ({ status: 200, headers: {}, body: '<html>login</html>' })],
    ['an empty response', 11, 'wrong_answer', () => ({ status: 200, headers: {}, body: '' })],
    ['a list', 11, 'wrong_answer', () => jsonAnswer(200, [])],
    [
      'no connection',
      9,
      'not_connected',
      () => {
        throw new TransportFailure('refused', false, '127.0.0.1:443 refused the connection')
      },
    ],
  ])(
    'ends with the code of the read that failed, and sends nothing: %s',
    async (_, exitCode, code, service) => {
      const words = ['payment', verb, 'p1', '--amount', '7.00 EUR', '--max-retries', '0', '--json']
      const result = await bench.runPay(words, { env: SERVICE_ENV, service })
      expect(errorOf(result)).toMatchObject({ exitCode, code, outcome: 'none' })
      expect(result).toMatchObject({ exitCode, stdout: '' })
      expect(bodiesOf(result.requests)).toEqual([])
    },
  )

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
        expect(result).toMatchObject({ exitCode: 2, requests: [], stderr: expect.stringContaining('USD') })
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
  ])('sends final only if it is given: %s', async (_, words, body) => {
    const result = await bench.runPay(['payment', 'capture', 'p1', ...words], serving({}))
    expect(bodiesOf(result.requests)).toEqual([body])
  })

  test('of a part reports the released amount', async () => {
    const payment = {
      status: 'SETTLED',
      amount: 1000,
      currencyCode: 'EUR',
      processor: { amountCaptured: 700 },
    }
    const result = await bench.runPay('payment capture p1 --amount 700', serving(payment))
    expect(result.stderr).toContain('Captured 7.00 EUR of 10.00 EUR; the remaining 3.00 EUR was released.')
  })

  test('of a part reports the released amount even if the response has nulls', async () => {
    const payment = {
      status: 'SETTLED',
      amount: 1000,
      currencyCode: 'EUR',
      requiredAction: null,
      customerId: null,
      processor: { name: null, amountCaptured: 700 },
    }
    const result = await bench.runPay('payment capture p1 --amount 700', serving(payment))
    expect(result.stderr).toContain('the remaining 3.00 EUR was released')
  })

  test.each([
    ['keep', '{"amount":700,"final":false}', '3.00 EUR, still to capture'],
    ['release', '{"amount":700}', '0.00 EUR: releases 3.00 EUR unless --no-final'],
  ])('of a part that was asked for asks whether to keep the rest: %s', async (answer, body, plan) => {
    const payment = {
      id: 'p1',
      status: 'AUTHORIZED',
      amount: 1000,
      currencyCode: 'EUR',
      processor: { amountCaptured: 0 },
    }
    const result = await bench.runPay('payment capture p1', {
      ...serving(payment),
      answers: { Amount: '7.00', 'The rest': answer },
    })
    expect(bodiesOf(result.requests).at(-1)).toBe(body)
    expect(result.stderr).toContain(plan)
    expect(result.offered['The rest']).toEqual([
      'keep 3.00 EUR to capture later (--no-final)',
      'release 3.00 EUR: this is the last capture',
    ])
  })

  test('previews a payment with nulls', async () => {
    const processor = { name: null, amountCaptured: 0 }
    const payment = { amount: 1000, currencyCode: 'EUR', customerId: null, processor }
    const result = await bench.runPay('payment capture p1', { ...serving(payment), answers: { Amount: '' } })
    expect(bodiesOf(result.requests)).toEqual(['{"amount":1000}'])
  })

  test.each([
    ['of the full amount', { status: 'SETTLED', amount: 700 }],
    ['that is not final', { status: 'PARTIALLY_SETTLED', amount: 1000 }],
    ['of a payment without figures', { status: 'SETTLED' }],
  ])('%s mentions no release', async (_, payment) => {
    const service = serving({ currencyCode: 'EUR', processor: { amountCaptured: 700 }, ...payment })
    const result = await bench.runPay('payment capture p1 --amount 700', service)
    expect(result.exitCode).toBe(0)
    expect(result.stderr).not.toContain('released')
  })

  test('refuses --final with --no-final', async () => {
    const result = await bench.runPay('payment capture p1 --final --no-final', serving({}))
    expect(result).toMatchObject({ exitCode: 2, requests: [] })
  })
})

async function capturedPayment(): Promise<string> {
  const created = await bench.runPay(
    "--sandbox payment create --token tok_visa --amount '10.00 EUR' --order-id A-1 -o id",
  )
  const id = created.stdout.trim()
  await bench.runPay(['--sandbox', 'payment', 'capture', id])
  return id
}

test('refunds part of a capture', async () => {
  const id = await capturedPayment()
  const refund = await bench.runPay(`--sandbox payment refund ${id} --amount 300`)
  expect(refund).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('3.00 EUR') })
  expect(refund.requests.map((request) => request.body)).toEqual(['{"amount":300}'])
})

test('asks for a missing amount', async () => {
  const id = await capturedPayment()
  const refund = await bench.runPay(`--sandbox payment refund ${id}`, { answers: { Amount: '2.50' } })
  expect(refund.stderr).toContain('Refunded')
  expect(refund.requests.at(-1)?.body).toBe('{"amount":250}')
})

test('asks for a reason with the amount, and Enter skips it', async () => {
  const id = await capturedPayment()
  const words = `--sandbox payment refund ${id}`
  const skipped = await bench.runPay(words, { answers: { Amount: '2.50', Reason: '' } })
  expect(skipped.questions).toEqual(['Amount', 'Reason'])
  expect(skipped.requests.at(-1)?.body).toBe('{"amount":250}')
  const given = await bench.runPay(words, { answers: { Amount: '1.00', Reason: ' broken ' } })
  expect(given.requests.at(-1)?.body).toBe('{"amount":100,"reason":"broken"}')
  expect(JSON.parse((await bench.runPay('ops list --json')).stdout)).toMatchObject([
    { reason: 'broken' },
    {},
    {},
    {},
  ])
})

test.each(['--amount 250', '--yes', '--reason broken'])('asks for no reason with %s', async (flags) => {
  const id = await capturedPayment()
  const answers: Record<string, string> = flags.startsWith('--reason') ? { Amount: '2.50' } : {}
  const refund = await bench.runPay(`--sandbox payment refund ${id} ${flags}`, { answers, tty: true })
  expect(refund).toMatchObject({ exitCode: 0, questions: Object.keys(answers) })
})

test('refuses a refund above the remaining amount', async () => {
  const id = await capturedPayment()
  const refund = await bench.runPay(`--sandbox payment refund ${id} --amount 1001`)
  expect(refund).toMatchObject({ exitCode: 3, stdout: '' })
  expect(refund.stderr).toContain('The amount is more than what is left to refund')
})

test('resends with the same key and body if the response is lost', async () => {
  const id = await capturedPayment()
  const refund = await bench.runPay(`--sandbox payment refund ${id} --amount 300`, {
    service: (_, attempt) =>
      attempt === 1 ? jsonAnswer(503, {}) : jsonAnswer(200, { id, status: 'SETTLED' }),
  })
  expect(refund.exitCode).toBe(0)
  const [first, second] = refund.requests
  expect(second).toEqual(first)
  expect(first?.headers['x-idempotency-key']).toBeDefined()
})
