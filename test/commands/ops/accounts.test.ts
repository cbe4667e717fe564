import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { TransportFailure } from '../../../src/http/transport-port.ts'
import type { HttpResponse, HttpRequest } from '../../../src/http/transport-port.ts'
import { SERVICE_ENV, envelope } from '../../support/error-envelope.ts'
import { jsonAnswer } from '../../support/run-pay.ts'
import { STORED_KEY, storeProfile } from '../../support/stored-profile.ts'
import { createOpsBench, errorIn, fieldsIn, ok } from './ops-bench.ts'

/** A service that knows its keys, and may lose what it was asked, done or not. */
function shopService() {
  const refunds = new Map<string, number>()
  const payment = (id: string) => ({
    id,
    status: 'SETTLED',
    orderId: 'A-1',
    amount: 1_000,
    currencyCode: 'EUR',
    processor: { amountCaptured: 1_000, amountRefunded: 200 * refunds.size },
    transactions: [],
  })
  const answer = ({ method, url, headers }: HttpRequest): HttpResponse => {
    const id = /\/payments\/(\w+)/.exec(url)?.[1] ?? ''
    if (method === 'GET') return jsonAnswer(200, payment(id))
    const key = `${id} ${headers['x-idempotency-key']}`
    if (refunds.has(key)) return jsonAnswer(409, envelope('IdempotencyKeyAlreadyExists', { paymentId: id }))
    refunds.set(key, 200)
    return jsonAnswer(200, payment(id))
  }
  const lost = new TransportFailure('cut', true, 'the connection ended')
  return {
    refunds,
    answer,
    /** Never arrives: nothing is done. */
    dropBefore: (request: HttpRequest): HttpResponse => {
      if (request.method === 'GET') return answer(request)
      throw lost
    },
    /** Done, and the answer is lost. */
    dropAfter: (request: HttpRequest): HttpResponse => {
      const answered = answer(request)
      if (request.method === 'GET') return answered
      throw lost
    },
  }
}

const words = (paymentId: string) => `payment refund ${paymentId} --amount 200 --currency EUR --yes`

/** A refund on a stored profile whose outcome nobody knows. */
async function lostOnShop({
  mode = 'live',
  drop = 'dropBefore',
}: { readonly mode?: 'live' | 'test'; readonly drop?: 'dropBefore' | 'dropAfter' } = {}) {
  const bench = createOpsBench()
  const shop = shopService()
  await storeProfile(bench, { mode })
  const lose = async (
    paymentId: string,
    more = '--profile shop',
    env: Readonly<Record<string, string>> = {},
  ) => {
    const lost = await bench.runPay(`${words(paymentId)} ${more} --max-retries 0 --json`, {
      service: shop[drop],
      env,
    })
    expect(lost.exitCode, lost.stderr).toBe(10)
    return String(errorIn(lost)['operationId'])
  }
  return { bench, shop, lose, id: await lose('p1') }
}

