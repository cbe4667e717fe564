import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createBench, jsonAnswer } from '../support/run-pay.ts'
import type { Bench, RunOptions } from '../support/run-pay.ts'
import { storeProfile } from '../support/stored-profile.ts'

let bench: Bench
beforeEach(() => {
  bench = createBench()
})
afterEach(() => {
  bench.dispose()
})

const PAID = {
  id: 'p1',
  status: 'SETTLED',
  orderId: 'A-1',
  currencyCode: 'EUR',
  amount: 1000,
  paymentMethod: { paymentMethodData: { last4Digits: '1111', network: 'VISA' } },
  processor: { amountCaptured: 1000, amountRefunded: 200 },
}
const AUTHORIZED = { ...PAID, status: 'AUTHORIZED', processor: { amountCaptured: 0, amountRefunded: 0 } }

const serviceOf =
  (payment: unknown): RunOptions['service'] =>
  () =>
    jsonAnswer(200, payment)

const writes = (requests: readonly { readonly method: string }[]) =>
  requests.filter((request) => request.method !== 'GET')

describe('questions are asked only when a person is there', () => {
  test.each([
    ['payment get', { tty: true, env: { CI: 'true' } }],
    ['payment get', { tty: true, env: { CI: '1' } }],
    ['payment get --no-input', { tty: true }],
    ['payment get -o json', { tty: true }],
    ['payment get -o id', { tty: true }],
    ['payment get --query id', { tty: true }],
    ['payment get', { tty: true, env: { PAY_OUTPUT: 'yaml' } }],
    ['payment get', { tty: false }],
  ] as const)('pay %s with %j asks nothing and names what is missing', async (line, options) => {
    const refused = await bench.runPay(`--sandbox ${line}`, options)
    expect(refused).toMatchObject({ exitCode: 2, questions: [], requests: [], stdout: '' })
    expect(refused.stderr).toContain('Missing: ID')
  })

  test.each(['', '0', 'false'])('CI=%s is no CI', async (value) => {
    const asked = await bench.runPay('--sandbox payment get', {
      answers: { 'Payment ID': 'p1' },
      env: { CI: value },
    })
    expect(asked.questions).toEqual(['Payment ID'])
  })
})

test('a secret from stdin at a terminal where nothing may be asked: a word says what is waited for', async () => {
  const env = { CI: 'true', PAY_API_KEY: 'key-0123456789abcdef', PAY_BASE_URL: 'http://127.0.0.1:9' }
  const sent = await bench.runPay('payment resume p1 --resume-token -', {
    tty: true,
    env,
    stdin: 'token-1234567',
    service: () => jsonAnswer(200, { id: 'p1', status: 'AUTHORIZED' }),
  })
  expect(sent.exitCode).toBe(0)
  expect(sent.stderr).toContain('--resume-token is read from stdin: paste it, press Enter, then Ctrl-D.')
})

describe('what is missing', () => {
  test.each([
    ['payment adjust', ['ID', '--amount']],
    ['payment authorize', ['ID', '--processor-merchant-id']],
    ['payment resume', ['ID', '--resume-token']],
    ['payment refund', ['ID']],
    ['payment create', ['--token']],
    ['session get', ['--client-token']],
    ['session update --order-id a', ['--client-token']],
    ['instrument list', ['--customer-id']],
    ['instrument vault', ['TOKEN', '--customer-id']],
    ['instrument delete', ['TOKEN']],
    ['loyalty redeem', ['--connection-id', '--customer-id', '--order-id', '--value']],
    [
      'observability push',
      [
        '--payment-id',
        '--currency',
        '--processor',
        '--amount',
        '--created-at',
        '--order-id',
        '--payment-method-type',
      ],
    ],
    ['profile add', ['NAME']],
    ['profile rename', ['OLD']],
    ['sandbox challenge', ['CLIENT_TOKEN', '--outcome']],
    ['sandbox tokenize', ['--card']],
    ['api', ['METHOD', 'PATH']],
  ])('of pay %s is named all at once', async (line, names) => {
    const refused = await bench.runPay(`--sandbox ${line}`)
    expect(refused).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
    for (const name of names) expect(refused.stderr).toContain(name)
  })

  test('is asked for, one question each, and then sent', async () => {
    const sent = await bench.runPay('--sandbox loyalty redeem --customer-id c1', {
      answers: { 'Connection id': 'points-1', 'Order id': 'A-1', Points: '50' },
    })
    expect(sent.exitCode).toBe(0)
    expect(JSON.parse(sent.requests[0]?.body ?? '')).toMatchObject({
      connectionId: 'points-1',
      customerId: 'c1',
      orderId: 'A-1',
      value: 50,
    })
  })

  test('a secret that is asked for shows nowhere afterwards', async () => {
    const sent = await bench.runPay(
      '--sandbox payment create --amount 5 --currency EUR --order-id A --debug',
      {
        answers: { 'Payment method token': 'tok_nobody_has_this' },
      },
    )
    expect(sent.exitCode).toBe(5 - 2)
    expect(sent.stdout + sent.stderr).not.toContain('tok_nobody_has_this')
  })
})

