import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { envelope } from '../support/error-envelope.ts'
import { startScriptedServer } from '../support/scripted-server.ts'
import type { ReceivedRequest, Scripted } from '../support/scripted-server.ts'
import { createSpawnBench } from '../support/spawn-pay.ts'
import type { Ended, SpawnBench } from '../support/spawn-pay.ts'

/** The exit codes as a shell sees them: the built program against a real port. */

const KEY = 'key_of_a_contract_test_4711'

let bench: SpawnBench
beforeAll(() => {
  bench = createSpawnBench()
})
afterAll(() => {
  bench.dispose()
})

type Script = readonly Scripted[] | ((request: ReceivedRequest, index: number) => Scripted)

const isScript = (script: Scripted | Script): script is Script =>
  typeof script === 'function' || Array.isArray(script)

/** Runs the program against a server that answers so; every attempt gets the same where one answer is given. */
async function pay(script: Scripted | Script, words: string): Promise<Ended> {
  const server = await startScriptedServer(isScript(script) ? script : () => script)
  try {
    return await bench.pay(words, { env: { PAY_API_KEY: KEY, PAY_BASE_URL: server.url } })
  } finally {
    await server.close()
  }
}

const PAYMENT = { id: 'p1', status: 'AUTHORIZED', amount: 1000, currencyCode: 'EUR' }
const ok = (body: unknown): Scripted => ({ status: 200, body })
const refusal = (status: number, errorId: string): Scripted => ({ status, body: envelope(errorId) })
/** Reads are answered with the payment, writes so. */
const reading =
  (write: Scripted, payment: unknown = PAYMENT) =>
  ({ method }: ReceivedRequest): Scripted =>
    method === 'GET' ? ok(payment) : write

const CREATE = 'payment create --token tok_visa'
const ONCE = '--max-retries 0'

interface Case {
  readonly says: string
  readonly script: Scripted | Script
  readonly words: string
  /** 8 and 13 print the payment; other failures print nothing on stdout. */
  readonly prints?: boolean
  readonly outcome?: 'none' | 'unknown' | 'applied'
}

const DOUBTFUL: readonly Case[] = [
  { says: 'a cut before the answer', script: { drop: 'before' }, words: `payment capture p1 ${ONCE}` },
  {
    says: 'half an answer',
    script: { drop: 'mid-body', status: 200, body: PAYMENT },
    words: `payment refund p1 ${ONCE}`,
  },
  {
    says: 'no answer in time',
    script: { hang: true },
    words: `payment cancel p1 --timeout 300ms ${ONCE}`,
  },
  { says: 'a page on a write', script: ok('<html>'), words: `payment refund p1 ${ONCE}` },
  { says: 'nothing on a write', script: ok(''), words: `payment capture p1 ${ONCE}` },
  {
    says: 'the answer of another payment',
    script: ok({ id: 'p2', status: 'SETTLED' }),
    words: `payment refund p1 ${ONCE}`,
  },
  { says: '500 on a write that is never repeated', script: { status: 500 }, words: 'session create' },
  {
    says: '500 on points',
    script: { status: 500 },
    words: 'loyalty redeem --connection-id k --customer-id c --order-id o --value 1',
  },
  {
    says: 'doubt that a later refusal does not end',
    script: [{ drop: 'before' }, refusal(422, 'UnprocessableRefundAmount')],
    words: 'payment refund p1',
  },
  {
    says: 'a gateway that never answered',
    script: ok({ id: 'p1', status: 'FAILED', statusReason: { type: 'GATEWAY_TIMEOUT' } }),
    words: CREATE,
  },
]

