import { describe, expect, test } from 'vitest'
import { readErrorBody } from '../../../src/calls/api-error.ts'
import { problemsMessage, refusalMessage } from '../../../src/bulk/send/row-message.ts'
import type { SentRow } from '../../../src/bulk/send/row-message.ts'

const refusal = (description: string, errors: readonly (readonly [path: string, description: string])[]) =>
  readErrorBody(
    JSON.stringify({
      error: {
        errorId: 'RequestValidationError',
        description,
        validationErrors: [{ errors: errors.map(([path, words]) => ({ path, description: words })) }],
      },
    }),
  )
const ROW: SentRow = {
  body: { amount: 700, order: { id: 'A-1' }, metadata: { 'api.token': 'abc', note: 'x'.repeat(100) } },
  columnOf: (field) => (field === 'amount' ? 'Total' : undefined),
  clean: (text) => text.replaceAll('4111111111111111', '[card number]'),
}

describe('why the service refused a row', () => {
  test('is said once where the description repeats the problems', () => {
    const errors = [
      ['$.amount', 'is too large'],
      ['$.order.id', 'is unknown'],
    ] as const
    const words = refusal('The request is not valid: $.amount is too large; $.order.id is unknown', errors)
    expect(refusalMessage(422, words, ROW)).toBe(
      'Total (amount) "700" is too large; order.id "A-1" is unknown',
    )
  })

  test.each([
    [
      'its own description stays',
      refusal('Not today', [['$.amount', 'is too large']]),
      'Not today; Total (amount) "700" is too large',
    ],
    ['a path in the description is plain', refusal('$.amount: no', []), 'amount: no'],
    [
      'a value that it names is not repeated',
      refusal('', [['$.order.id', '"A-1" is unknown']]),
      'order.id "A-1" is unknown',
    ],
    [
      'a secret value is not shown',
      refusal('', [['$.metadata.api.token', 'is wrong']]),
      'metadata.api.token [redacted] is wrong',
    ],
    [
      'a long value is cut',
      refusal('', [['$.metadata.note', 'is long']]),
      `metadata.note "${'x'.repeat(60)}…" is long`,
    ],
    ['what is absent has no value', refusal('', [['$.descriptor', 'is required']]), 'descriptor is required'],
    ['a problem of the whole body has no column', refusal('', [['$', 'is wrong']]), 'is wrong'],
    ['nothing is the status', refusal('', []), 'the service answered 422'],
  ])('%s', (_, body, words) => {
    expect(refusalMessage(422, { ...body, errorId: undefined }, ROW)).toBe(words)
  })

  test('without a row, it is the fields alone', () => {
    expect(refusalMessage(422, refusal('', [['$.amount', 'is too large']]))).toBe('amount is too large')
  })

  test('a card number that the cut would halve is masked whole', () => {
    const row = { ...ROW, body: { descriptor: `${'x'.repeat(50)}4111111111111111` } }
    expect(refusalMessage(422, refusal('', [['$.descriptor', 'is long']]), row)).toBe(
      `descriptor "${'x'.repeat(50)}[card numb…" is long`,
    )
  })
})

test('why a row is not sent has the column, its field, and the value unless it is secret', () => {
  const problem = { value: 'abc', kind: 'is wrong', hint: undefined }
  const problems = [
    { ...problem, column: 'Total', field: 'amount' },
    { ...problem, column: 'amount' },
    { ...problem, column: 'API key', field: 'metadata.key' },
    { ...problem, column: undefined },
  ]
  expect(problemsMessage(problems, (text) => text)).toBe(
    'Total (amount) "abc" is wrong; amount "abc" is wrong; API key (metadata.key) [redacted] is wrong; the row is wrong',
  )
})
