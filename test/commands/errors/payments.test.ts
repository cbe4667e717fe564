import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { envelope, SERVICE_ENV } from '../../support/error-envelope.ts'
import { TransportFailure } from '../../../src/client/http/transport-port.ts'
import type { FailureReason } from '../../../src/client/http/transport-port.ts'
import { jsonAnswer } from '../../support/run-pay.ts'
import { transcriptOf } from '../../support/transcript.ts'
import type { Mistake } from '../../support/transcript.ts'
import { useBench } from '../../support/use-bench.ts'

const bench = useBench()

const answered = (status: number, body: unknown, headers = {}) => ({
  env: SERVICE_ENV,
  service: () => jsonAnswer(status, body, headers),
})

/** One payment on the sandbox, and what is said about it. */
const PAYMENTS: readonly Mistake[] = [
  'payment refund PAYMENT --sandbox --for 2m',
  'payment refund PAYMENT --sandbox --amount 99999999999999999',
  'payment refund PAYMENT --sandbox --amount 0',
  'payment refund PAYMENT --sandbox --amount 5.555 --currency EUR',
  'payment refund PAYMENT --sandbox --amount "5 USD"',
  'payment refund PAYMENT --sandbox --amount 900000',
  'payment refund PAYMENT --sandbox --amount 1,234.50',
  'payment refund PAYMENT --sandbox --amount -5',
  'payment refund PAYMENT --sandbox --amount 5e3',
  'payment refund PAYMENT --sandbox --amount ""',
  'payment refund PAYMENT --sandbox --amount 5.00',
  'payment refund PAYMENT --sandbox --amount "5 XYZ"',
  'payment wait PAYMENT --sandbox --refund',
  'payment wait PAYMENT --sandbox --until setled',
  'payment wait PAYMENT --sandbox --until REFUNDED',
  'payment wait PAYMENT --sandbox --until ,',
  'payment capture PENDING --sandbox',
  'payment cancel PAYMENT --sandbox',
  'payment create --sandbox --token tok_visa --amount 700 --order-id B-1',
  'payment get anna@example.com --sandbox',
  'payment get nope --sandbox',
  ['payment get "p 1" --sandbox', {}],
  ['payment get "\'p1\'" --sandbox', {}],
  'payment get a/b --sandbox',
  'payment get .. --sandbox',
  'payment refund --order nope --sandbox',
  'payment refund --order A-2 --sandbox',
  'payment resume PENDING --sandbox --resume-token nope',
  'payment resume DECLINED --sandbox --resume-token abc',
  'payment cancel DECLINED --sandbox',
  'payment cancel CANCELLED --sandbox',
  'payment resume CANCELLED --sandbox --resume-token abc',
  'payment create --sandbox --token tok_nope --amount 700 --currency EUR --order-id B-2',
  [
    'payment list --sandbox --json',
    {
      onStdout: () => {
        throw new Error('the pipe is broken')
      },
    },
  ],
  [['payment', 'get', 'a\ud800', '--sandbox'], {}],
  [
    "payment create --sandbox --token tok_visa --amount '5 EUR' --order-id B-3",
    {
      onStdout: () => {
        throw new Error('the pipe is broken')
      },
    },
  ],
  'observability push --sandbox --payment-id r1 --currency EUR --processor ACME --amount 5 --created-at 2026-01-01T00:00:00 --order-id o --payment-method-type PAYMENT_CARD',
  'payment capture CANCELLED --sandbox',
  'payment capture DECLINED --sandbox',
  'payment adjust PAYMENT --sandbox --amount 500',
  'payment authorize PAYMENT --sandbox --processor-merchant-id m1',
  'instrument delete nope --sandbox',
  'instrument list --sandbox',
  'instrument list CUST --sandbox',
  'instrument vault nope --customer-id c1 --sandbox',
  'observability push --sandbox --payment-id r1',
  'session update --client-token nope --amount 5 --sandbox',
  `session update --client-token nope --merge --sandbox -d '{"lineItems":[]}'`,
  'session get --client-token "a b" --sandbox',
]

const failing = (reason: FailureReason, sent: boolean) => ({
  env: SERVICE_ENV,
  service: () => {
    throw new TransportFailure(reason, sent, `the attempt ended with ${reason}`)
  },
})

