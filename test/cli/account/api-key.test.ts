import { describe, expect, test } from 'vitest'
import { jsonAnswer } from '../../support/run-pay.ts'
import { useBench } from '../../support/use-bench.ts'
import type { RunOptions } from '../../support/run-pay.ts'
import { STORED_KEY, storeProfile } from '../../support/stored-profile.ts'

const bench = useBench()

const empty: RunOptions['service'] = () => jsonAnswer(200, { data: [] })

const list = (words: string, options: RunOptions = {}) =>
  bench.runPay(`${words} payment list`, { service: empty, ...options })

describe('an API key', () => {
  test('from the environment is sent to the base URL of the current profile', async () => {
    await storeProfile(bench)
    const sent = await list('', { env: { PAY_API_KEY: 'key-of-env' } })
    expect(sent.requests[0]).toMatchObject({ headers: { 'x-api-key': 'key-of-env' } })
    expect(sent.requests[0]?.url).toContain('https://api.example.com/')
  })

  test('from a profile is never sent to another URL', async () => {
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
      expect(await list(words, { env })).toMatchObject({ exitCode: 2, requests: [] })
    }
  })

  test('from a profile is sent to an equal URL that is written differently', async () => {
    await storeProfile(bench)
    const sent = await list('--base-url https://API.example.com:443/')
    expect(sent.requests[0]?.headers['x-api-key']).toBe(STORED_KEY)
  })

  test('from the environment with another URL counts as live, and money needs a confirmation', async () => {
    const refused = await bench.runPay('payment capture p1', {
      service: empty,
      env: { PAY_API_KEY: 'key-of-env', PAY_BASE_URL: 'https://api.example.com' },
    })
    expect(refused).toMatchObject({ exitCode: 2, requests: [], stderr: expect.stringContaining('--yes') })
  })

  test('from the environment with another URL takes nothing from a stored test profile', async () => {
    await storeProfile(bench, { mode: 'test' })
    const refused = await bench.runPay('payment capture p1', {
      service: empty,
      env: { PAY_API_KEY: 'key-of-env', PAY_BASE_URL: 'https://live.example.com' },
    })
    expect(refused).toMatchObject({ exitCode: 2, requests: [] })
  })
})

describe('--sandbox', () => {
  test('ignores the key and URL of the environment', async () => {
    const sent = await bench.runPay('--sandbox payment list', {
      env: { PAY_API_KEY: 'key-of-env', PAY_BASE_URL: 'https://live.example.com' },
    })
    expect(sent.exitCode).toBe(0)
    expect(sent.requests[0]).toMatchObject({ headers: { 'x-api-key': 'sandbox_all' } })
    expect(sent.requests[0]?.url).toContain('http://sandbox.localhost/')
  })

  test('works even if the profiles cannot be read', async () => {
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

test('without a profile and a key the command exits 4 and names both remedies', async () => {
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
