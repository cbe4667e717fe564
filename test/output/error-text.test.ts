import { describe, expect, test } from 'vitest'
import { EXIT, PayError, UsageError } from '../../src/errors.ts'
import { renderErrorJson, renderError } from '../../src/output/error-text.ts'
import { plainPaint, wordsPaint } from '../../src/output/paint.ts'

const refused = new PayError(
  'refund_exceeds_remaining',
  EXIT.rejected,
  'The refund is more than what is left',
  {
    httpStatus: 422,
    errorId: 'UnprocessableRefundAmount',
    description: 'The amount exceeds\u001B[31m the refundable amount of card 4111111111111111',
    diagnosticsId: '1234',
    validationErrors: [{ path: '$.amount', description: 'at most 300' }],
    operation: 'payment.refund',
    operationId: 'op_1',
    idempotencyKey: 'key-1',
    outcome: 'none',
    retryable: false,
    next: ['pay payment get p1', 'pay payment refund p1 --amount 300'],
  },
)

describe('for people', () => {
  test('shows the failure, its cause, the state, the next commands and the ids to quote', () => {
    expect(renderError(refused, { paint: plainPaint, width: undefined })).toBe(
      [
        '✗ The refund is more than what is left',
        '  Why    The amount exceeds\\u001b[31m the refundable amount of card [card number] (UnprocessableRefundAmount, HTTP 422)',
        '         $.amount: at most 300',
        '  State  nothing changed and no money moved',
        '  Next   pay payment get p1',
        '         pay payment refund p1 --amount 300',
        '  Quote  diagnostics ID 1234, operation op_1, idempotency key key-1',
      ].join('\n'),
    )
  })

  test('says nothing of the state if another process has the write', () => {
    const message = 'Nothing was sent, but another process has taken the write over, and may have done it'
    const lapsed = new PayError('lease_lapsed', EXIT.conflict, message, { outcome: 'none' })
    expect(renderError(lapsed, { paint: plainPaint, width: undefined })).toBe(`✗ ${message}`)
  })

  test('fits a narrow terminal and keeps commands on one line', () => {
    expect(renderError(refused, { paint: plainPaint, width: 50 }).split('\n')).toEqual([
      '✗ The refund is more than what is left',
      '  Why    The amount exceeds\\u001b[31m the',
      '         refundable amount of card [card number]',
      '         (UnprocessableRefundAmount, HTTP 422)',
      '         $.amount: at most 300',
      '  State  nothing changed and no money moved',
      '  Next   pay payment get p1',
      '         pay payment refund p1 --amount 300',
      '  Quote  diagnostics ID 1234, operation op_1,',
      '         idempotency key key-1',
    ])
    const long = new UsageError('A headline that is longer than the terminal is wide')
    expect(renderError(long, { paint: plainPaint, width: 30 })).toBe(
      '✗ A headline that is longer\n  than the terminal is wide',
    )
  })

  test('is one line if nothing else is known', () => {
    expect(renderError(new UsageError('No such flag'), { paint: wordsPaint, width: undefined })).toBe(
      'bad(✗) strong(No such flag)',
    )
  })

  test('does not repeat the message', () => {
    const error = new PayError('x', EXIT.rejected, 'Refused: too much', { description: 'too much' })
    expect(renderError(error, { paint: plainPaint, width: undefined })).toBe('✗ Refused: too much')
  })

  test('says that an unknown outcome is unknown', () => {
    const error = new PayError('x', EXIT.outcomeUnknown, 'No answer', { outcome: 'unknown' })
    expect(renderError(error, { paint: plainPaint, width: undefined })).toContain(
      'so it may have been applied',
    )
  })

  test('keeps the lines of a message with a list', () => {
    const error = new UsageError('Two things are missing:\n--amount\n--token', { hint: 'See --help' })
    expect(renderError(error, { paint: plainPaint, width: undefined })).toBe(
      '✗ Two things are missing:\n  --amount\n  --token\n  Hint  See --help',
    )
  })
})

describe('for machines', () => {
  test('is one line of JSON with every field in its place', () => {
    const line = renderErrorJson(refused)
    expect(line).not.toMatch(/\p{Cc}/u)
    expect(line).toBe(
      '{"error":{"code":"refund_exceeds_remaining","exitCode":3,"message":"The refund is more than what is left",' +
        '"httpStatus":422,"errorId":"UnprocessableRefundAmount",' +
        '"description":"The amount exceeds\\u001b[31m the refundable amount of card [card number]",' +
        '"diagnosticsId":"1234","validationErrors":[{"path":"$.amount","description":"at most 300"}],' +
        '"operation":"payment.refund","operationId":"op_1","idempotencyKey":"key-1","outcome":"none",' +
        '"retryable":false,"next":["pay payment get p1","pay payment refund p1 --amount 300"]}}',
    )
  })

  test('leaves out undefined fields', () => {
    const error = new UsageError('Wrong', { hint: 'Right', next: [], validationErrors: [] })
    expect(renderErrorJson(error)).toBe(
      '{"error":{"code":"usage","exitCode":2,"message":"Wrong","hint":"Right"}}',
    )
  })
})

test('a long value is cut in its middle, but no ID for a script and no command', () => {
  const long = `${'x'.repeat(20_000)}end`
  const problems = [{ path: long, description: `unknown field ${long}` }]
  const error = new UsageError(`--limit takes a whole number, not "${long}"`, {
    hint: `Check ${long}.`,
    paymentId: long,
    validationErrors: problems,
    next: [`pay find ${long}`],
  })
  const lines = renderError(error, { paint: plainPaint, width: undefined }).split('\n')
  expect(lines[0]).toMatch(/^✗ --limit takes a whole number, not "x{199}…x+end"$/)
  expect(lines.filter((line) => line.length > 700)).toEqual([`  Next  pay find ${long}`])
  const { next, paymentId, ...texts } = JSON.parse(renderErrorJson(error)).error
  expect([next, paymentId]).toEqual([[`pay find ${long}`], long])
  expect(JSON.stringify(texts).length).toBeLessThan(2000)
})

test('shows a single problem in the headline and lists several', () => {
  const problem = { path: 'amount', description: 'is required' }
  const headline = 'The request is not valid'
  const one = new UsageError(`${headline}: amount: is required`, { headline, validationErrors: [problem] })
  expect(renderError(one, { paint: plainPaint, width: undefined })).toBe(
    '✗ The request is not valid: amount: is required',
  )
  const two = new UsageError('The request is not valid (2 problems)', {
    validationErrors: [problem, { ...problem, path: 'orderId' }],
  })
  expect(renderError(two, { paint: plainPaint, width: undefined }).split('\n')).toHaveLength(3)
})
