import { rmSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { ledgerPath } from '../../../src/client/ledger/ledger-file.ts'
import { jsonAnswer } from '../../support/run-pay.ts'
import { useBench } from '../../support/use-bench.ts'
import { STORED_KEY } from '../../support/stored-profile.ts'
import { errorOf } from '../../support/run-result.ts'

/** An order id with a date that passes the Luhn check, as one in ten does. */
const ORDER = '20261121000420'
const CARD = '4111111111111111'

const bench = useBench({})
const show = (line: string) => bench.runPay(line.split(' '), { service: () => jsonAnswer(200, {}) })

describe.each(['--dry-run', '--dry-run --json', '--curl', '--curl --json'])('%s', (way) => {
  test.each([
    [`payment list --order-id ${ORDER}`, `order_id=${ORDER}`],
    [`payment get ${ORDER}`, `/payments/${ORDER}`],
    [`session create --order-id ${ORDER} --customer-id ${ORDER}`, ORDER],
    [`session create --currency EUR --line-item name=shoe,itemId=${ORDER},amount=5,quantity=1`, ORDER],
    [`payment refund p1 --idempotency-key refund-${ORDER}`, `refund-${ORDER}`],
  ])('keeps an id that looks like a card number: pay %s', async (line, kept) => {
    const shown = await show(`${line} ${way}`)
    expect(shown).toMatchObject({ exitCode: 0, requests: [] })
    expect(shown.stdout).toContain(kept)
    expect(shown.stdout + shown.stderr).not.toMatch(/card number|masked/)
  })
})

/** Typed by mistake instead of an ID. */
describe.each([
  [`payment get ${CARD}`],
  [`payment refund ${CARD} --amount 5`],
  [`payment list --order-id A-1,${CARD}`],
  [`payment refund p1 --order-id ${CARD}`],
  [`observability update ${CARD} --status SETTLED`],
  [`api GET /payments/${CARD}`],
  [`payment get ${STORED_KEY}`],
  [`payment list --customer-id ${STORED_KEY}`],
  [`session create --order-id ${STORED_KEY}`],
  [`session create --metadata note=${STORED_KEY}`],
  [`api GET /unknown/${STORED_KEY}`],
])('a card number or the API key as an ID: pay %s', (line) => {
  test.each(['--dry-run', '--dry-run --json'])('is masked by %s', async (way) => {
    const shown = await show(`${line} ${way}`)
    expect(shown).toMatchObject({ exitCode: 0, requests: [] })
    expect(shown.stdout).toMatch(/\[card number\]|\[redacted\]/)
    expect(shown.stdout + shown.stderr).not.toContain(CARD)
    expect(shown.stdout + shown.stderr).not.toContain(STORED_KEY)
    expect(shown.stderr).toContain('masked')
  })

  test('is refused by --curl', async () => {
    const shown = await show(`${line} --curl`)
    expect(shown).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
    expect(shown.stderr).toContain('curl command must not show')
    expect(shown.stderr).not.toContain(CARD)
    expect(shown.stderr).not.toContain(STORED_KEY)
  })
})

test('the API key is not shown as an idempotency key', async () => {
  const line = `payment refund p1 --amount 5 --idempotency-key ${STORED_KEY}`
  const [dry, curl] = [await show(`${line} --dry-run`), await show(`${line} --curl`)]
  expect(dry).toMatchObject({ exitCode: 0, requests: [] })
  expect(curl).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
  expect(dry.stdout + dry.stderr + curl.stderr).not.toContain(STORED_KEY)
})

describe.each([
  `session create --metadata note=${CARD}`,
  `session create --metadata orderId=${CARD}`,
  `session create --descriptor ${CARD}`,
  `session create --set card.number=4111111111111112 --no-validate`,
  `session create --set cvv=737 --no-validate`,
  `session create --set amount:=${CARD} --no-validate`,
  `api GET /unknown/${CARD}`,
])('a card number elsewhere: pay %s', (line) => {
  test('is masked by --dry-run, which says so', async () => {
    const shown = await show(`${line} --dry-run --json`)
    expect(shown).toMatchObject({ exitCode: 0, requests: [] })
    expect(shown.stdout).toMatch(/\[card number\]|\[redacted\]/)
    expect(shown.stdout + shown.stderr).not.toMatch(/411111111111111|737/)
    expect(shown.stderr).toContain('masked')
  })

  test('is refused by --curl, whose line would send another request', async () => {
    const shown = await show(`${line} --curl --json`)
    expect(shown).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
    expect(shown.stderr).toContain('curl command must not show')
    expect(shown.stderr).not.toMatch(/411111111111111|737/)
  })
})

test.each([
  ['session get --client-token session', "/client-session?clientToken='\"$CLIENT_TOKEN\"''"],
  ['api GET /client-session?clientToken=session', "/client-session?clientToken='\"$CLIENT_TOKEN\"''"],
  ['instrument delete payment', "/payment-instruments/'\"$PAYMENT_METHOD_TOKEN\"''"],
])('a token equal to a word of the path replaces only itself: pay %s', async (line, url) => {
  const curl = await show(`${line} --curl`)
  expect(curl.stdout.split(' \\\n')[0]).toMatch(/^curl --request \w+ 'https:/)
  expect(curl.stdout.split(' \\\n')[0]).toContain(url)
  expect(curl.stdout).not.toContain('[redacted]')
  const dry = await show(`${line} --dry-run --json`)
  expect(JSON.parse(dry.stdout).url).toContain(url.replace(/'.*/, '[redacted]'))
})

test('an unknown outcome shows id and key completely', async () => {
  const line = `payment refund ${ORDER} --idempotency-key refund-${ORDER} --max-retries 0 --no-validate`
  const service = () => jsonAnswer(503, {})
  const json = await bench.runPay(`${line} --json`, { service })
  expect(json.exitCode).toBe(10)
  expect(errorOf(json)).toMatchObject({
    idempotencyKey: `refund-${ORDER}`,
    next: [expect.stringMatching(/^pay ops resolve [\da-f-]{36}$/), `pay payment get ${ORDER}`],
  })
  rmSync(ledgerPath(bench.stateFolder))
  const people = await bench.runPay(line, { service })
  expect(people.stderr).toContain(`pay payment get ${ORDER}`)
  expect(people.stderr).toContain(`idempotency key refund-${ORDER}`)
})

test('a suggestion shows the payment id completely, and a message of the service without card numbers', async () => {
  const answering = (answer: object) =>
    bench.runPay(`payment authorize ${ORDER} --processor-merchant-id m --json`, {
      service: () => jsonAnswer(200, { id: ORDER, ...answer }),
    })
  expect((await answering({ status: 'AUTHORIZED' })).stderr).toContain(`pay payment capture ${ORDER}`)
  const waiting = await answering({
    status: 'PENDING',
    requiredAction: { name: '3DS', description: `Confirm ${CARD}` },
  })
  expect(waiting.stderr).toContain(`pay payment resume ${ORDER}`)
  expect(waiting.stderr).toContain('Confirm [card number].')
})
