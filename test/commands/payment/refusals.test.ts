import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SERVICE_ENV, envelope } from '../../support/error-envelope.ts'
import { createBench, jsonAnswer } from '../../support/run-pay.ts'
import type { Bench } from '../../support/run-pay.ts'

let bench: Bench
beforeEach(() => {
  bench = createBench()
})
afterEach(() => {
  bench.dispose()
})

const CREATE = ['payment', 'create', '--token', 'tok_visa']
const GET = ['payment', 'get', 'p1']
const AUTHORIZE = ['payment', 'authorize', 'p1', '--processor-merchant-id', 'm']
const CAPTURE = ['payment', 'capture', 'p1']
const REFUND = ['payment', 'refund', 'p1']
const CANCEL = ['payment', 'cancel', 'p1']
const UPDATE = ['observability', 'update', 'x', '--status', 'SETTLED']
const REDEEM = 'loyalty redeem --connection-id k --customer-id c --order-id o --value 5'.split(' ')
const DELETE = ['instrument', 'delete', 'pm-12345']
const VAULT = ['instrument', 'vault', 'pm-12345', '--customer-id', 'c']
const SESSION = ['session', 'create']
const SESSION_UPDATE = ['session', 'update', '--client-token', 'ct-12345']
const PUSH = [
  'observability',
  'push',
  '--data',
  '{"paymentId":"x","currencyCode":"EUR","processor":{"name":"A"},"amount":1,"createdAt":"2026-01-01T00:00:00Z","order":{"id":"o"},"paymentMethod":{"paymentMethodType":"PAYMENT_CARD"}}',
]

/** Status, errorId, command, exit code. The errorId has the word; the status only where it is not known. */
const REFUSALS: readonly (readonly [number, string, readonly string[], number])[] = [
  [401, 'Unauthorized', GET, 4],
  [403, 'Forbidden', REDEEM, 4],
  [422, 'RequestValidationError', SESSION, 3],
  [400, 'ClientSessionValidationError', SESSION_UPDATE, 3],
  [400, 'MetadataContainsEmptyKey', SESSION, 3],
  [400, 'PaymentError', GET, 5],
  [400, 'PaymentError', CAPTURE, 5],
  [400, 'PaymentError', REFUND, 5],
  [400, 'PaymentError', CANCEL, 5],
  [400, 'PaymentError', CREATE, 3],
  [404, 'PaymentNotFoundError', AUTHORIZE, 5],
  [404, 'EntityNotFound', UPDATE, 5],
  [400, 'InvalidPaymentStatus', REFUND, 6],
  [400, 'InvalidPaymentStatus', CAPTURE, 6],
  [400, 'PaymentAlreadyAuthorized', AUTHORIZE, 6],
  [400, 'PaymentIsNotAuthorizedYet', CAPTURE, 6],
  [400, 'MerchantAccountNotFound', AUTHORIZE, 3],
  [400, 'MerchantAccountConflict', AUTHORIZE, 3],
  [422, 'UnprocessableCaptureAmount', CAPTURE, 3],
  [422, 'UnprocessableRefundAmount', REFUND, 3],
  [409, 'PaymentAlreadyRefunded', REFUND, 6],
  [409, 'IdempotencyKeyAlreadyExists', CREATE, 6],
  [400, 'TransactionRequestIdempotencyKeyAlreadyExists', CAPTURE, 6],
  [409, 'PaymentRequestLimitExceeded', REFUND, 6],
  [409, 'EntityAlreadyExists', PUSH, 6],
  [400, 'InvalidPaymentInstrumentToken', DELETE, 5],
  [400, 'FailedVerification', VAULT, 3],
  [400, 'ConnectionNotFound', REDEEM, 5],
  [400, 'PartialCaptureNotSupported', CAPTURE, 3],
  [400, 'InsufficientPoints', REDEEM, 3],
  [400, 'UnsupportedApiVersion', GET, 3],
  [410, 'VersionRetired', SESSION, 3],
  [404, 'NotFound', GET, 5],
  [405, 'MethodNotAllowed', GET, 3],
  [413, 'PayloadTooLarge', SESSION, 3],
  [415, 'UnsupportedMediaType', SESSION, 3],
  [400, 'MalformedJson', SESSION, 3],
  // The errorId is stronger than a status that says something else.
  [422, 'InvalidPaymentStatus', REFUND, 6],
  [404, 'PaymentAlreadyRefunded', REFUND, 6],
  [400, 'Forbidden', GET, 4],
  // What nobody has told us of goes by its status.
  [400, 'SomethingNew', REFUND, 3],
  [409, 'SomethingNew', REFUND, 6],
  [404, 'SomethingNew', GET, 5],
  [418, 'SomethingNew', GET, 3],
  [401, 'constructor', GET, 4],
]