/** What a service answers. */
const ANSWERS: readonly Mistake[] = [
  ['payment list', answered(401, envelope('Unauthorized'))],
  ['payment list', answered(401, {})],
  ['payment list', answered(403, envelope('Forbidden'))],
  ['payment list', answered(403, {})],
  ['payment refund --order A-1', answered(403, envelope('Forbidden'))],
  ['payment list', answered(429, envelope('TooManyRequests'))],
  ['payment list --max-retries 0', answered(503, envelope('Down'))],
  ['payment get p1 --max-retries 0', failing('timeout', true)],
  ['payment get p1 --max-retries 0', failing('refused', false)],
  ['payment refund p2 --amount 500 --max-retries 0', failing('timeout', true)],
  ['payment wait p1 --for 1s', failing('timeout', true)],
  [
    'payment wait p1 --for 30s --max-retries 0',
    {
      env: SERVICE_ENV,
      service: (_, attempt) =>
        attempt === 1 ? jsonAnswer(200, { id: 'p1', status: 'PENDING' }) : jsonAnswer(503, envelope('Boom')),
    },
  ],
  [
    'payment wait p1',
    answered(200, { id: 'p1', status: 'FAILED', statusReason: { code: 'GATEWAY_TIMEOUT' } }),
  ],
  ['find A-1', answered(200, { data: 5 })],
  ['payment refund --order A-1', answered(200, { data: 5 })],
  ['payment get p1', answered(200, { id: 'p2' })],
  ['payment list', answered(302, {}, { location: 'https://elsewhere.example.com' })],
  ['payment get p1', answered(404, envelope('PaymentNotFound'))],
  ['payment refund p1 --amount 500', answered(409, envelope('Conflict'))],
  ['payment refund p1 --amount 500', answered(422, envelope('RefundError'))],
  ['payment refund p1 --amount 500 --max-retries 0', answered(500, envelope('Boom'))],
  [
    'payment resume p1 --resume-token abc',
    answered(
      400,
      envelope('RequestValidationError', {
        validationErrors: [{ path: '$.resumeToken', description: 'is wrong' }],
      }),
    ),
  ],
  [
    'payment create --token tok --amount 500 --currency EUR --order-id A',
    answered(400, envelope('RequestValidationError', { description: 'The token was used' })),
  ],
  [
    'payment create --token tok --amount 500 --currency EUR --order-id A',
    answered(200, { id: 'p1', status: 'DECLINED' }),
  ],
  ['observability get r1', answered(404, {})],
  ['observability list', answered(404, {})],
  [
    'observability push --payment-id r1 --currency EUR --processor ACME --amount 5 --created-at 2026-01-01T00:00:00Z --order-id o --payment-method-type PAYMENT_CARD',
    answered(409, envelope('Duplicate')),
  ],
  ['session get --client-token abc', answered(400, envelope('ClientSessionValidationError'))],
  ['session update --client-token abc --merge --amount 5', answered(200, [])],
]

const idOf = async (line: string): Promise<string> =>
  (await bench.runPay(`${line} --sandbox -o id`)).stdout.trim()

test('payments', async () => {
  const create = "payment create --amount '40.90 EUR' --token"
  const values = {
    PAYMENT: await idOf(`${create} tok_autocapture --order-id A-1`),
    PENDING: await idOf(`${create} tok_3ds --order-id A-3`),
    CANCELLED: await idOf(`${create} tok_visa --order-id A-4`),
    DECLINED: await idOf(`${create} tok_declined --order-id A-5`),
    FIRST: await idOf(`${create} tok_visa --order-id A-2`),
    SECOND: await idOf(`${create} tok_visa --order-id A-2`),
  }
  await bench.runPay(`payment cancel ${values.CANCELLED} --sandbox`)
  await expect(await transcriptOf(bench, PAYMENTS, values)).toMatchFileSnapshot(
    '../../golden/errors/payments.txt',
  )
})

test('answers of the service', async () => {
  await expect(await transcriptOf(bench, ANSWERS)).toMatchFileSnapshot('../../golden/errors/answers.txt')
})

const LISTS: readonly Mistake[] = [
  'payment list --status setled --sandbox',
  'payment list --status nope --sandbox',
  'payment list --refunds none,full --sandbox',
  'payment list --refunds nope --sandbox',
  'payment list --min-amount "5 EUR" --max-amount "6 USD" --sandbox',
  'payment list --min-amount "5 EUR" --currency USD --sandbox',
  'payment list --min-amount 900 --max-amount 100 --sandbox',
  'payment list --limit 5 --all --sandbox',
  'payment list --limit 0 --sandbox',
  'payment list --limit five --sandbox',
  'payment list --out a.csv --sandbox',
  'payment list --replace --sandbox',
  'payment list --all --out a.csv --query data --sandbox',
  'payment list --all --out a.csv -o ndjson --sandbox',
  'payment list --all --out a.txt --sandbox',
  'payment list --all --out text.csv --sandbox',
  'payment list --from 2026-03-01 --to 2026-02-01 --sandbox',
  'payment list --from yesterdy --sandbox',
  'payment list --query "[0" --sandbox',
  'payment list -o xml --sandbox',
  'payment list --timeout 5 --sandbox',
  'payment list --max-retries -1 --sandbox',
  'insights --from 2026-03-01 --to 2026-02-01 --sandbox',
  'insights --by nope --sandbox',
  'find --sandbox',
  'find order: --sandbox',
  'find amount:x --sandbox',
  'find 4111111111111111 --sandbox',
  'find 02/03/2026 --sandbox',
  'find SETTLED DECLINED --sandbox',
  'find nothing-like-it --sandbox',
  'find EUR USD --sandbox',
  'ops list --since 1d --from 1d',
  'ops list --sandbox --profile shop',
  'desk --sandbox',
]

test('lists', async () => {
  writeFileSync(join(bench.folder, 'text.csv'), 'text')
  await expect(await transcriptOf(bench, LISTS)).toMatchFileSnapshot('../../golden/errors/lists.txt')
})
