import { beforeEach, describe, expect, test } from 'vitest'
import { jsonAnswer } from '../../support/run-pay.ts'
import { useBench } from '../../support/use-bench.ts'
import type { RunOptions } from '../../support/run-pay.ts'
import { storeProfile } from '../../support/stored-profile.ts'
import { errorOf, writesOf } from '../../support/run-result.ts'

const PAYMENT = { id: 'p1', status: 'SETTLED', currencyCode: 'EUR', orderId: 'A-1', amount: 1_000 }
const QUESTION =
  'The same write was done less than a minute ago by tester (a refund of 3.00 EUR on payment p1). Do it again?'

const bench = useBench()

const pay = (line: string, options: RunOptions = {}) =>
  bench.runPay(line, {
    service: ({ url }) =>
      jsonAnswer(200, { ...PAYMENT, id: /\/payments\/(\w+)/.exec(url)?.[1] ?? PAYMENT.id }),
    ...options,
  })
const REFUND = 'payment refund p1 --amount 300'

describe('an equal write within ten minutes', () => {
  beforeEach(() => storeProfile(bench, { mode: 'live' }))

  test('in a script on a live profile is refused without --again, even with --yes', async () => {
    const first = await pay(`${REFUND} --yes --json`)
    const refused = await pay(`${REFUND} --yes --json`)
    expect(refused).toMatchObject({ exitCode: 6, stdout: '' })
    expect(writesOf(refused)).toEqual([])
    const [{ id }] = JSON.parse((await pay('ops list --json')).stdout)
    expect(errorOf(refused)).toMatchObject({
      code: 'duplicate',
      exitCode: 6,
      outcome: 'none',
      retryable: false,
      operation: 'payment.refund',
      operationId: id,
      next: [`pay ops show ${id}`],
      hint: 'To do it again anyway, add --again.',
    })
    expect((await pay(`${REFUND} --yes --json --again`)).exitCode).toBe(0)
    expect(first.exitCode).toBe(0)
  })

  test('on a terminal is named in the confirmation: No sends nothing, exit 6', async () => {
    await pay(`${REFUND} --yes`, { tty: true })
    const sentence =
      'The same write was done less than a minute ago by tester (a refund of 3.00 EUR on payment p1). Refund 3.00 EUR of payment p1 on LIVE profile shop again?'
    const no = await pay(REFUND, { answers: { [sentence]: false } })
    expect(no.exitCode).toBe(6)
    expect(no.questions).toEqual([sentence])
    expect(writesOf(no)).toEqual([])
    expect(no.stderr).toContain('Nothing was sent')
    expect(no.stderr).not.toContain('State')
  })

  test('on a terminal is not confirmed by --yes; Yes sends it with a new key', async () => {
    const first = await pay(`${REFUND} --yes`, { tty: true })
    const yes = await pay(`${REFUND} --yes`, { answers: { [QUESTION]: true } })
    expect(yes.exitCode).toBe(0)
    const keys = [...writesOf(first), ...writesOf(yes)].map(({ headers }) => headers['x-idempotency-key'])
    expect(new Set(keys).size).toBe(2)
  })

  test('on a terminal with --again is not mentioned', async () => {
    await pay(`${REFUND} --yes`, { tty: true })
    expect(await pay(`${REFUND} --yes --again`, { tty: true })).toMatchObject({ exitCode: 0, questions: [] })
  })

  test.each(['--json', '--no-input'])('on a terminal with %s is treated as in a script', async (way) => {
    await pay(`${REFUND} --yes`, { tty: true })
    expect(await pay(`${REFUND} --yes ${way}`, { tty: true })).toMatchObject({ exitCode: 6, questions: [] })
  })

  test.each([
    [9 * 60 + 59, 6],
    [10 * 60 + 1, 0],
  ])('%i seconds later: exit %i', async (seconds, exitCode) => {
    await pay(`${REFUND} --yes`)
    bench.clock.now = new Date(bench.clock.now.getTime() + seconds * 1_000)
    expect((await pay(`${REFUND} --yes`)).exitCode).toBe(exitCode)
  })

  test.each([
    ['the same amount with its currency', "payment refund p1 --amount '3.00 EUR'", 6],
    ['another reason', `${REFUND} --reason other`, 6],
    ['the path of pay api', 'api POST /payments/p1/refund --set amount:=300', 6],
    ['another amount', 'payment refund p1 --amount 301', 0],
    ['another payment', 'payment refund p2 --amount 300', 0],
    ['another operation', 'payment capture p1 --amount 300', 0],
    ['all that is left', 'payment refund p1', 0],
  ])('with %s', async (_, line, exitCode) => {
    await pay(`${REFUND} --yes`)
    expect((await pay(`${line} --yes`)).exitCode).toBe(exitCode)
  })

  test('on a payment is a repeat with any key; for an order only with the same API key', async () => {
    const create = 'payment create --token tok --amount 5 --currency EUR --order-id A-1 --yes'
    for (const line of [`${REFUND} --yes`, create]) expect((await pay(line)).exitCode).toBe(0)
    await storeProfile(bench, { name: 'second', mode: 'live', key: 'key-of-second-0123456789' })
    const repeated = await pay(`${REFUND} --yes -p second`)
    expect(repeated.exitCode).toBe(6)
    expect(writesOf(repeated)).toEqual([])
    expect((await pay(`${create} -p second`)).exitCode).toBe(0)
  })

  test('for an order in doubt with another API key is sent, with a notice even with --quiet', async () => {
    const create = 'payment create --token tok --amount 5 --currency EUR --order-id A-1 --yes --max-retries 0'
    expect((await pay(create, { service: () => jsonAnswer(500, {}) })).exitCode).toBe(10)
    await storeProfile(bench, { name: 'second', mode: 'live', key: 'key-of-second-0123456789' })
    const ran = await pay(`${create} -p second --quiet`)
    expect(ran.exitCode).toBe(0)
    expect(ran.stderr).toContain('Warning: With another API key, a payment of 0.05 EUR on order A-1')
  })

  test('after a refusal or a decline is not a repeat', async () => {
    const create = 'payment create --token tok --amount 5 --currency EUR --order-id A-1 --yes'
    const declined = { service: () => jsonAnswer(200, { ...PAYMENT, status: 'DECLINED' }) }
    expect((await pay(create, declined)).exitCode).toBe(13)
    expect((await pay(create, { service: () => jsonAnswer(422, {}) })).exitCode).toBe(3)
    expect((await pay(create)).exitCode).toBe(0)
    expect((await pay(create)).exitCode).toBe(6)
  })

  test('in another currency is not a repeat', async () => {
    const create = 'payment create --token tok --amount 5 --order-id A-1 --yes'
    expect((await pay(`${create} --currency EUR`)).exitCode).toBe(0)
    expect((await pay(`${create} --currency USD`)).exitCode).toBe(0)
  })

  test('of a session is never a repeat: each makes a new one', async () => {
    for (const _ of [1, 2]) expect((await pay('session create --order-id A-1')).exitCode).toBe(0)
  })

  test('of an unknown path is compared by method, query and body', async () => {
    const call = 'api POST /unknown?a=1 --set b=1 --yes'
    expect((await pay(call)).exitCode).toBe(0)
    for (const other of ['?a=2 --set b=1', '?a=1 --set b=2'])
      expect((await pay(`api POST /unknown${other} --yes`)).exitCode).toBe(0)
    expect((await pay('api PUT /unknown?a=1 --set b=1 --yes')).exitCode).toBe(0)
    expect((await pay(call)).exitCode).toBe(6)
  })
})

describe('on a test profile', () => {
  beforeEach(() => storeProfile(bench, { mode: 'test' }))

  test('is sent in a script', async () => {
    for (const _ of [1, 2]) expect((await pay(REFUND)).exitCode).toBe(0)
  })

  test('is confirmed on a terminal', async () => {
    await pay(REFUND, { tty: true })
    expect((await pay(REFUND, { answers: { [QUESTION]: false } })).exitCode).toBe(6)
  })

  test('pay smoke is never a repeat, not even on a terminal', async () => {
    for (const _ of [1, 2]) {
      const ran = await bench.runPay('smoke --sandbox', { tty: true })
      expect(ran, ran.stderr).toMatchObject({ exitCode: 0, questions: [] })
    }
  })
})

test.each(['payment get p1', 'payment list', 'whoami', 'smoke', 'ops list', 'api GET /payments'])(
  '--again is refused by pay %s, which sends no write',
  async (line) => {
    await storeProfile(bench, { mode: 'test' })
    const refused = await pay(`${line} --again`)
    expect(refused).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
    expect(refused.stderr).toContain('Leave out --again')
  },
)
