import { describe, expect, test } from 'vitest'
import type { HttpRequest } from '../../../src/client/http/transport-port.ts'
import { jsonAnswer } from '../../support/run-pay.ts'
import { useBench } from '../../support/use-bench.ts'
import type { RunOptions } from '../../support/run-pay.ts'
import { errorOf } from '../../support/run-result.ts'

const TOKEN = 'tok-very-secret-0123456789'
const CARD = '4111 1111 1111 1111'
const PAYMENT = {
  id: 'p1',
  status: 'SETTLED',
  currencyCode: 'EUR',
  orderId: 'order-1042',
  amount: 1_000,
  customer: { firstName: 'Ada', lastName: 'Lovelace', emailAddress: 'ada@example.com' },
  customerId: 'ada@example.com',
  paymentMethod: {
    paymentMethodToken: TOKEN,
    paymentMethodData: { last4Digits: '1111', network: 'VISA', cardholderName: 'Ada Lovelace' },
  },
}

const bench = useBench({ mode: 'live' })
const pay = (line: string, options: RunOptions = {}) =>
  bench.runPay(`${line} --yes`, {
    service: () => jsonAnswer(200, PAYMENT, { 'x-request-id': 'req-7' }),
    ...options,
  })
const receiptIn = (text: string) => text.slice(text.indexOf('Receipt\n'))

test('of a refund has what a colleague needs to find it, and nothing else', async () => {
  const done = await pay(
    'payment refund p1 --amount 300 --reason "damaged in transit" --once SUP-7 --receipt',
  )
  expect(done.exitCode).toBe(0)
  const [{ id, idempotencyKey }] = JSON.parse((await bench.runPay('ops list --json')).stdout)
  expect(receiptIn(done.stdout)).toBe(
    [
      'Receipt',
      '  Done             payment.refund',
      '  Outcome          done',
      '  Amount           3.00 EUR',
      '  Card             VISA •••• 1111',
      '  State            SETTLED',
      '  Order            order-1042',
      '  Reason           damaged in transit',
      '  Ticket           SUP-7',
      '  Payment          p1',
      '  Profile          shop (live)',
      '  Time             2026-03-01T12:00:00Z',
      `  Operation        ${id}`,
      `  Idempotency key  ${idempotencyKey}`,
      '  Request          req-7',
      '',
    ].join('\n'),
  )
  expect(done.stderr).not.toContain('Receipt')
})

test.each(['--json', '-o ndjson', '-o yaml', '-o csv', '-o id', '--query status'])(
  'goes to stderr with %s, and stdout is unchanged',
  async (way) => {
    const plain = await pay(`payment capture p1 --amount 300 ${way}`)
    const done = await pay(`payment capture p1 --amount 300 ${way} --receipt --again`)
    expect(done.stdout).toBe(plain.stdout)
    expect(done.stdout).not.toContain('Receipt')
    expect(receiptIn(done.stderr)).toContain('payment.capture')
  },
)

test('of an unsuccessful response says so, and the error stays on the last line', async () => {
  const declined = await pay(
    'payment create --token t --amount 5 --currency EUR --order-id A --receipt --json',
    { service: () => jsonAnswer(200, { ...PAYMENT, status: 'DECLINED' }) },
  )
  expect(declined.exitCode).toBe(13)
  expect(declined.stderr).toContain('declined or failed: no money moved')
  expect(errorOf(declined)).toMatchObject({ exitCode: 13 })
  const open = await pay('payment resume p1 --resume-token resume-secret-0123 --receipt', {
    service: ({ method }) =>
      method === 'GET'
        ? jsonAnswer(200, { ...PAYMENT, status: 'PENDING' })
        : jsonAnswer(202, { error: { errorId: 'NoActionsToHandle' } }),
  })
  expect(open).toMatchObject({ exitCode: 8, stdout: expect.stringContaining('accepted, not finished yet') })
})

test('says that no money moved only of a payment without captured money', async () => {
  const outcomeOf = async (line: string, payment: object) =>
    /Outcome +(.*)/.exec(
      (await pay(`${line} --receipt`, { service: () => jsonAnswer(200, payment) })).stdout,
    )?.[1]
  const create = 'payment create --token t --amount 5 --currency EUR --order-id A'
  const declined = { ...PAYMENT, status: 'DECLINED' }
  const figures = (amountCaptured: number) => ({ ...declined, processor: { amountCaptured } })

  expect(await outcomeOf(create, figures(0))).toBe('declined or failed: no money moved')
  expect(await outcomeOf(create, figures(200))).toBe('declined or failed')
  const refund = {
    transactionType: 'REFUND',
    amount: 300,
    processorStatus: 'FAILED',
    date: '2026-03-01T12:00:00Z',
  }
  expect(
    await outcomeOf('payment refund p1 --amount 300', {
      ...PAYMENT,
      status: 'SETTLED',
      processor: { amountCaptured: 1000, amountRefunded: 0 },
      transactions: [refund],
    }),
  ).toBe('failed: this refund returned no money')
})

