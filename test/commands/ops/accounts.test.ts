import { ledgerPath } from '../../../src/client/ledger/ledger-file.ts'
import { mkdirSync, rmSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { HttpRequest } from '../../../src/client/http/transport-port.ts'
import { SERVICE_ENV, envelope } from '../../support/error-envelope.ts'
import { jsonAnswer } from '../../support/run-pay.ts'
import { STORED_KEY, storeProfile } from '../../support/stored-profile.ts'
import { errorOf } from '../../support/run-result.ts'
import { lostOnShop } from './lost-refund.ts'
import { fieldsIn, ok } from './ops-bench.ts'

describe('the account of an operation', () => {
  test('is used instead of the current one', async () => {
    const { bench, shop, id } = await lostOnShop({ mode: 'test' })
    const env = { PAY_API_KEY: 'key_of_another_0000', PAY_BASE_URL: 'https://other.example.com' }
    const ran = await ok(bench.runPay(`ops resolve ${id}`, { service: shop.answer, env }))
    for (const { url, headers } of ran.requests) {
      expect(url).toMatch(/^https:\/\/api\.example\.com\//)
      expect(headers['x-api-key']).toBe(STORED_KEY)
    }
    expect(ran.stdout + ran.stderr).not.toContain(STORED_KEY)
  })

  test('is used for each of several operations', async () => {
    const { bench, shop, id, lose } = await lostOnShop({ mode: 'test' })
    await storeProfile(bench, {
      name: 'branch',
      baseUrl: 'https://branch.example.com',
      key: 'key-of-branch-0123456789',
    })
    const other = await lose('p2', '--profile branch')
    const ran = await ok(bench.runPay('ops resolve --all --json', { service: shop.answer }))
    expect(fieldsIn(ran.stdout).map((record) => [record['id'], record['state']])).toEqual([
      [id, 'confirmed'],
      [other, 'confirmed'],
    ])
    // Each is read and sent.
    expect(ran.requests.map(({ url, headers }) => [new URL(url).host, headers['x-api-key']])).toEqual([
      ...Array.from({ length: 2 }, () => ['api.example.com', STORED_KEY]),
      ...Array.from({ length: 2 }, () => ['branch.example.com', 'key-of-branch-0123456789']),
    ])
  })

  test('whose key is refused: what to do next is to give another key', async () => {
    const { bench, id } = await lostOnShop({ mode: 'test' })
    const service = () => jsonAnswer(401, envelope('Unauthorized', {}))
    const refused = await bench.runPay(`ops resolve ${id} --json`, { service })
    expect(refused).toMatchObject({ exitCode: 10 })
    expect(errorOf(refused)).toMatchObject({
      code: 'outcome_unknown',
      next: ['pay profile set shop --api-key-stdin', `pay ops resolve ${id}`],
    })
    expect(errorOf(refused).hint).toContain('The key came from profile shop.')
    const all = await bench.runPay('ops resolve --all --json', { service })
    expect(all).toMatchObject({ exitCode: 10 })
    expect(errorOf(all).hint).toContain('The key came from profile shop.')
  })

  test('that was removed is named in the error; --all continues with the others', async () => {
    const { bench, shop, id } = await lostOnShop({ mode: 'test' })
    await ok(bench.runPay('profile remove shop'))
    const refused = await bench.runPay(`ops resolve ${id} --json`, { service: shop.answer })
    expect(refused).toMatchObject({ exitCode: 4, stdout: '', requests: [] })
    expect(errorOf(refused)).toMatchObject({
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
    expect(errorOf(ran).hint).toContain('PAY_API_KEY')
    expect((await ok(bench.runPay('ops resolve --all --dry-run'))).stdout).toContain(
      'Could not check it: The write was sent to',
    )
  })

  test('that was removed can be replaced by a key from the environment', async () => {
    const { bench, shop, id } = await lostOnShop({ mode: 'test' })
    await ok(bench.runPay('profile remove shop'))
    await ok(
      bench.runPay(`ops resolve ${id} --yes`, { service: shop.answer, env: { PAY_API_KEY: STORED_KEY } }),
    )
    expect(shop.refunds.size).toBe(1)
  })

  test('a key from the environment is sent only to the URL in the environment', async () => {
    const { bench, shop, id } = await lostOnShop({ mode: 'test' })
    await ok(bench.runPay('profile remove shop'))
    const env = { PAY_API_KEY: 'key_of_production_0000', PAY_BASE_URL: 'https://production.example.com' }
    const refused = await bench.runPay(`ops resolve ${id} --json`, { service: shop.answer, env })
    expect(refused).toMatchObject({ exitCode: 4, stdout: '', requests: [] })
    expect(errorOf(refused)).toMatchObject({ code: 'account_changed' })
    const ownUrl = { ...env, PAY_BASE_URL: 'https://api.example.com' }
    // The account from the environment counts as live, so the resend needs --yes.
    bench.clock.now = new Date(bench.clock.now.getTime() + 6 * 60_000)
    await ok(bench.runPay(`ops resolve ${id} --yes`, { service: shop.answer, env: ownUrl }))
  })

  test("is found by --all under the profile's new name; operations of others are counted", async () => {
    const { bench, shop, id } = await lostOnShop({ mode: 'test' })
    await ok(bench.runPay('profile rename shop store'))
    await storeProfile(bench, {
      name: 'branch',
      baseUrl: 'https://branch.example.com',
      key: 'key-of-branch-0123456789',
    })
    const other = await bench.runPay('ops resolve --all --profile branch', { service: shop.answer })
    expect(other).toMatchObject({ exitCode: 0, requests: [] })
    expect(other.stderr).toContain('Left alone: 1 open write of other profiles.')
    const ran = await ok(bench.runPay('ops resolve --all --profile store --json', { service: shop.answer }))
    expect(fieldsIn(ran.stdout)).toMatchObject([{ id, state: 'confirmed' }])
  })

  test('whose profile was renamed is used under its new name', async () => {
    const { bench, shop, id } = await lostOnShop({ mode: 'test' })
    await ok(bench.runPay('profile rename shop store'))
    await ok(bench.runPay(`ops resolve ${id} --profile store`, { service: shop.answer }))
    expect(shop.refunds.size).toBe(1)
  })

  test('is used with the new key of its profile', async () => {
    const { bench, shop, id } = await lostOnShop({ mode: 'test' })
    await ok(bench.runPay('profile set shop --api-key-stdin', { stdin: 'key-of-shop-rotated-9876' }))
    // The service may not know its idempotency key with another API key, so the payment is only read.
    bench.clock.now = new Date(bench.clock.now.getTime() + 60_000)
    const ran = await ok(bench.runPay(`ops resolve ${id}`, { service: shop.answer }))
    expect(ran.requests.map(({ method }) => method)).toEqual(['GET'])
    expect(ran.requests[0]?.headers['x-api-key']).toBe('key-of-shop-rotated-9876')
  })

  test('whose profile has another URL is refused, and no key is sent there', async () => {
    const { bench, shop, id } = await lostOnShop({ mode: 'test' })
    await ok(
      bench.runPay('profile set shop --base-url https://elsewhere.example.com --api-key-stdin', {
        stdin: STORED_KEY,
      }),
    )
    const refused = await bench.runPay(`ops resolve ${id} --json`, { service: shop.answer })
    expect(refused).toMatchObject({ exitCode: 4, stdout: '', requests: [] })
    expect(errorOf(refused)).toMatchObject({
      code: 'account_changed',
      message: expect.stringContaining('has another address now'),
    })
  })

  test('that came from the environment is used from there again', async () => {
    const { bench, shop, lose } = await lostOnShop({ mode: 'test' })
    const id = await lose('p3', '', SERVICE_ENV)
    const refused = await bench.runPay(`ops resolve ${id} --json`, { service: shop.answer })
    expect(refused).toMatchObject({ exitCode: 4, requests: [] })
    expect(errorOf(refused)).toMatchObject({
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

test('the first Ctrl-C finishes the current operation and starts no other', async () => {
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
    { id: other, state: 'in-doubt', resolution: 'Interrupted before it was checked.' },
  ])
})

test('an outcome that cannot be recorded leaves the operation in doubt', async () => {
  const { bench, shop, id } = await lostOnShop({ mode: 'test' })
  const service = (request: HttpRequest) => {
    if (request.method === 'POST') {
      rmSync(ledgerPath(bench.stateFolder))
      mkdirSync(ledgerPath(bench.stateFolder))
    }
    return shop.answer(request)
  }
  const ran = await bench.runPay(`ops resolve ${id} --json`, { service })
  expect(ran).toMatchObject({ exitCode: 10, stdout: '' })
  expect(errorOf(ran).hint).toMatch(
    /^It was sent again with the same idempotency key.* could not be recorded: The ledger was replaced or removed meanwhile: .*ledger\.db/,
  )
  expect(shop.refunds.size).toBe(1)
})