const CASES: readonly (readonly [number, readonly Case[]])[] = [
  [
    0,
    [
      { says: 'a read', script: ok(PAYMENT), words: 'payment get p1' },
      { says: 'a write', script: ok(PAYMENT), words: 'payment capture p1' },
      {
        says: 'a payment that waits for the customer',
        script: ok({ id: 'p1', status: 'PENDING', requiredAction: { name: '3DS_AUTHENTICATION' } }),
        words: CREATE,
      },
      {
        says: 'a refund after a page in place of the first answer',
        script: [ok('<html>'), ok(PAYMENT)],
        words: 'payment refund p1',
      },
      {
        says: 'a refund after a lost first answer',
        script: [{ status: 503 }, ok(PAYMENT)],
        words: 'payment refund p1',
      },
    ],
  ],
  [
    2,
    [
      { says: 'a bad amount', script: ok(PAYMENT), words: 'payment refund p1 --amount 7,00' },
      { says: 'an unknown field', script: ok({}), words: 'session create --set oderId=1' },
      { says: 'an unknown flag', script: ok({}), words: 'payment get p1 --amout 5' },
      {
        says: 'another currency',
        script: reading(ok(PAYMENT)),
        words: "payment refund p1 --amount '5.00 USD'",
      },
    ],
  ],
  [
    3,
    [
      { says: '422', script: refusal(422, 'UnprocessableRefundAmount'), words: 'payment refund p1' },
      {
        says: '400',
        script: refusal(400, 'ClientSessionValidationError'),
        words: 'session get --client-token abcde',
      },
      { says: 'a payment that could not be created', script: refusal(400, 'PaymentError'), words: CREATE },
      { says: '302', script: { status: 302, headers: { location: '/x' } }, words: 'payment get p1' },
      { says: '418', script: { status: 418 }, words: 'payment cancel p1' },
    ],
  ],
  [
    4,
    [
      { says: '401', script: refusal(401, 'Unauthorized'), words: 'payment get p1' },
      { says: '403', script: refusal(403, 'Forbidden'), words: 'payment refund p1' },
    ],
  ],
  [
    5,
    [
      { says: '404', script: refusal(404, 'NotFound'), words: 'api GET /nowhere' },
      { says: '400 with PaymentError', script: refusal(400, 'PaymentError'), words: 'payment get p1' },
      {
        says: 'an unknown saved method',
        script: refusal(400, 'InvalidPaymentInstrumentToken'),
        words: 'instrument default pm-12345',
      },
    ],
  ],
  [
    6,
    [
      { says: '409', script: refusal(409, 'PaymentAlreadyRefunded'), words: 'payment refund p1' },
      {
        says: 'a state that forbids it',
        script: refusal(400, 'InvalidPaymentStatus'),
        words: 'payment capture p1',
      },
    ],
  ],
  [
    7,
    [
      {
        says: '429 to the end',
        script: { status: 429, headers: { 'retry-after': '0' } },
        words: 'payment refund p1',
        outcome: 'none',
      },
      { says: '429 on a read', script: { status: 429 }, words: `payment get p1 ${ONCE}` },
    ],
  ],
  [
    8,
    [
      {
        says: 'a resume answered 202',
        script: reading({ status: 202, body: envelope('NoActionsToHandle') }),
        words: 'payment resume p1 --resume-token abcde',
        prints: true,
      },
      {
        says: 'a resume answered 202 with another body',
        script: reading({ status: 202, body: { id: 'p1' } }),
        words: 'payment resume p1 --resume-token abcde',
        prints: true,
      },
    ],
  ],
  [10, DOUBTFUL.map((known) => ({ ...known, outcome: 'unknown' }))],
  [
    11,
    [
      { says: '503 on a read', script: { status: 503 }, words: `payment get p1 ${ONCE}`, outcome: 'none' },
      { says: 'a cut on a read', script: { drop: 'before' }, words: `payment list ${ONCE}`, outcome: 'none' },
      {
        says: 'no answer to a read',
        script: { hang: true },
        words: `payment get p1 --timeout 200ms ${ONCE}`,
      },
      { says: 'a page on a read', script: ok('<html>login</html>'), words: 'payment get p1' },
    ],
  ],
  [
    13,
    [
      {
        says: 'a declined payment',
        script: ok({ id: 'p1', status: 'DECLINED' }),
        words: CREATE,
        prints: true,
      },
      {
        says: 'a failed capture',
        script: ok({ id: 'p1', status: 'FAILED' }),
        words: 'payment capture p1',
        prints: true,
      },
      {
        says: 'a refund whose own transaction failed',
        script: ok({ id: 'p1', transactions: [{ transactionType: 'REFUND', processorStatus: 'FAILED' }] }),
        words: 'payment refund p1',
        prints: true,
      },
    ],
  ],
]

