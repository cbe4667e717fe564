import { describe, expect, test } from 'vitest'
import { readErrorBody } from '../../../src/client/calls/api-error.ts'

const NOTHING = {
  errorId: undefined,
  description: undefined,
  diagnosticsId: undefined,
  recoverySuggestion: undefined,
  validationErrors: undefined,
  paymentId: undefined,
}

describe("the service's envelope", () => {
  test('is read in full', () => {
    const error = {
      errorId: 'UnprocessableRefundAmount',
      description: 'Amount above what is left',
      diagnosticsId: 'diag-1',
      recoverySuggestion: 'Refund less',
      validationErrors: [
        {
          model: 'PaymentCaptureAPIRequest',
          errors: [{ path: '$.amount', description: 'too large' }, { description: 'and odd' }],
        },
        { path: '$.final', description: 'is no boolean' },
      ],
      paymentId: 'pay-1',
      paymentStatus: 'SETTLED',
    }
    expect(readErrorBody(JSON.stringify({ error }))).toEqual({
      errorId: 'UnprocessableRefundAmount',
      description: 'Amount above what is left',
      diagnosticsId: 'diag-1',
      recoverySuggestion: 'Refund less',
      validationErrors: [
        { path: '$.amount', description: 'too large' },
        { path: '$', description: 'and odd' },
        { path: '$.final', description: 'is no boolean' },
      ],
      paymentId: 'pay-1',
      paymentStatus: 'SETTLED',
    })
  })

  test('is read even if it contains a key twice, as other readers do', () => {
    expect(readErrorBody('{"error":{"errorId":"A","errorId":"B"}}').errorId).toBe('B')
  })

  test.each([
    ['null', null],
    ['a text', 'x'],
    ['a list of nothing usable', [null, 5, {}, { errors: [null, {}, { path: '$.a' }] }]],
  ])('keeps going over validationErrors that are %s', (_, validationErrors) => {
    const body = readErrorBody(JSON.stringify({ error: { errorId: 'X', validationErrors } }))
    expect(body).toMatchObject({ errorId: 'X', validationErrors: undefined })
  })
})

describe('another body', () => {
  test.each([
    ['{"message":"slow down","code":"throttled"}', { errorId: 'throttled', description: 'slow down' }],
    ['{"type":"about:blank","title":"Bad Gateway"}', { errorId: 'about:blank', description: 'Bad Gateway' }],
    ['{"error":"invalid","error_description":"no"}', { errorId: 'invalid', description: 'no' }],
    ['{"code":42,"detail":"x","traceId":"t-1"}', { errorId: '42', diagnosticsId: 't-1' }],
    ['{"code":90071992547409931}', { errorId: '90071992547409931' }],
    ['\u{FEFF}{"error":{"errorId":"X"}}', { errorId: 'X' }],
    ['{"a":1}', { errorId: undefined, description: '{"a":1}' }],
    ['[1]', { description: '[1]' }],
    ['"text"', { description: '"text"' }],
    ['null', { description: 'null' }],
    ['{"error":{"errorId":"X"', { errorId: undefined, description: '{"error":{"errorId":"X"' }],
    ['upstream connect error', { errorId: undefined, description: 'upstream connect error' }],
  ])('%s is shown sensibly', (body, expected) => {
    expect(readErrorBody(body)).toMatchObject(expected)
  })

  test('a page of HTML is its words, without scripts and styles', () => {
    const page = '<html><style>p{}</style><script>alert(1)</script ><h1>502</h1>\n<p>Bad  Gateway</p></html>'
    expect(readErrorBody(page)).toEqual({ ...NOTHING, description: '502 Bad Gateway' })
  })

  test('a wall of text is cut short, and is read at once', () => {
    for (const wall of [
      'x'.repeat(5_000_000),
      '<script'.repeat(700_000),
      '<'.repeat(5_000_000),
      '['.repeat(5_000_000),
    ])
      expect(readErrorBody(wall).description?.length ?? 0).toBeLessThanOrEqual(301)
  })

  test.each(['', ' \n\t'])('nothing tells nothing', (body) => {
    expect(readErrorBody(body)).toEqual(NOTHING)
  })
})
