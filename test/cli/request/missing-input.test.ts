import { describe, expect, test } from 'vitest'
import { jsonAnswer } from '../../support/run-pay.ts'
import { useBench } from '../../support/use-bench.ts'

const bench = useBench()

describe('questions are asked only on a terminal', () => {
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

  test.each(['', '0', 'false'])('CI=%s does not count as CI', async (value) => {
    const asked = await bench.runPay('--sandbox payment get', {
      answers: { 'Payment ID': 'p1' },
      env: { CI: value },
    })
    expect(asked.questions).toEqual(['Payment ID'])
  })
})

test('other problems of the body are listed beside what is missing', async () => {
  const body = '{"paymentId":"a","amount":-5,"currencyCode":"EU","unknown":1}'
  const refused = await bench.runPay(['--sandbox', 'observability', 'push', '--data', body])
  expect(refused).toMatchObject({ exitCode: 2, requests: [], stdout: '' })
  expect(refused.stderr).toContain('Missing: --processor')
  for (const problem of ['amount: must be 0 or more', 'currencyCode: "EU" is not', 'unknown: unknown field'])
    expect(refused.stderr).toContain(problem)
  expect(refused.stderr).not.toContain('is required')
})

test('a secret read from a terminal without questions says what it waits for', async () => {
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

describe('missing input', () => {
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
      '--payment-id --currency --processor --amount --created-at --order-id --payment-method-type'.split(' '),
    ],
    ['profile add', ['NAME']],
    ['profile rename', ['OLD']],
    ['sandbox challenge', ['CLIENT_TOKEN', '--outcome']],
    ['sandbox tokenize', ['--card']],
    ['api', ['METHOD', 'PATH']],
  ])('of pay %s is listed completely', async (line, names) => {
    const refused = await bench.runPay(`--sandbox ${line}`)
    expect(refused).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
    for (const name of names) expect(refused.stderr).toContain(name)
  })

  test('is asked for, one question at a time, and then sent', async () => {
    const sent = await bench.runPay('--sandbox loyalty redeem --customer-id c1', {
      answers: { 'Connection ID': 'points-1', 'Order ID': 'A-1', Points: '50' },
    })
    expect(sent.exitCode).toBe(0)
    expect(JSON.parse(sent.requests[0]?.body ?? '')).toMatchObject({
      connectionId: 'points-1',
      customerId: 'c1',
      orderId: 'A-1',
      value: 50,
    })
  })

  test('a secret that was asked for appears nowhere afterwards', async () => {
    const sent = await bench.runPay(
      '--sandbox payment create --amount 5 --currency EUR --order-id A --debug',
      { answers: { 'Payment method token': 'tok_nobody_has_this' } },
    )
    expect(sent.exitCode).toBe(5 - 2)
    expect(sent.stdout + sent.stderr).not.toContain('tok_nobody_has_this')
  })
})