const MONEY_LINES = [
  ['payment capture p1 --amount 500', /Capture 5\.00.* of payment p1/],
  ['payment refund p1 --amount 500', /Refund 5\.00.* of payment p1/],
  ['payment adjust p1 --amount 500', /5\.00/],
  ['payment cancel p1', /Cancel payment p1/],
  ['payment authorize p1 --processor-merchant-id m1', /Authorize payment p1/],
  ['payment resume p1 --resume-token tok-secret-1', /Resume payment p1/],
  ['payment create --token tok-secret-1 --amount 500 --currency EUR --order-id A', /payment of 5\.00 EUR/],
  ['loyalty redeem --connection-id c --customer-id u --order-id o --value 5', /./],
  ['loyalty refund --connection-id c --customer-id u --order-id o --value 5', /./],
  ['instrument delete tok-secret-1', /Delete/],
  ['api POST /payments/p1/refund --set amount:=500', /POST \/payments/],
  ['api POST /payments', /POST \/payments/],
  ['api DELETE /payment-instruments/tok-secret-1', /DELETE/],
  ['api POST /client-session --set orderId=A', /POST \/client-session/],
  ['api PATCH /observability/payments/x --set status=SETTLED', /PATCH/],
  ['api POST /nobody/knows', /POST \/nobody\/knows/],
  ['api PUT /payments/p1', /PUT/],
] as const

/** A refund is of what is captured, everything else here of what is authorized. */
const paymentFor = (line: string) => (line.startsWith('payment refund') ? PAID : AUTHORIZED)

const isApiWithoutBody = (line: string) => line === 'api POST /payments'