test.each(REFUSALS)('%d %s', async (status, errorId, words, exitCode) => {
  const result = await bench.runPay([...words, '--json'], {
    env: SERVICE_ENV,
    service: () => jsonAnswer(status, envelope(errorId), { 'x-request-id': 'req-1' }),
  })
  expect(result).toMatchObject({ exitCode, stdout: '' })
  const lines = result.stderr.trim().split('\n')
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    error: {
      exitCode,
      httpStatus: status,
      errorId,
      description: `says ${errorId}`,
      diagnosticsId: 'diag-1',
      outcome: 'none',
    },
  })
  expect(result.requests).toHaveLength(1)
})

describe.each([
  [400, 'IncorrectPaymentAuthorizationType', 3],
  [400, 'PaymentIsNotAuthorizedYet', 6],
  [400, 'AdjustAuthorizationNonCardPayment', 3],
  [400, 'AdjustAuthorizationNotSupported', 3],
  [404, 'EntityNotFound', 5],
])('adjust: %d %s', (status, errorId, exitCode) => {
  test(`is exit ${exitCode}`, async () => {
    const result = await bench.runPay('payment adjust p1 --amount 5', {
      env: SERVICE_ENV,
      service: ({ method }) =>
        method === 'GET' ? jsonAnswer(200, { id: 'p1', amount: 9 }) : jsonAnswer(status, envelope(errorId)),
    })
    expect(result).toMatchObject({ exitCode, stdout: '' })
  })
})

test.each([300, 301, 302, 303, 304, 307, 308])('a redirect (%d) is a refusal', async (status) => {
  for (const words of [GET, REFUND]) {
    const result = await bench.runPay([...words, '--json'], {
      env: SERVICE_ENV,
      service: () => ({ status, headers: { location: 'https://elsewhere.example.com/' }, body: '' }),
    })
    expect(result).toMatchObject({ exitCode: 3, stdout: '' })
    expect(result.stderr).toContain('"code":"redirected"')
    expect(result.requests).toHaveLength(1)
  }
})

test.each([
  ['a number', { 'retry-after': '5' }],
  ['an HTTP date of the past', { 'retry-after': 'Sun, 01 Mar 2020 12:00:00 GMT' }],
  ['none', {}],
])('429 to the end is exit 7, with Retry-After as %s', async (_, headers) => {
  const result = await bench.runPay([...REFUND, '--json'], {
    env: SERVICE_ENV,
    service: () => jsonAnswer(429, {}, headers),
  })
  expect(result).toMatchObject({ exitCode: 7, stdout: '' })
  const lastLine = result.stderr.trimEnd().split('\n').at(-1) ?? ''
  expect(JSON.parse(lastLine)).toMatchObject({ error: { outcome: 'none', retryable: true } })
  expect(result.requests).toHaveLength(4)
})

const tell = async (body: string, flags: readonly string[] = []) =>
  bench.runPay([...REFUND, ...flags], {
    env: SERVICE_ENV,
    service: () => ({ status: 422, headers: { 'x-request-id': 'req-7' }, body }),
  })

