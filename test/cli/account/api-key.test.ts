import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createBench, jsonAnswer } from '../../support/run-pay.ts'
import type { Bench, RunOptions } from '../../support/run-pay.ts'
import { STORED_KEY, storeProfile } from '../../support/stored-profile.ts'

let bench: Bench
beforeEach(() => {
  bench = createBench()
})
afterEach(() => {
  bench.dispose()
})

const empty: RunOptions['service'] = () => jsonAnswer(200, { data: [] })

const list = (words: string, options: RunOptions = {}) =>
  bench.runPay(`${words} payment list`, { service: empty, ...options })

describe('the key', () => {
  test('is refused beside an explicit --profile: two answers to which account', async () => {
    await storeProfile(bench)
    for (const name of ['PAY_API_KEY', 'PAY_API_KEY_FILE']) {
      const refused = await list('--profile shop', { env: { [name]: 'key-of-env' } })
      expect(refused).toMatchObject({ exitCode: 2, requests: [] })
      expect(refused.stderr).toContain(name)
      expect(refused.stderr).not.toContain('key-of-env')
    }
  })

  test('of the environment goes to the base URL of the profile in use', async () => {
    await storeProfile(bench)
    const sent = await list('', { env: { PAY_API_KEY: 'key-of-env' } })
    expect(sent.requests[0]).toMatchObject({ headers: { 'x-api-key': 'key-of-env' } })
    expect(sent.requests[0]?.url).toContain('https://api.example.com/')
  })

  test('alone, without a base URL and a profile, is refused and goes nowhere', async () => {
    const refused = await list('', { env: { PAY_API_KEY: 'key-of-env' } })
    expect(refused).toMatchObject({ exitCode: 2, requests: [] })
    expect(refused.stderr).toContain('PAY_BASE_URL')
  })

  test('that is stored never goes to another URL', async () => {
    await storeProfile(bench)
    const other = 'https://api.example.com.evil.example'
    for (const [words, env] of [
      [`--base-url ${other}`, {}],
      ['', { PAY_BASE_URL: other }],
      ['--base-url https://api.example.com:8443', {}],
      ['--base-url https://api.example.com/v2', {}],
      [`--profile shop --base-url ${other}`, {}],
      [`--base-url ${other}`, { PAY_PROFILE: 'shop' }],
    ] as const) {
      const refused = await list(words, { env })
      expect(refused).toMatchObject({ exitCode: 2, requests: [] })
    }
  })

  test('that is stored goes to its own URL however it is written', async () => {
    await storeProfile(bench)
    const sent = await list('--base-url https://API.example.com:443/')
    expect(sent.requests[0]?.headers['x-api-key']).toBe(STORED_KEY)
  })

  test('of the environment with another URL is guessed live, and money is not moved unasked', async () => {
    const refused = await bench.runPay('payment capture p1', {
      service: empty,
      env: { PAY_API_KEY: 'key-of-env', PAY_BASE_URL: 'https://api.example.com' },
    })
    expect(refused).toMatchObject({ exitCode: 2, requests: [] })
    expect(refused.stderr).toContain('--yes')
  })

  test('of the environment beside another URL keeps nothing of a stored test profile', async () => {
    await storeProfile(bench, { mode: 'test' })
    const refused = await bench.runPay('payment capture p1', {
      service: empty,
      env: { PAY_API_KEY: 'key-of-env', PAY_BASE_URL: 'https://live.example.com' },
    })
    expect(refused).toMatchObject({ exitCode: 2, requests: [] })
  })
})

describe('--sandbox', () => {
  test('ignores key and URL of the environment', async () => {
    const sent = await bench.runPay('--sandbox payment list', {
      env: { PAY_API_KEY: 'key-of-env', PAY_BASE_URL: 'https://live.example.com' },
    })
    expect(sent.exitCode).toBe(0)
    expect(sent.requests[0]).toMatchObject({ headers: { 'x-api-key': 'sandbox_all' } })
    expect(sent.requests[0]?.url).toContain('http://sandbox.localhost/')
  })

  test('beside another profile is refused', async () => {
    expect(await list('--sandbox --profile shop')).toMatchObject({ exitCode: 2, requests: [] })
  })

  test('wins over PAY_PROFILE', async () => {
    await storeProfile(bench)
    const sent = await bench.runPay('--sandbox payment list', { env: { PAY_PROFILE: 'shop' } })
    expect(sent.exitCode).toBe(0)
  })

  test('of PAY_PROFILE needs no readable profiles', async () => {
    const { writeFileSync } = await import('node:fs')
    writeFileSync(`${bench.configFolder}/config.json`, '{ damaged', { mode: 0o600 })
    for (const [words, env] of [
      ['--sandbox', {}],
      ['-p sandbox', {}],
      ['', { PAY_PROFILE: 'sandbox' }],
    ] as const)
      expect((await bench.runPay(`${words} payment list`, { env })).exitCode).toBe(0)
  })
})

test('with no profile and no key nothing is assumed: exit 4 names both remedies', async () => {
  for (const line of [
    'payment list',
    'payment capture p1',
    'smoke',
    'api GET /payments',
    'payment list --dry-run',
  ]) {
    const refused = await bench.runPay(line, { service: empty })
    expect(refused).toMatchObject({ exitCode: 4, stdout: '', requests: [] })
    expect(refused.stderr).toContain('pay profile add')
    expect(refused.stderr).toContain('--sandbox')
  }
})
