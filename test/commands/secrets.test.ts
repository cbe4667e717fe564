import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { HttpResponse } from '../../src/client/http/transport-port.ts'
import { jsonAnswer } from '../support/run-pay.ts'
import { useBench } from '../support/use-bench.ts'
import type { RunResult } from '../support/run-pay.ts'
import { STORED_KEY, storeProfile } from '../support/stored-profile.ts'

const TOKEN = 'tok-very-secret-payment-method'
const CLIENT_TOKEN = 'eyJhbGciOi.client-token-very-secret.sig'
const RESUME_TOKEN = 'resume-token-very-secret'
const CARD = '4111111111111111'
const SECRETS = [STORED_KEY, TOKEN, CLIENT_TOKEN, RESUME_TOKEN, CARD, encodeURIComponent(TOKEN)]

/** Every command that takes a secret, once for each way to pass it. */
const LINES: readonly (readonly [line: string, stdin?: string])[] = [
  [`payment create --token ${TOKEN} --amount 5 --currency EUR --order-id A`],
  ['payment create --token - --amount 5 --currency EUR --order-id A', TOKEN],
  [`payment create --set paymentMethodToken=${TOKEN} --amount 5 --currency EUR --order-id A`],
  [`payment create --data {"paymentMethodToken":"${TOKEN}"} --amount 5 --currency EUR --order-id A`],
  ['payment create --data - --amount 5 --currency EUR --order-id A', `{"paymentMethodToken":"${TOKEN}"}`],
  [`payment create --token ${TOKEN} --metadata card=${CARD} --amount 5 --currency EUR --order-id A`],
  [`payment create --token ${TOKEN} --order-id ${CARD} --amount 5 --currency EUR`],
  [`session get --client-token ${CLIENT_TOKEN}`],
  [`session update --client-token ${CLIENT_TOKEN} --order-id A`],
  ['session update --client-token - --order-id A', CLIENT_TOKEN],
  [`session update --set clientToken=${CLIENT_TOKEN} --order-id A`],
  [`payment resume p1 --resume-token ${RESUME_TOKEN}`],
  [`payment resume p1 --set resumeToken=${RESUME_TOKEN}`],
  [`instrument default ${TOKEN}`],
  [`instrument delete ${TOKEN}`],
  ['instrument delete -', TOKEN],
  [`instrument vault ${TOKEN} --customer-id c`],
  [`api DELETE /payment-instruments/${TOKEN}`],
  [`api POST /payment-instruments/${TOKEN}/default`],
  [`api GET /client-session?clientToken=${CLIENT_TOKEN}`],
  [`api GET /unknown?clientToken=${CLIENT_TOKEN}`],
  [`api POST /payments --set paymentMethodToken=${TOKEN}`],
  [`api POST /unknown --set paymentMethodToken=${TOKEN}`],
  [`payment get p1`],
  [`payment list --order-id ${CARD}`],
]

/** A service that repeats the whole request in every field of the error. */
const echo =
  (status: number) =>
  (request: { url: string; body?: string; headers: object }): HttpResponse => {
    const heard = `${decodeURIComponent(request.url)} ${request.body ?? ''} ${JSON.stringify(request.headers)}`
    const id = /\/payments\/([^/?]+)/.exec(request.url)?.[1]
    return jsonAnswer(
      status,
      {
        ...(status === 200
          ? { id: id ?? 'p1', paymentId: id ?? 'ext-1', orderId: 'A', default: true, data: [] }
          : {}),
        error: {
          errorId: 'RequestValidationError',
          description: `I heard ${heard}`,
          diagnosticsId: 'd-1',
          recoverySuggestion: heard,
          validationErrors: [{ model: 'M', errors: [{ path: '$.x', description: heard }] }],
        },
        paymentMethodToken: TOKEN,
      },
      { 'x-echo': heard, 'set-cookie': `session=${STORED_KEY}` },
    )
  }

const bench = useBench({})
const leaked = (text: string) => SECRETS.filter((secret) => text.includes(secret))

const OUTPUT_FLAGS = [
  '',
  '-v',
  '--debug',
  '--debug --json',
  '--dry-run',
  '--dry-run --json',
  '--curl',
  '--curl --json',
  '-o csv',
]

describe.each(
  LINES.map(
    ([line, stdin]) =>
      [line.replaceAll(/(?:tok|eyJ|resume-)[\w.-]*secret[\w.-]*/g, 'SECRET'), line, stdin] as const,
  ),
)('pay %s', (_, line, stdin) => {
  const run = (flags: string, status: number): Promise<RunResult> =>
    bench.runPay(`${line} ${flags}`.trim().split(' '), {
      service: echo(status),
      ...(stdin === undefined ? {} : { stdin }),
    })

  test.each(OUTPUT_FLAGS)('shows no secret if it is refused, with "%s"', async (flags) => {
    const ran = await run(flags, 422)
    const isShown = /dry-run|curl/.test(flags)
    // A curl line with a masked part would send another request.
    const hasNoCurlLine = line.includes(CARD) || line.includes('/unknown?clientToken=')
    expect(ran.exitCode).toBe(flags.includes('curl') && hasNoCurlLine ? 2 : isShown ? 0 : 3)
    expect(leaked(ran.stdout + ran.stderr)).toEqual([])
  })

  test('shows no secret if the outcome is unknown', async () => {
    const ran = await run('--max-retries 0 --debug', 503)
    expect([10, 11]).toContain(ran.exitCode)
    expect(leaked(ran.stdout + ran.stderr)).toEqual([])
  })

  test('shows no secret on stderr if it succeeds', async () => {
    const ran = await run('--debug', 200)
    expect(ran.exitCode).toBe(0)
    expect(leaked(ran.stderr)).toEqual([])
  })
})