test.each([
  ['payment refund p1', 'all that was left to refund'],
  ['payment capture p1', 'all that was left to capture'],
  ['payment adjust p1 --amount 700', '7.00 EUR'],
  ['payment create --token t --order-id A --amount 5 --currency JPY', '5 JPY'],
  ['loyalty redeem --connection-id c --customer-id x --order-id o --value 250', '250 points'],
])('of pay %s has the amount: %s', async (line, amount) => {
  expect(receiptIn((await pay(`${line} --receipt`)).stdout)).toMatch(new RegExp(`Amount +${amount}\n`))
})

test.each([
  ['payment cancel p1', 'Payment +p1'],
  ['observability update rec-1 --amount 5', 'Record +rec-1'],
  ['loyalty redeem --connection-id c --customer-id x --order-id o --value 250', 'Transaction +p1'],
  ['api POST /unknown', 'Done +POST by pay api'],
])('of pay %s names what was changed', async (line, words) => {
  const service = () => jsonAnswer(200, { ...PAYMENT, paymentId: 'rec-1' })
  expect(receiptIn((await pay(`${line} --receipt`, { service })).stdout)).toMatch(new RegExp(words))
})

test('never has a token, a card number, a name or an e-mail address', async () => {
  const answer = {
    ...PAYMENT,
    orderId: `order of ada@example.com ${CARD}`,
    token: TOKEN,
    clientToken: TOKEN,
    paymentMethodData: { last4Digits: CARD },
  }
  const reason = `for ada@example.com, card ${CARD}, ${TOKEN}`
  for (const line of [
    ['payment', 'create', '--token', TOKEN, '--amount', '5', '--currency', 'EUR', '--order-id', 'A'],
    ['session', 'create'],
    ['session', 'update', '--client-token', TOKEN, '--order-id', 'A'],
    ['instrument', 'default', TOKEN],
    ['instrument', 'delete', TOKEN],
    ['api', 'DELETE', `/payment-instruments/${TOKEN}`],
    ['api', 'POST', `/unknown/${TOKEN}?token=${TOKEN}`],
  ]) {
    const done = await bench.runPay([...line, '--reason', reason, '--receipt', '--yes', '--again'], {
      service: () => jsonAnswer(200, answer),
    })
    expect(done.exitCode, done.stderr).toBe(0)
    const receipt = receiptIn(done.stdout)
    expect(receipt).toContain('Reason')
    for (const secret of ['ada@', 'Lovelace', CARD, '4111'])
      expect(receipt.includes(secret), `${secret} in ${receipt}`).toBe(false)
    // A token in its own flag is recognized; a token in free text is not.
    if (line[0] !== 'session' || line[1] !== 'create')
      expect(receipt.replace(/Reason.*/, '')).not.toContain(TOKEN)
  }
})

test('has no line for missing fields and nothing that controls a terminal', async () => {
  const done = await pay('payment cancel p1 --receipt', {
    service: () => jsonAnswer(200, { id: 'p\u001B[2J1', status: 'x\u001B' }),
  })
  const receipt = receiptIn(done.stdout)
  expect(receipt).not.toMatch(/Card|Order|State|Amount|Reason|Ticket/)
  expect(receipt).toMatch(/^[^\u001B]*$/)
})

describe('is refused', () => {
  test.each([
    'payment get p1',
    'payment list',
    'api GET /payments',
    'whoami',
    'smoke',
    'ops list',
    'payment refund p1 --amount 300 --dry-run',
    'payment refund p1 --amount 300 --curl',
  ])('by pay %s with exit 2, and nothing is sent', async (line) => {
    const refused = await bench.runPay(`${line} --receipt`, { service: () => jsonAnswer(200, PAYMENT) })
    expect(refused).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
    expect(refused.stderr).toContain('Leave out --receipt')
  })

  test('by an import, which does change something', async () => {
    const refused = await bench.runPay('observability import a.csv --receipt')
    expect(refused).toMatchObject({ exitCode: 2, requests: [] })
    expect(refused.stderr).toContain('✗ pay observability import does not take --receipt')
  })
})

describe('of a refund', () => {
  const refunded =
    (processorStatus: string) =>
    ({ method }: HttpRequest) =>
      jsonAnswer(
        200,
        method === 'GET'
          ? PAYMENT
          : {
              ...PAYMENT,
              processor: { amountCaptured: 1_000, amountRefunded: 300 },
              transactions: [
                {
                  transactionType: 'SALE',
                  amount: 1_000,
                  processorStatus: 'SETTLED',
                  date: '2026-03-01T11:00:00',
                },
                { transactionType: 'REFUND', amount: 300, processorStatus, date: '2026-03-01T12:00:00' },
              ],
            },
      )

  test.each([
    ['PENDING', 'PENDING: accepted, not final yet'],
    ['SETTLED', 'SETTLED: final'],
    ['ON_THE_MOON', 'ON_THE_MOON'],
  ])('that is %s says whether the money is on its way and what is left', async (status, words) => {
    const done = await pay('payment refund p1 --amount 300 --receipt', { service: refunded(status) })
    expect(receiptIn(done.stdout)).toMatch(new RegExp(`^  Refund +${words}$`, 'm'))
    expect(receiptIn(done.stdout)).toMatch(/^  Left to refund +7\.00 EUR$/m)
  })

  test('says nothing about a refund that the response does not have', async () => {
    const done = await pay('payment refund p1 --amount 300 --receipt')
    expect(receiptIn(done.stdout)).not.toMatch(/^  (?:Refund|Left)/m)
  })
})