describe('on a live profile', () => {
  beforeEach(() => storeProfile(bench, { mode: 'live' }))

  test.each(MONEY_LINES)('a script needs --yes, and nothing is sent without it: pay %s', async (line) => {
    const words = isApiWithoutBody(line) ? `${line} --no-validate` : line
    const refused = await bench.runPay(words, { service: serviceOf(paymentFor(line)) })
    expect(refused).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
    expect(refused.stderr).toContain('--yes')
    expect(refused.stderr).not.toContain('tok-secret-1')
  })

  test.each(MONEY_LINES)('a person is asked, and No sends nothing: pay %s', async (line, sentence) => {
    const words = isApiWithoutBody(line) ? `${line} --no-validate` : line
    let asked = ''
    const refused = await bench.runPay(words, {
      service: serviceOf(paymentFor(line)),
      answers: new Proxy<Record<string, boolean>>(
        { Confirm: false },
        {
          getOwnPropertyDescriptor: (target, key) => {
            if (typeof key === 'string' && key !== 'Confirm') asked = key
            return Reflect.getOwnPropertyDescriptor(target, key)
          },
        },
      ),
    })
    expect(refused).toMatchObject({ exitCode: 2, stdout: '', questions: ['Confirm'] })
    expect(writes(refused.requests)).toEqual([])
    expect(refused.stderr).toContain('nothing was sent')
    expect(asked).toMatch(sentence)
    expect(asked).toContain('LIVE')
    expect(asked).toContain('shop')
    expect(asked).not.toContain('tok-secret-1')
  })

  test.each(MONEY_LINES)('Yes sends it once: pay %s', async (line) => {
    const words = isApiWithoutBody(line) ? `${line} --no-validate` : line
    const sent = await bench.runPay(words, {
      service: serviceOf(paymentFor(line)),
      answers: { Confirm: true },
    })
    expect(sent.exitCode).toBe(0)
    expect(writes(sent.requests)).toHaveLength(1)
  })

  test.each(MONEY_LINES)('--yes answers it in a script: pay %s', async (line) => {
    const words = isApiWithoutBody(line) ? `${line} --no-validate` : line
    const sent = await bench.runPay(`${words} --yes`, { service: serviceOf(paymentFor(line)) })
    expect(sent.exitCode).toBe(0)
    expect(writes(sent.requests)).toHaveLength(1)
  })

  test.each([
    'payment get p1',
    'payment list',
    'api GET /payments',
    'api GET /nobody/knows',
    'session create --order-id A',
    'session update --client-token tok --order-id A',
    'instrument list --customer-id c',
    'instrument default tok',
    'observability update x --status SETTLED',
  ])('what neither moves money nor destroys does not ask: pay %s', async (line) => {
    const sent = await bench.runPay(line, { service: serviceOf({ data: [], status: 'SETTLED' }), tty: true })
    expect(sent.exitCode).toBe(0)
    // The session is read for what its update changes.
    expect(sent.requests).toHaveLength(line.startsWith('session update') ? 2 : 1)
  })

  test.each(MONEY_LINES)('a dry run needs no confirmation and sends nothing: pay %s', async (line) => {
    const words = isApiWithoutBody(line) ? `${line} --no-validate` : line
    for (const how of ['--dry-run', '--curl']) {
      const shown = await bench.runPay(`${words} ${how}`, { service: serviceOf(paymentFor(line)), tty: true })
      expect(shown).toMatchObject({ exitCode: 0, requests: [] })
    }
  })

  test('CI with a terminal needs --yes', async () => {
    const refused = await bench.runPay('payment capture p1', {
      service: serviceOf(AUTHORIZED),
      tty: true,
      env: { CI: 'true' },
    })
    expect(refused).toMatchObject({ exitCode: 2, requests: [] })
  })

  test('smoke is refused', async () => {
    const refused = await bench.runPay('smoke --yes', { service: serviceOf(AUTHORIZED) })
    expect(refused).toMatchObject({ exitCode: 2, requests: [] })
  })
})

describe('on a test profile', () => {
  beforeEach(() => storeProfile(bench, { mode: 'test' }))

  test.each(MONEY_LINES)('nothing is confirmed: pay %s', async (line) => {
    const words = isApiWithoutBody(line) ? `${line} --no-validate` : line
    const sent = await bench.runPay(words, { service: serviceOf(paymentFor(line)), tty: true })
    expect(sent).toMatchObject({ exitCode: 0, questions: [] })
    expect(writes(sent.requests)).toHaveLength(1)
  })
})

