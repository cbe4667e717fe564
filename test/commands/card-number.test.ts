import { expect, test } from 'vitest'
import { SERVICE_ENV } from '../support/error-envelope.ts'
import { jsonAnswer } from '../support/run-pay.ts'
import { useBench } from '../support/use-bench.ts'
import { errorOf } from '../support/run-result.ts'
import { storeProfile } from '../support/stored-profile.ts'

const CARD = '4111111111111111'

const bench = useBench()

const LINES: readonly string[] = [
  `payment create --token ${CARD} --amount 5 --currency EUR --order-id A-1`,
  `payment create --token 4111-1111-1111-1111 --amount 5 --currency EUR --order-id A-1`,
  `payment create --set paymentMethodToken=${CARD} --amount 5 --currency EUR --order-id A-1`,
  `payment create --data '{"paymentMethodToken":"${CARD}"}'`,
  `payment create --data '{"paymentMethodToken":${CARD}}' --no-validate`,
  `payment create --data '{"more":{"paymentMethodToken":"${CARD}"}}' --no-validate`,
  `instrument default ${CARD}`,
  `instrument delete ${CARD}`,
  `instrument delete ${CARD} --customer-id c-1`,
  `instrument vault ${CARD} --customer-id c-1`,
  `api POST /payments --set paymentMethodToken=${CARD}`,
  `api DELETE /payment-instruments/${CARD}`,
  `api POST /payment-instruments/4111%201111%201111%201111/default --no-validate`,
  `smoke --token ${CARD}`,
]

test.each(LINES.flatMap((line) => ['', ' --dry-run', ' --curl'].map((more) => [line + more])))(
  'a card number is not sent: %s',
  async (line) => {
    if (line.startsWith('smoke') && / --(?:dry-run|curl)$/.test(line)) return
    const result = await bench.runPay(`${line} --json`, { env: SERVICE_ENV })
    expect(result).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
    expect(errorOf(result)).toMatchObject({ code: 'card_number', outcome: 'none' })
    expect(result.stderr).not.toMatch(/4111.?1111/)
    expect((await bench.runPay('ops list --json')).stdout.trim()).toBe('[]')
  },
)

test('a card number is refused before the first question, and from stdin', async () => {
  await storeProfile(bench, { mode: 'live' })
  for (const options of [{ answers: {} }, {}]) {
    const result = await bench.runPay(`instrument delete ${CARD}`, options)
    expect(result).toMatchObject({ exitCode: 2, stdout: '', requests: [], questions: [] })
    expect(result.stderr).toContain('card number (ending in 1111)')
    expect(result.stderr).not.toContain('4111')
  }
  const piped = await bench.runPay('payment create --token - --json', { stdin: `${CARD}\n` })
  expect(errorOf(piped)).toMatchObject({ code: 'card_number' })
})

test.each([
  `payment get ${CARD}`,
  `payment refund ${CARD}`,
  `payment create --token tok_visa --amount 5 --currency EUR --order-id ${CARD}`,
  `observability get ${CARD}`,
  `api GET /payments/${CARD}`,
])('an ID or order that passes the card check is sent: %s', async (line) => {
  const result = await bench.runPay(line, {
    env: SERVICE_ENV,
    service: () => jsonAnswer(200, { id: CARD, paymentId: CARD, status: 'SETTLED' }),
  })
  expect(result).toMatchObject({ exitCode: 0 })
})
