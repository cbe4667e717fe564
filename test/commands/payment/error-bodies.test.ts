import { describe, expect, test } from 'vitest'
import { SERVICE_ENV, envelope } from '../../support/error-envelope.ts'
import { useBench } from '../../support/use-bench.ts'

const bench = useBench()

const REFUND = ['payment', 'refund', 'p1']

const refundWith = async (body: string, flags: readonly string[] = []) =>
  bench.runPay([...REFUND, ...flags], {
    env: SERVICE_ENV,
    service: () => ({ status: 422, headers: { 'x-request-id': 'req-7' }, body }),
  })

describe('an error body of any shape is shown readably', () => {
  test.each([
    ['the envelope', JSON.stringify(envelope('SomethingNew')), 'says SomethingNew'],
    ['an envelope without description', '{"error":{"errorId":"OddThing"}}', 'OddThing'],
    ['other JSON', '{"message":"no such luck","code":"X1"}', 'no such luck'],
    ['problem details', '{"title":"Out of luck","detail":"none left","type":"https://x/y"}', 'none left'],
    ['a list', '["first","second"]', 'first'],
    ['a JSON string', '"plain words"', 'plain words'],
    ['plain text', 'the proxy says no', 'the proxy says no'],
    ['a page', '<html><head><style>b{}</style></head><body><h1>Bad day</h1></body></html>', 'Bad day'],
    ['half an envelope', '{"error":{"errorId":"Cut","descr', 'Cut'],
    ['nothing', '', 'refused the request (422)'],
    ['a key given twice', '{"error":{"errorId":"A","errorId":"TwiceSaid"}}', 'TwiceSaid'],
    ['numbers above 2^53', '{"error":{"errorId":9007199254740993}}', '9007199254740993'],
    ['deep nesting', `{"a":${'['.repeat(9000)}${']'.repeat(9000)}}`, 'refused the request (422)'],
    ['null', 'null', 'refused the request (422)'],
  ])('%s', async (_, body, words) => {
    const result = await refundWith(body)
    expect(result).toMatchObject({ exitCode: 3, stdout: '' })
    expect(result.stderr).toContain(words)
    expect(result.stderr).not.toContain('<')
    expect(result.stderr.length).toBeLessThan(3000)
    const machine = await refundWith(body, ['--json'])
    expect(JSON.parse(machine.stderr)).toMatchObject({ error: { exitCode: 3, httpStatus: 422 } })
  })

  test('control characters never reach the terminal', async () => {
    const result = await refundWith(
      JSON.stringify(envelope('Odd\u001b[2J', { description: 'a\u001b]0;owned\u0007\u009b31m\u202eb\rc' })),
    )
    // oxlint-disable-next-line no-control-regex -- these must not be there
    expect(result.stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
  })

  test('an id that is a number above 2^53 keeps its digits', async () => {
    const result = await refundWith('{"error":{"errorId":9007199254740993}}', ['--json'])
    expect(JSON.parse(result.stderr)).toMatchObject({ error: { errorId: '9007199254740993' } })
  })

  test('validation errors are listed one by one', async () => {
    const validationErrors = [
      {
        model: 'M',
        errors: [
          { path: '$.amount', description: 'too much' },
          { path: '$.x', description: 'odd' },
        ],
      },
    ]
    const result = await refundWith(JSON.stringify(envelope('RequestValidationError', { validationErrors })))
    expect(result.stderr).toContain('--amount: too much')
    expect(result.stderr).toContain('$.x: odd')
  })

  test('the request id is shown', async () => {
    expect((await refundWith('{}')).stderr).toContain('req-7')
  })
})
