import { describe, expect, test } from 'vitest'
import { useBench } from '../../support/use-bench.ts'
import { errorOf } from '../../support/run-result.ts'

const bench = useBench()

const bodyOf = (requests: readonly { readonly body?: string | undefined }[]): unknown =>
  JSON.parse(requests.at(-1)?.body ?? '')

describe('payment create on a terminal', () => {
  test('asks for everything the payment needs', async () => {
    const made = await bench.runPay('--sandbox payment create', {
      answers: { 'Payment method token': 'tok_visa', Amount: '10.00 EUR', 'Order ID': 'A-1' },
    })
    expect(made.exitCode).toBe(0)
    expect(bodyOf(made.requests)).toEqual({
      paymentMethodToken: 'tok_visa',
      amount: 1000,
      currencyCode: 'EUR',
      orderId: 'A-1',
    })
  })

  test('asks for the currency of an amount in minor units', async () => {
    const made = await bench.runPay('--sandbox payment create --token tok_visa', {
      answers: { Amount: '1000', Currency: 'EUR', 'Order ID': 'A-1' },
    })
    expect(made.exitCode).toBe(0)
    expect(bodyOf(made.requests)).toMatchObject({ amount: 1000, currencyCode: 'EUR' })
  })

  test('leaves out fields with empty answers, which come from the session', async () => {
    const session = await bench.runPay("--sandbox session create --amount '7.00 EUR' --order-id S-1 --json")
    const { clientToken } = JSON.parse(session.stdout)
    const tokenized = await bench.runPay(
      `sandbox tokenize --card 4111111111111111 --client-token ${clientToken} --json`,
    )
    const made = await bench.runPay('--sandbox payment create', {
      answers: {
        'Payment method token': JSON.parse(tokenized.stdout).paymentMethodToken,
        Amount: '',
        'Order ID': '',
      },
    })
    expect(made.exitCode).toBe(0)
    expect(Object.keys(Object(bodyOf(made.requests)))).toEqual(['paymentMethodToken'])
    expect(made.stdout).toContain('7.00 EUR')
  })

  test.each(['--amount 5 --currency EUR --order-id A', '--yes --amount 5 --currency EUR --order-id A'])(
    'asks nothing that is given: %s',
    async (flags) => {
      const made = await bench.runPay(`--sandbox payment create --token tok_visa ${flags}`, { tty: true })
      expect(made).toMatchObject({ exitCode: 0, questions: [] })
    },
  )
})

describe('an invalid field is reported once, by its flag', () => {
  test('if the service refuses it', async () => {
    const { exitCode, stderr } = await bench.runPay('--sandbox payment create --token tok_visa')
    expect(exitCode).toBe(3)
    for (const flag of ['--amount', '--currency', '--order-id'])
      expect(stderr.split(`${flag}: is required`)).toHaveLength(2)
    expect(stderr).not.toContain('$.')
    expect(stderr).toContain('(RequestValidationError, HTTP 422)')
  })

  test('if pay refuses it', async () => {
    const { exitCode, stderr } = await bench.runPay(
      '--sandbox payment create --token tok_visa --currency XXQ --amount 5 --order-id A',
    )
    expect(exitCode).toBe(2)
    expect(stderr).toContain('--currency: ')
  })

  test('or by its path if the body was given as JSON', async () => {
    const { stderr } = await bench.runPay([
      '--sandbox',
      'payment',
      'create',
      '--data',
      '{"paymentMethodToken":"tok_visa","amount":"5"}',
    ])
    expect(stderr).toContain('amount: must be a whole number')
    expect(stderr).not.toContain('--amount')
  })

  test('or by its path in a script', async () => {
    const { stderr } = await bench.runPay('--sandbox payment create --token tok_visa --json')
    expect(errorOf({ stderr })).toMatchObject({
      validationErrors: [{ path: '$.amount' }, { path: '$.currencyCode' }, { path: '$.orderId' }],
    })
  })
})