describe.each(CASES)('exit %d', (exitCode, cases) => {
  test.each(cases.map((known) => [known.says, known] as const))('%s', async (_, known) => {
    const ended = await pay(known.script, `${known.words} --json`)
    expect(ended).toMatchObject({ exitCode, signal: null })
    expect(ended.stdout + ended.stderr).not.toContain(KEY)
    if (exitCode === 0) return
    const { error } = lastError(ended)
    expect(error).toMatchObject({ exitCode })
    if (known.outcome !== undefined) expect(error).toMatchObject({ outcome: known.outcome })
    if (known.prints === true) expect(() => JSON.parse(ended.stdout)).not.toThrow()
    else expect(ended.stdout).toBe('')
  })
})

function lastError(ended: Ended): { readonly error: unknown } {
  const parsed: { readonly error: unknown } = JSON.parse(ended.stderr.trim().split('\n').at(-1) ?? '')
  return parsed
}

describe('exit 9', () => {
  test('nobody listens there', async () => {
    const gone = await startScriptedServer([])
    await gone.close()
    for (const words of ['payment get p1', 'payment refund p1', 'session create']) {
      const ended = await bench.pay(`${words} --json ${ONCE}`, {
        env: { PAY_API_KEY: KEY, PAY_BASE_URL: gone.url },
      })
      expect(ended).toMatchObject({ exitCode: 9, stdout: '' })
      expect(lastError(ended)).toMatchObject({ error: { code: 'not_connected', outcome: 'none' } })
    }
  })

  test('a host without an address', async () => {
    const ended = await bench.pay(`payment refund p1 --yes --json ${ONCE}`, {
      env: { PAY_API_KEY: KEY, PAY_BASE_URL: 'https://nowhere.invalid' },
    })
    expect(ended).toMatchObject({ exitCode: 9, stdout: '' })
  })
})

describe('exit 12', () => {
  test("the profile's own limits forbid it, and nothing is sent", async () => {
    const small = { ...PAYMENT, id: 'p2', amount: 400 }
    const server = await startScriptedServer(({ url }) => ok(url.includes('/p2') ? small : PAYMENT))
    const added = await bench.pay(
      `profile add shop --test --base-url ${server.url} --api-key-stdin --max-amount '5.00 EUR'`,
      { stdin: KEY },
    )
    expect(added).toMatchObject({ exitCode: 0 })
    const over = [
      "payment create --token tok_visa --amount '5.01 EUR'",
      "payment create --token tok_visa --amount '1.00 USD'",
      'payment create --token tok_visa',
      'api POST /brand-new',
      `payment create --token tok_visa --no-validate --data {"amount":1e9,"currencyCode":"EUR"}`,
    ]
    for (const words of over) {
      const ended = await bench.pay(
        words.includes('{')
          ? [...words.split(' '), '--profile', 'shop', '--json']
          : `${words} --profile shop --json`,
      )
      expect(ended).toMatchObject({ exitCode: 12, stdout: '' })
      expect(lastError(ended)).toMatchObject({ error: { exitCode: 12, outcome: 'none' } })
    }
    expect(server.requests).toEqual([])
    // What hangs on the payment is read, and refused then.
    const whole = await bench.pay('payment refund p1 --profile shop --json')
    expect(whole).toMatchObject({ exitCode: 12, stdout: '' })
    expect(server.requests.map(({ method }) => method)).toEqual(['GET'])
    // An amount that only the service could read is not taken for the one of the payment.
    const odd = ['payment', 'adjust', 'p2', '--no-validate', '--data', '{"amount":1e9}', '--profile', 'shop']
    expect(await bench.pay(odd)).toMatchObject({ exitCode: 12, stdout: '' })
    expect(server.requests.map(({ method }) => method)).not.toContain('POST')
    const within = await bench.pay(
      "payment create --token tok_visa --amount '5.00 EUR' --profile shop --json",
    )
    expect(within).toMatchObject({ exitCode: 0 })
    await server.close()
  })
})