describe('about to send on a live profile', () => {
  const question =
    "The 2.00 EUR refund is not on payment p1. Sending it again with the same key can't refund twice. Send it again on LIVE profile shop?"

  test('needs --yes without a terminal: one is exit 2, and nothing is sent', async () => {
    const { bench, shop, id } = await lostOnShop()
    const refused = await bench.runPay(`ops resolve ${id} --json`, { service: shop.answer })
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
    expect(refused.requests.map(({ method }) => method)).toEqual(['GET'])
    expect(errorIn(refused)).toMatchObject({
      code: 'confirmation_needed',
      operationId: id,
      outcome: 'unknown',
      message: expect.stringContaining('payment.refund of 2.00 EUR on p1 has to be sent again'),
    })
    expect(await bench.operation(id)).toMatchObject({ state: 'in-doubt' })
    expect(shop.refunds.size).toBe(0)
  })

  test('of all is exit 10, and each says what it needs', async () => {
    const { bench, shop } = await lostOnShop()
    const ran = await bench.runPay('ops resolve --all --json', { service: shop.answer })
    expect(ran.exitCode).toBe(10)
    expect(fieldsIn(ran.stdout)).toMatchObject([
      { state: 'in-doubt', resolution: expect.stringContaining('needs --yes') },
    ])
    expect(errorIn(ran)['hint']).toContain('--yes')
    expect(shop.refunds.size).toBe(0)
  })

  test('is done with --yes, with the same key', async () => {
    const { bench, shop, id } = await lostOnShop()
    const { idempotencyKey } = await bench.operation(id)
    await ok(bench.runPay(`ops resolve ${id} --yes`, { service: shop.answer }))
    expect([...shop.refunds.keys()]).toEqual([`p1 ${String(idempotencyKey)}`])
    expect(await bench.operation(id)).toMatchObject({ state: 'confirmed' })
  })

  test('asks on a terminal, and says what is sent again', async () => {
    const { bench, shop, id } = await lostOnShop()
    const no = await bench.runPay(`ops resolve ${id}`, {
      service: shop.answer,
      answers: { [question]: false },
    })
    expect(no).toMatchObject({ exitCode: 2, stdout: '' })
    expect(no.stderr).toContain('Not confirmed: nothing was sent')
    expect(shop.refunds.size).toBe(0)
    await ok(bench.runPay('ops resolve --all', { service: shop.answer, answers: { [question]: true } }))
    expect(shop.refunds.size).toBe(1)
  })

  test('does not ask where a look is enough', async () => {
    const { bench, shop, id } = await lostOnShop()
    const gone = () => jsonAnswer(400, envelope('PaymentError'))
    bench.clock.now = new Date(bench.clock.now.getTime() + 5 * 60_000)
    const ran = await ok(bench.runPay(`ops resolve ${id} --json`, { service: gone, tty: true }))
    expect(fieldsIn(`[${ran.stdout}]`)).toMatchObject([
      { state: 'rejected', resolution: 'The payment does not exist, so nothing was done.' },
    ])
    expect(shop.refunds.size).toBe(0)
  })

  test('a test profile asks nothing', async () => {
    const { bench, shop, id } = await lostOnShop({ mode: 'test' })
    await ok(bench.runPay(`ops resolve ${id}`, { service: shop.answer, tty: true }))
    expect(shop.refunds.size).toBe(1)
  })

  describe('what the payment shows already', () => {
    const shows = (transactions: readonly object[]) => (request: HttpRequest) =>
      request.method === 'GET'
        ? jsonAnswer(200, {
            id: 'p1',
            status: 'SETTLED',
            currencyCode: 'EUR',
            processor: { amountCaptured: 1_000, amountRefunded: 200 },
            transactions,
          })
        : jsonAnswer(500, {})
    const one = shows([{ transactionType: 'REFUND', amount: 200, date: '2026-03-01T12:00:00' }])
    const two = shows([
      { transactionType: 'REFUND', amount: 200, date: '2026-03-01T12:00:00' },
      { transactionType: 'REFUND', amount: 200, date: '2026-03-01T12:00:01' },
    ])
    const adviceFor = (id: string) =>
      `It is not clear whether the 2.00 EUR refund is on payment p1. Sending it again with the same key can't refund twice, unless someone made another refund in its place: then stop here and run pay ops abandon ${id}.`

    test('for sure is done: nobody is asked, and nothing is sent', async () => {
      for (const tty of [true, false]) {
        const { bench, id } = await lostOnShop()
        const ran = await ok(bench.runPay(`ops resolve ${id}`, { service: one, tty }))
        expect(ran.requests).toMatchObject([{ method: 'GET' }])
        expect(await bench.operation(id)).toMatchObject({ state: 'confirmed', exitCode: 0 })
      }
    })

    test('perhaps is said in the question, on a live profile', async () => {
      const { bench, id } = await lostOnShop()
      const asked = `${adviceFor(id)} Send it again on LIVE profile shop?`
      const no = await bench.runPay(`ops resolve ${id}`, { service: two, answers: { [asked]: false } })
      expect(no).toMatchObject({ exitCode: 2, requests: [{ method: 'GET' }] })
    })

    test('is a reason to ask a person on a test profile, too', async () => {
      const { bench, shop, id } = await lostOnShop({ mode: 'test', drop: 'dropAfter' })
      const asked = `${adviceFor(id)} Send it again?`
      const no = await bench.runPay(`ops resolve ${id}`, {
        service: shop.answer,
        answers: { [asked]: false },
      })
      expect(no.exitCode).toBe(2)
      await ok(bench.runPay(`ops resolve ${id}`, { service: shop.answer, answers: { [asked]: true } }))
      expect(await bench.operation(id)).toMatchObject({ state: 'confirmed' })
      expect(shop.refunds.size).toBe(1)
    })

    test('is no question to a script on a test profile, nor to --yes', async () => {
      for (const more of [
        { words: '', tty: false },
        { words: '--yes', tty: true },
      ]) {
        const { bench, shop, id } = await lostOnShop({ mode: 'test', drop: 'dropAfter' })
        await ok(bench.runPay(`ops resolve ${id} ${more.words}`, { service: shop.answer, tty: more.tty }))
      }
    })

    test('is in the hint to a script on a live profile', async () => {
      const { bench, id } = await lostOnShop()
      const refused = await bench.runPay(`ops resolve ${id} --json`, { service: two })
      expect(refused).toMatchObject({ exitCode: 2, requests: [{ method: 'GET' }] })
      expect(errorIn(refused)['hint']).toBe(`${adviceFor(id)} Add --yes to send it.`)
    })
  })

  test('asks as well where the profile has become a test one since', async () => {
    const { bench, shop, id } = await lostOnShop()
    await ok(bench.runPay('profile set shop --test'))
    expect(await bench.runPay(`ops resolve ${id}`, { service: shop.answer })).toMatchObject({ exitCode: 2 })
  })

  test('that was done before is not done again', async () => {
    const { bench, shop, id } = await lostOnShop({ drop: 'dropAfter' })
    expect(shop.refunds.size).toBe(1)
    await ok(bench.runPay(`ops resolve ${id} --yes`, { service: shop.answer }))
    expect(shop.refunds.size).toBe(1)
  })
})

