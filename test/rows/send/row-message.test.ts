import { describe, expect, test } from 'vitest'
import { readErrorBody } from '../../../src/client/calls/api-error.ts'
import { problemsMessage, refusalMessage } from '../../../src/rows/send/row-message.ts'
import type { SentRow } from '../../../src/rows/send/row-message.ts'

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
const about = (path: string, problem: string) => refusal('', [[path, problem]])
const ROW: SentRow = {
  body: { amount: 700, order: { id: 'A-1' }, metadata: { 'api.token': 'abc', note: 'x'.repeat(100) } },
  columnOf: (field) => (field === 'amount' ? 'Total' : undefined),
  clean: (text) => text.replaceAll('4111111111111111', '[card number]'),
}

describe('the message of a refusal', () => {
  test('has each problem once, even if the description repeats it', () => {
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
      'keeps the description',
      refusal('Not today', [['$.amount', 'is too large']]),
      'Not today; Total (amount) "700" is too large',
    ],
    ['simplifies paths in the description', refusal('$.amount: no', []), 'amount: no'],
    ['does not repeat a value', about('$.order.id', '"A-1" is unknown'), 'order.id "A-1" is unknown'],
    ['redacts secrets', about('$.metadata.api.token', 'is wrong'), 'metadata.api.token [redacted] is wrong'],
    ['cuts long values', about('$.metadata.note', 'is long'), `metadata.note "${'x'.repeat(60)}…" is long`],
    ['has no value for an absent field', about('$.descriptor', 'is required'), 'descriptor is required'],
    ['has no column for a problem of the whole body', about('$', 'is wrong'), 'is wrong'],
    ['has the status if there is nothing else', refusal('', []), 'the service responded with 422'],
  ])('%s', (_, body, words) => {
    expect(refusalMessage(422, { ...body, errorId: undefined }, ROW)).toBe(words)
  })

  test('has only the fields without a row', () => {
    expect(refusalMessage(422, about('$.amount', 'is too large'))).toBe('amount is too large')
  })

  test('masks a card number before cutting the value', () => {
    const row = { ...ROW, body: { descriptor: `${'x'.repeat(50)}4111111111111111` } }
    expect(refusalMessage(422, about('$.descriptor', 'is long'), row)).toBe(
      `descriptor "${'x'.repeat(50)}[card numb…" is long`,
    )
  })
})

test('the reason of a reject has the column, its field, and the value unless it is secret', () => {
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