test('an invalid command is refused without repeating its secrets', async () => {
  for (const line of [
    `payment create --set paymentMethodToken:=["${TOKEN}"]`,
    `payment create --set paymentMethodToken:${TOKEN}`,
    `payment create --set paymentMethodToken:${TOKEN}==`,
    `payment create --metadata token:${TOKEN}`,
    `payment create --metadata =${TOKEN}`,
    `payment create --line-item name=shoe,token:${TOKEN}`,
    `payment create --token ${TOKEN} --amount ${CARD}.5`,
    `payment create --token ${TOKEN} --amount ${CARD}EUR`,
    `payment create --token ${TOKEN} --amount x`,
    `payment create --token ${TOKEN} ${TOKEN}`,
    `payment create --tokn ${TOKEN}`,
    `payment create --tokn=${TOKEN}`,
    `instrument delete ${TOKEN} x`,
    `payment resume p1 --resume-token ${RESUME_TOKEN} --resume-token ${RESUME_TOKEN}`,
    `api DELETE payment-instruments/${TOKEN}`,
    `instrument delete ../${TOKEN}`,
    `instrument delet ${TOKEN}`,
    `--api-key=${STORED_KEY} payment list`,
    `--profile ${CARD} payment list`,
  ]) {
    const refused = await bench.runPay(line.split(' '), { service: echo(422) })
    expect(refused.requests).toEqual([])
    expect([line, refused.exitCode, leaked(refused.stdout + refused.stderr)]).toEqual([line, 2, []])
  }
})

test('a table shows neither the payment method token nor the client token of a challenge', async () => {
  const shown = await bench.runPay('payment get p1', {
    service: () =>
      jsonAnswer(200, {
        id: 'p1',
        status: 'PENDING',
        paymentMethod: { paymentMethodToken: TOKEN },
        requiredAction: { name: '3DS_AUTHENTICATION', clientToken: CLIENT_TOKEN },
        metadata: { note: `card ${CARD}` },
      }),
  })
  expect(shown.exitCode).toBe(0)
  expect(leaked(shown.stdout + shown.stderr)).toEqual([])
})

describe('a response that repeats the API key', () => {
  const echoed = {
    id: 'p1',
    status: 'SETTLED',
    orderId: STORED_KEY,
    metadata: { note: `key ${STORED_KEY}`, [STORED_KEY]: 1 },
    statusReason: { message: `You sent ${STORED_KEY}` },
  }
  const service = () => jsonAnswer(200, { ...echoed, data: [echoed] })

  test.each(['', '--json', '-o ndjson', '-o yaml', '-o csv', '--query @', '--query orderId -o id'])(
    'is printed without it: %s',
    async (flags) => {
      const lines = ['payment get p1', 'payment list', 'payment refund p1 --amount 5', 'api GET /payments/p1']
      for (const line of lines) {
        const shown = await bench.runPay(`${line} ${flags}`.trim().split(' '), { service })
        expect(shown.exitCode).toBe(0)
        expect(shown.stdout + shown.stderr).not.toContain(STORED_KEY)
        if (!line.includes('list')) expect(shown.stdout).toContain('[redacted]')
      }
    },
  )

  test('shows no part of it in a narrow table', async () => {
    const shown = await bench.runPay('payment list', { service, tty: true, columns: 40 })
    expect(shown.exitCode).toBe(0)
    expect(shown.stdout).not.toContain(STORED_KEY.slice(0, 8))
  })

  test('stays JSON if the key is all digits', async () => {
    await storeProfile(bench, { name: 'digits', mode: 'test', key: '12345678' })
    const shown = await bench.runPay('payment get p1 --json --profile digits', {
      service: () => jsonAnswer(200, { id: 'p1', amount: 123456789 }),
    })
    expect(JSON.parse(shown.stdout)).toEqual({ id: 'p1', amount: 123456789 })
  })
})

test('no profile command shows the stored key', async () => {
  for (const line of [
    'profile list',
    'profile show shop',
    'profile show shop --json',
    'whoami',
    'whoami --json',
    'whoami --debug',
    'profile set shop --read-only --debug',
    'profile rename shop store',
    'profile remove store --json',
  ]) {
    const shown = await bench.runPay(line)
    expect(shown.exitCode).toBe(0)
    expect(leaked(shown.stdout + shown.stderr)).toEqual([])
  }
})

test.each(['orderId', 'currencyCode'])(
  'the ledger has no API key that a service repeats as %s',
  async (field) => {
    let isLost = true
    const service = ({ method }: { method: string }): HttpResponse =>
      isLost && method === 'POST'
        ? jsonAnswer(503, {})
        : jsonAnswer(200, {
            id: 'p1',
            status: 'SETTLED',
            amount: 900,
            currencyCode: 'EUR',
            [field]: STORED_KEY,
          })
    const line = 'payment refund p1 --amount 500 --yes --max-retries 0'
    expect(await bench.runPay(line, { service })).toMatchObject({ exitCode: 10 })
    isLost = false
    expect(await bench.runPay('ops resolve --all --yes', { service })).toMatchObject({ exitCode: 0 })
    expect(await bench.runPay(`${line} --again`, { service })).toMatchObject({ exitCode: 0 })
    const listed = await bench.runPay('ops list --json')
    expect(JSON.parse(listed.stdout)).toHaveLength(2)
    expect(readFileSync(join(bench.stateFolder, 'ledger.db')).includes(STORED_KEY)).toBe(false)
  },
)