test('the limits of the profile hold for what is sent again', async () => {
  const { bench, shop, id } = await lostOnShop({ mode: 'test' })
  await ok(bench.runPay('profile set shop --read-only'))
  const ran = await bench.runPay(`ops resolve ${id} --json`, { service: shop.answer })
  expect(ran).toMatchObject({ exitCode: 12, stdout: '' })
  expect(errorIn(ran)['message']).toContain('read-only')
  expect(shop.refunds.size).toBe(0)
  expect(await bench.operation(id)).toMatchObject({ state: 'in-doubt' })
})

describe('the account that it was sent with', () => {
  test('is used, whatever is in use now', async () => {
    const { bench, shop, id } = await lostOnShop({ mode: 'test' })
    const env = { PAY_API_KEY: 'key_of_another_0000', PAY_BASE_URL: 'https://other.example.com' }
    const ran = await ok(bench.runPay(`ops resolve ${id}`, { service: shop.answer, env }))
    for (const { url, headers } of ran.requests) {
      expect(url).toMatch(/^https:\/\/api\.example\.com\//)
      expect(headers['x-api-key']).toBe(STORED_KEY)
    }
    expect(ran.stdout + ran.stderr).not.toContain(STORED_KEY)
  })

  test('several of them are each used for their own', async () => {
    const { bench, shop, id, lose } = await lostOnShop({ mode: 'test' })
    await storeProfile(bench, {
      name: 'branch',
      baseUrl: 'https://branch.example.com',
      key: 'key-of-branch-0123456789',
    })
    bench.clock.now = new Date('2026-03-01T12:30:00.000Z')
    const other = await lose('p2', '--profile branch')
    const ran = await ok(bench.runPay('ops resolve --all --json', { service: shop.answer }))
    expect(fieldsIn(ran.stdout).map((record) => [record['id'], record['state']])).toEqual([
      [id, 'confirmed'],
      [other, 'confirmed'],
    ])
    // Looked at, sent, and read back.
    expect(ran.requests.map(({ url, headers }) => [new URL(url).host, headers['x-api-key']])).toEqual([
      ...Array.from({ length: 3 }, () => ['api.example.com', STORED_KEY]),
      ...Array.from({ length: 3 }, () => ['branch.example.com', 'key-of-branch-0123456789']),
    ])
  })

  test('is gone: one says what is needed, all go on with the others', async () => {
    const { bench, shop, id } = await lostOnShop({ mode: 'test' })
    await ok(bench.runPay('profile remove shop'))
    const refused = await bench.runPay(`ops resolve ${id} --json`, { service: shop.answer })
    expect(refused).toMatchObject({ exitCode: 4, stdout: '', requests: [] })
    expect(errorIn(refused)).toMatchObject({
      code: 'account_changed',
      message:
        'The write was sent to https://api.example.com with the key of profile shop, and that profile no longer exists',
      hint: 'If the profile was renamed, give the new name with --profile. Otherwise set PAY_API_KEY to a key of that account and PAY_BASE_URL to that address, and try again.',
      outcome: 'unknown',
    })
    const { id: other } = await bench.lostRefund()
    const ran = await bench.runPay('ops resolve --all --json')
    expect(ran.exitCode).toBe(10)
    const states = new Map(fieldsIn(ran.stdout).map((record) => [record['id'], record]))
    expect(states.get(id)).toMatchObject({
      state: 'in-doubt',
      resolution: expect.stringContaining('that profile no longer exists.'),
    })
    expect(states.get(other)).toMatchObject({ state: 'confirmed' })
    expect(errorIn(ran)['hint']).toContain('PAY_API_KEY')
    expect((await ok(bench.runPay('ops resolve --all --dry-run'))).stdout).toContain(
      'It could not be looked at: The write was sent to',
    )
  })

  test('is gone, and a key for it is given by hand', async () => {
    const { bench, shop, id } = await lostOnShop({ mode: 'test' })
    await ok(bench.runPay('profile remove shop'))
    await ok(
      bench.runPay(`ops resolve ${id} --yes`, { service: shop.answer, env: { PAY_API_KEY: STORED_KEY } }),
    )
    expect(shop.refunds.size).toBe(1)
  })

  test('a key of the environment goes only where the environment says, or where it was used', async () => {
    const { bench, shop, id } = await lostOnShop({ mode: 'test' })
    await ok(bench.runPay('profile remove shop'))
    const env = { PAY_API_KEY: 'key_of_production_0000', PAY_BASE_URL: 'https://production.example.com' }
    const refused = await bench.runPay(`ops resolve ${id} --json`, { service: shop.answer, env })
    expect(refused).toMatchObject({ exitCode: 4, stdout: '', requests: [] })
    expect(errorIn(refused)).toMatchObject({ code: 'account_changed' })
    const told = { ...env, PAY_BASE_URL: 'https://api.example.com' }
    // A key of one's own, at an address that is taken to be live.
    bench.clock.now = new Date(bench.clock.now.getTime() + 5 * 60_000)
    await ok(bench.runPay(`ops resolve ${id} --yes`, { service: shop.answer, env: told }))
  })

  test('of a renamed profile is found with --all, and others are counted', async () => {
    const { bench, shop, id } = await lostOnShop({ mode: 'test' })
    await ok(bench.runPay('profile rename shop store'))
    await storeProfile(bench, {
      name: 'branch',
      baseUrl: 'https://branch.example.com',
      key: 'key-of-branch-0123456789',
    })
    const other = await bench.runPay('ops resolve --all --profile branch', { service: shop.answer })
    expect(other).toMatchObject({ exitCode: 0, requests: [] })
    expect(other.stderr).toContain('Of other profiles, and left alone: 1 that is open.')
    const ran = await ok(bench.runPay('ops resolve --all --profile store --json', { service: shop.answer }))
    expect(fieldsIn(ran.stdout)).toMatchObject([{ id, state: 'confirmed' }])
  })

  test('was renamed: it is named', async () => {
    const { bench, shop, id } = await lostOnShop({ mode: 'test' })
    await ok(bench.runPay('profile rename shop store'))
    await ok(bench.runPay(`ops resolve ${id} --profile store`, { service: shop.answer }))
    expect(shop.refunds.size).toBe(1)
  })

  test('has another key now, which is taken', async () => {
    const { bench, shop, id } = await lostOnShop({ mode: 'test' })
    await ok(bench.runPay('profile set shop --api-key-stdin', { stdin: 'key-of-shop-rotated-9876' }))
    const ran = await ok(bench.runPay(`ops resolve ${id}`, { service: shop.answer }))
    expect(ran.requests[0]?.headers['x-api-key']).toBe('key-of-shop-rotated-9876')
  })

  test('has another address now: its key is not sent there', async () => {
    const { bench, shop, id } = await lostOnShop({ mode: 'test' })
    await ok(
      bench.runPay('profile set shop --base-url https://elsewhere.example.com --api-key-stdin', {
        stdin: STORED_KEY,
      }),
    )
    const refused = await bench.runPay(`ops resolve ${id} --json`, { service: shop.answer })
    expect(refused).toMatchObject({ exitCode: 4, stdout: '', requests: [] })
    expect(errorIn(refused)).toMatchObject({
      code: 'account_changed',
      message: expect.stringContaining('has another address now'),
    })
  })

  test('was named by the environment alone, and is again', async () => {
    const { bench, shop, lose } = await lostOnShop({ mode: 'test' })
    const id = await lose('p3', '', SERVICE_ENV)
    const refused = await bench.runPay(`ops resolve ${id} --json`, { service: shop.answer })
    expect(refused).toMatchObject({ exitCode: 4, requests: [] })
    expect(errorIn(refused)).toMatchObject({
      message: expect.stringContaining('with the key of the environment'),
    })
    await ok(
      bench.runPay(`ops resolve ${id}`, {
        service: shop.answer,
        env: { PAY_API_KEY: SERVICE_ENV.PAY_API_KEY },
      }),
    )
    expect(await bench.operation(id)).toMatchObject({ state: 'confirmed', profile: null })
  })
})

test('the first Ctrl-C lets the one that is under way end, and the next are not begun', async () => {
  const { bench, shop, id, lose } = await lostOnShop({ mode: 'test' })
  bench.clock.now = new Date('2026-03-01T12:30:00.000Z')
  const other = await lose('p2')
  const stop = new AbortController()
  const ran = await bench.runPay('ops resolve --all --json', {
    signal: stop.signal,
    service: (request) => {
      if (request.method === 'POST') stop.abort('SIGINT')
      return shop.answer(request)
    },
  })
  expect(ran.exitCode).toBe(10)
  expect(fieldsIn(ran.stdout)).toMatchObject([
    { id, state: 'confirmed' },
    { id: other, state: 'in-doubt', resolution: 'Interrupted: not looked at.' },
  ])
})

test('what was found and could not be recorded stays in doubt', async () => {
  const { bench, shop, id } = await lostOnShop({ mode: 'test' })
  const history = join(bench.stateFolder, 'ledger', 'history-2026-03.ndjson')
  const service = (request: HttpRequest) => {
    if (request.method === 'POST') mkdirSync(history)
    return shop.answer(request)
  }
  const ran = await bench.runPay(`ops resolve ${id} --json`, { service })
  expect(ran).toMatchObject({ exitCode: 10, stdout: '' })
  expect(errorIn(ran)['hint']).toMatch(
    /^It was sent again with the same key.* could not be recorded, so the operation stays open/,
  )
  expect(shop.refunds.size).toBe(1)
})