describe('the preview', () => {
  beforeEach(() => storeProfile(bench, { mode: 'live' }))

  test('of a refund shows profile, mode, order, status, method, figures, this amount and what remains', async () => {
    const sent = await bench.runPay('payment refund p1 --amount 300', {
      service: serviceOf(PAID),
      answers: { Confirm: true },
    })
    for (const words of [
      'shop',
      'LIVE',
      'A-1',
      'SETTLED',
      '1111',
      '10.00 EUR',
      '2.00 EUR',
      '8.00 EUR',
      '3.00 EUR',
      '5.00 EUR',
    ])
      expect(sent.stderr).toContain(words)
    expect(sent.requests.map(({ method }) => method)).toEqual(['GET', 'POST'])
  })

  test.each(['capture', 'refund', 'adjust', 'cancel'])(
    'comes before a %s, and not in a script',
    async (verb) => {
      const payment = verb === 'refund' ? PAID : AUTHORIZED
      const words = `payment ${verb} p1 ${verb === 'cancel' ? '' : '--amount 300'}`
      const shown = await bench.runPay(`${words} --yes`, { service: serviceOf(payment), tty: true })
      expect(shown.requests[0]?.method).toBe('GET')
      expect(shown.stderr).toContain('A-1')
      bench.clock.now = new Date(bench.clock.now.getTime() + 1_000)
      const script = await bench.runPay(`${words} --yes --again`, { service: serviceOf(payment) })
      // An adjustment is always read first: it cannot be told apart afterwards.
      expect(script.requests.map(({ method }) => method)).toEqual(
        verb === 'adjust' ? ['GET', 'POST'] : ['POST'],
      )
      expect(script.stderr).not.toContain('A-1')
    },
  )

  test('says "unknown" for figures that the answer does not have', async () => {
    const shown = await bench.runPay('payment refund p1 --amount 300', {
      service: serviceOf({ id: 'p1' }),
      answers: { Confirm: false },
    })
    expect(shown.stderr.match(/unknown/g)?.length).toBeGreaterThan(4)
  })

  test('of a payment that cannot be read still asks', async () => {
    const shown = await bench.runPay('payment refund p1 --amount 300', {
      service: ({ method }) => (method === 'GET' ? jsonAnswer(500, {}) : jsonAnswer(200, PAID)),
      answers: { Confirm: true },
    })
    expect(shown.exitCode).toBe(0)
    expect(shown.stderr).toContain('could not be read')
  })

  test('of a payment that is not there ends it: nothing is sent', async () => {
    const shown = await bench.runPay('payment refund p1 --amount 300', {
      service: () => jsonAnswer(400, { error: { errorId: 'PaymentError' } }),
      tty: true,
    })
    expect(shown.exitCode).toBe(5)
    expect(writes(shown.requests)).toEqual([])
  })

  test.each([
    ['refund', PAID, 'Amount', '', 800],
    ['refund', PAID, 'Amount', '2.50', 250],
    ['refund', PAID, 'Amount', '2.50 EUR', 250],
    ['refund', PAID, 'Amount', '250', 250],
  ])(
    'the figure that was shown is the figure that is sent: %s',
    async (verb, payment, label, answer, amount) => {
      const sent = await bench.runPay(`payment ${verb} p1`, {
        service: serviceOf(payment),
        answers: { [label]: answer, Confirm: true },
      })
      expect(sent.exitCode).toBe(0)
      expect(JSON.parse(sent.requests.at(-1)?.body ?? '')).toEqual({ amount })
    },
  )

  test('an omitted amount of a capture is sent as the figure that was shown', async () => {
    const sent = await bench.runPay('payment capture p1', {
      service: serviceOf(AUTHORIZED),
      answers: { Amount: '', Confirm: true },
    })
    expect(JSON.parse(sent.requests.at(-1)?.body ?? '')).toEqual({ amount: 1000 })
    expect(sent.stderr).toContain('10.00 EUR')
  })

  test('--yes on a terminal sends the figure that was shown', async () => {
    const sent = await bench.runPay('payment refund p1 --yes', { service: serviceOf(PAID), tty: true })
    expect(JSON.parse(sent.requests.at(-1)?.body ?? '')).toEqual({ amount: 800 })
  })

  test('a script without an amount sends none: all that is left, as the API says', async () => {
    const sent = await bench.runPay('payment refund p1 --yes', { service: serviceOf(PAID) })
    expect(sent.requests.map(({ body }) => body)).toEqual([undefined])
  })

  test('a partial capture says what the rest becomes', async () => {
    const shown = await bench.runPay('payment capture p1 --amount 700', {
      service: serviceOf(AUTHORIZED),
      answers: { Confirm: false },
    })
    expect(shown.stderr).toContain('3.00 EUR')
    expect(shown.stderr).toContain('--no-final')
  })
})