describe('an error body of any shape is shown sensibly', () => {
  test.each([
    ['the envelope', JSON.stringify(envelope('SomethingNew')), 'says SomethingNew'],
    ['an envelope without description', '{"error":{"errorId":"OddThing"}}', 'OddThing'],
    ['another JSON', '{"message":"no such luck","code":"X1"}', 'no such luck'],
    ['problem details', '{"title":"Out of luck","detail":"none left","type":"https://x/y"}', 'none left'],
    ['a list', '["first","second"]', 'first'],
    ['a JSON text', '"plain words"', 'plain words'],
    ['plain text', 'the proxy says no', 'the proxy says no'],
    ['a page', '<html><head><style>b{}</style></head><body><h1>Bad day</h1></body></html>', 'Bad day'],
    ['half an envelope', '{"error":{"errorId":"Cut","descr', 'Cut'],
    ['nothing', '', 'refused the request (422)'],
    ['a key given twice', '{"error":{"errorId":"A","errorId":"TwiceSaid"}}', 'TwiceSaid'],
    ['numbers above 2^53', '{"error":{"errorId":9007199254740993}}', '9007199254740993'],
    ['deep nesting', `{"a":${'['.repeat(9000)}${']'.repeat(9000)}}`, 'refused the request (422)'],
    ['null', 'null', 'refused the request (422)'],
  ])('%s', async (_, body, words) => {
    const result = await tell(body)
    expect(result).toMatchObject({ exitCode: 3, stdout: '' })
    expect(result.stderr).toContain(words)
    expect(result.stderr).not.toContain('<')
    expect(result.stderr.length).toBeLessThan(3000)
    const machine = await tell(body, ['--json'])
    expect(JSON.parse(machine.stderr)).toMatchObject({ error: { exitCode: 3, httpStatus: 422 } })
  })

  test('control characters never reach the terminal', async () => {
    const result = await tell(
      JSON.stringify(envelope('Odd\u001b[2J', { description: 'a\u001b]0;owned\u0007\u009b31m\u202eb\rc' })),
    )
    // oxlint-disable-next-line no-control-regex -- that is what must not be there
    expect(result.stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
  })

  test('an id that is a number above 2^53 keeps its digits', async () => {
    const result = await tell('{"error":{"errorId":9007199254740993}}', ['--json'])
    expect(JSON.parse(result.stderr)).toMatchObject({ error: { errorId: '9007199254740993' } })
  })

  test('validation errors are told one by one', async () => {
    const validationErrors = [
      {
        model: 'M',
        errors: [
          { path: '$.amount', description: 'too much' },
          { path: '$.x', description: 'odd' },
        ],
      },
    ]
    const result = await tell(JSON.stringify(envelope('RequestValidationError', { validationErrors })))
    expect(result.stderr).toContain('--amount: too much')
    expect(result.stderr).toContain('$.x: odd')
  })

  test('the ids to quote are named', async () => {
    expect((await tell('{}')).stderr).toContain('req-7')
  })
})

const answering = (body: string, status = 200) => ({
  env: SERVICE_ENV,
  service: () => ({ status, headers: {}, body }),
})

describe('a 200 that is not what was asked for', () => {
  test.each([
    ['fields of other types', '{"id":"p1","amount":"x"}', '"amount": "x"'],
    ['an amount above 2^53', '{"id":"p1","amount":9007199254740993}', '9007199254740993'],
  ])('%s on a write: it was done, shown raw with a warning', async (_, body, shown) => {
    for (const words of [REFUND, CREATE, CANCEL]) {
      const result = await bench.runPay(words, answering(body))
      expect(result.exitCode).toBe(0)
      expect(result.stdout).toContain(shown)
      expect(result.stderr).toContain('Warning')
    }
  })

  test.each([
    ['HTML', '<html>login</html>', 200],
    ['half a JSON', '{"id":"p1","sta', 200],
    ['a number', '5', 200],
    ['a list', '[{"id":"p1"}]', 200],
    ['null', 'null', 200],
    ['two answers', '{"id":"p1"}{"id":"p1"}', 200],
    ['an error', '{"error":{"errorId":"X"}}', 200],
    ['empty', '', 200],
    ['white space', ' \n', 200],
    ['no content', '', 204],
  ])('%s on a write is no answer: exit 10, and stdout stays empty', async (_, body, status) => {
    for (const words of [REFUND, CREATE, PUSH, CANCEL, SESSION, REDEEM, VAULT]) {
      const fresh = createBench()
      const result = await fresh.runPay([...words, '--json', '--max-retries', '0'], answering(body, status))
      expect(result).toMatchObject({ exitCode: 10, stdout: '' })
      expect(JSON.parse(result.stderr)).toMatchObject({
        error: { code: 'outcome_unknown', outcome: 'unknown', httpStatus: status },
      })
      fresh.dispose()
    }
  })

  test.each([
    ['HTML', '<html>login</html>'],
    ['half a JSON', '{"id":"p1","sta'],
    ['empty', ''],
    ['nested too deep', `{"a":${'['.repeat(9000)}${']'.repeat(9000)}}`],
  ])('%s on a read is no answer: exit 11, and stdout stays empty', async (_, body) => {
    for (const words of [
      GET,
      ['payment', 'list'],
      ['instrument', 'list', '--customer-id', 'c'],
      ['session', 'get', '--client-token', 'ct-12345'],
    ]) {
      const result = await bench.runPay([...words, '--json'], answering(body))
      expect(result).toMatchObject({ exitCode: 11, stdout: '' })
      expect(JSON.parse(result.stderr)).toMatchObject({
        error: { code: 'unusable_answer', outcome: 'none', httpStatus: 200 },
      })
    }
  })

  test('another payment on a read is shown with a warning, and decides nothing', async () => {
    const other = answering('{"id":"p2","status":"SETTLED"}')
    const shown = await bench.runPay(GET, other)
    expect(shown).toMatchObject({ exitCode: 0 })
    expect(shown.stdout).toContain('p2')
    expect(shown.stderr).toContain('Warning: The service responded about p2 instead of p1.')
    for (const words of ['payment explain p1', 'payment wait p1 --for 1s'])
      expect((await bench.runPay(words, other)).exitCode).toBe(11)
  })

  test('JSON of another shape on a read is shown raw with a warning', async () => {
    const result = await bench.runPay(GET, answering('{"id":"p1","amount":"x"}'))
    expect(result).toMatchObject({ exitCode: 0 })
    expect(result.stdout).toContain('"amount": "x"')
    expect(result.stderr).toContain('Warning')
  })

  test('a declined payment is exit 13 even where a key is given twice', async () => {
    const result = await bench.runPay(
      [...CREATE, '--json'],
      answering('{"id":"p1","id":"p1","status":"DECLINED"}'),
    )
    expect(result.exitCode).toBe(13)
    expect(result.stdout).toContain('DECLINED')
  })
})

const answer = (status: string, more: Readonly<Record<string, unknown>> = {}) => ({
  env: SERVICE_ENV,
  service: () => jsonAnswer(200, { id: 'p1', status, ...more }),
})

describe('answers that are no success are printed all the same', () => {
  test.each([
    ['create', CREATE],
    ['authorize', AUTHORIZE],
    ['capture', CAPTURE],
  ])('%s that is DECLINED or FAILED is exit 13', async (_, words) => {
    for (const status of ['DECLINED', 'FAILED']) {
      const result = await bench.runPay([...words, '--json'], answer(status))
      expect(result.exitCode).toBe(13)
      expect(JSON.parse(result.stdout)).toEqual({ id: 'p1', status })
      expect(JSON.parse(result.stderr.trim().split('\n').at(-1) ?? '')).toMatchObject({
        error: { code: 'payment_declined', exitCode: 13 },
      })
    }
  })

  test('the error says which payment it is and why, for a script and for a person', async () => {
    const statusReason = {
      type: 'ISSUER_DECLINED',
      declineType: 'SOFT_DECLINE',
      code: 'INSUFFICIENT_FUNDS',
      message: 'not enough on 4111111111111111',
    }
    const declined = answer('DECLINED', { statusReason })
    const script = await bench.runPay([...CREATE, '--json'], declined)
    expect(JSON.parse(script.stderr.trim().split('\n').at(-1) ?? '')).toMatchObject({
      error: {
        code: 'payment_declined',
        paymentId: 'p1',
        paymentStatus: 'DECLINED',
        reason: { ...statusReason, message: 'not enough on [card number]' },
      },
    })
    const person = await bench.runPay(CREATE, declined)
    expect(person.stderr.replaceAll(/\s+/g, ' ')).toContain(
      'Why INSUFFICIENT_FUNDS: not enough on [card number] (SOFT_DECLINE, ISSUER_DECLINED)',
    )
  })

  test('a read of a declined payment is exit 0', async () => {
    expect(await bench.runPay(GET, answer('DECLINED'))).toMatchObject({ exitCode: 0 })
  })

  test('a refund of a payment in any state is told by its own transaction', async () => {
    const failed = { transactions: [{ transactionType: 'REFUND', amount: 5, processorStatus: 'FAILED' }] }
    const result = await bench.runPay([...REFUND, '--amount', '5', '--json'], answer('SETTLED', failed))
    expect(result.exitCode).toBe(13)
    expect(result.stderr).toContain('refund_failed')
  })

  test('FAILED by a gateway that never answered is exit 10', async () => {
    const result = await bench.runPay(
      [...CREATE, '--json'],
      answer('FAILED', { statusReason: { type: 'GATEWAY_TIMEOUT' } }),
    )
    expect(result).toMatchObject({ exitCode: 10, stdout: '' })
  })
})
