import { describe, expect, test } from 'vitest'
import { jsonAnswer } from '../../support/run-pay.ts'
import { useBench } from '../../support/use-bench.ts'
import type { RunOptions } from '../../support/run-pay.ts'
import { storeProfile } from '../../support/stored-profile.ts'

const bench = useBench()

const empty: RunOptions['service'] = () => jsonAnswer(200, { data: [] })

const list = (words: string, options: RunOptions = {}) =>
  bench.runPay(`${words} payment list`, { service: empty, ...options })

describe('the base URL', () => {
  const env = { PAY_API_KEY: 'key-of-env', PAY_BASE_URL: 'https://env.example.com' }

  test('comes from the flag, then the environment, then the profile', async () => {
    await storeProfile(bench, { baseUrl: 'https://profile.example.com' })
    const urlOf = async (words: string, vars: Readonly<Record<string, string>>) =>
      (await list(words, { env: vars })).requests[0]?.url
    expect(await urlOf('--base-url https://flag.example.com', env)).toContain('https://flag.example.com/')
    expect(await urlOf('', env)).toContain('https://env.example.com/')
    expect(await urlOf('', {})).toContain('https://profile.example.com/')
    expect(await urlOf('', { PAY_API_KEY: 'key-of-env' })).toContain('https://profile.example.com/')
  })

  test.each([
    'http://example.com',
    'ftp://example.com',
    'example.com',
    'https://user:pw@example.com',
    'https://example.com?x=1',
    'http://127.0.0.1.example.com',
    '',
  ])('refuses %j, which is neither https nor loopback, and sends nothing', async (url) => {
    const refused = await bench.runPay(['--base-url', url, 'payment', 'list'], {
      service: empty,
      env: { PAY_API_KEY: 'key-of-env' },
    })
    expect(refused).toMatchObject({ exitCode: 2, requests: [] })
    expect(refused.stderr).not.toContain('pw')
  })

  test.each(['http://localhost:4010', 'http://127.0.0.1:4010', 'http://[::1]:4010'])(
    'may be http on loopback: %s',
    async (url) => {
      expect((await list(`--base-url ${url}`, { env: { PAY_API_KEY: 'k-local' } })).exitCode).toBe(0)
    },
  )
})

test('the API version comes from the flag, then the environment, then the profile, then 2.1', async () => {
  const versionOf = async (words: string, vars: Readonly<Record<string, string>> = {}) =>
    (await list(words, { env: vars })).requests[0]?.headers['x-api-version']
  expect(await versionOf('--sandbox')).toBe('2.1')
  await storeProfile(bench, { words: ['--api-version', '2.3'] })
  const env = { PAY_API_VERSION: '2.2' }
  expect(await versionOf('--api-version 2.4', env)).toBe('2.4')
  expect(await versionOf('', env)).toBe('2.2')
  expect(await versionOf('')).toBe('2.3')
})

describe('the output format', () => {
  test.each([
    ['-o yaml', { PAY_OUTPUT: 'csv' }, 'data: []\n'],
    ['--json', { PAY_OUTPUT: 'yaml' }, '{\n  "data": []\n}\n'],
    ['', { PAY_OUTPUT: 'json' }, '{\n  "data": []\n}\n'],
    ['', { PAY_OUTPUT: 'id' }, ''],
    ['', { PAY_OUTPUT: '' }, 'No payments found.\n'],
  ])('of "%s" with %j', async (words, env, stdout) => {
    expect(await bench.runPay(`--sandbox ${words} payment list`, { env })).toMatchObject({
      exitCode: 0,
      stdout,
    })
  })

  test('from the environment is checked like the flag', async () => {
    const refused = await bench.runPay('--sandbox payment list', { env: { PAY_OUTPUT: 'jsn' } })
    expect(refused.exitCode).toBe(2)
    expect(refused.stderr).toContain('PAY_OUTPUT takes table, json, ndjson, yaml, csv or id, not "jsn"')
  })
})

describe('attempts', () => {
  const busy: RunOptions['service'] = () => jsonAnswer(503, {})

  test.each([
    ['--max-retries 1', { PAY_MAX_RETRIES: '2' }, 2],
    ['', { PAY_MAX_RETRIES: '2' }, 3],
    ['', {}, 4],
    ['--max-retries 0', {}, 1],
  ])('of "%s" with %j', async (words, env, sent) => {
    const failed = await bench.runPay(`${words} payment get p1`, {
      service: busy,
      env: { PAY_API_KEY: 'k-of-env', PAY_BASE_URL: 'https://api.example.com', ...env },
    })
    expect(failed.exitCode).toBe(11)
    expect(failed.requests).toHaveLength(sent)
  })

  test.each([
    ['--timeout 5', {}, '--timeout'],
    ['--timeout 0s', {}, '--timeout'],
    ['--timeout -1s', {}, '--timeout'],
    ['--timeout soon', {}, '--timeout'],
    ['--max-retries -1', {}, '--max-retries'],
    ['--max-retries 1.5', {}, '--max-retries'],
    ['--max-retries many', {}, '--max-retries'],
    ['', { PAY_TIMEOUT: 'soon' }, 'PAY_TIMEOUT'],
    ['', { PAY_MAX_RETRIES: 'many' }, 'PAY_MAX_RETRIES'],
  ])('of "%s" with %j are refused, naming the source', async (words, env, what) => {
    const refused = await bench.runPay(`--sandbox ${words} payment list`, { env })
    expect(refused).toMatchObject({ exitCode: 2, requests: [] })
    expect(refused.stderr).toContain(what)
  })

  test('the timeout of the flag overrides the environment', async () => {
    const fine = await bench.runPay('--sandbox --timeout 5s payment list', { env: { PAY_TIMEOUT: 'soon' } })
    expect(fine.exitCode).toBe(0)
  })
})

describe('switches in the environment', () => {
  test.each(['1', 'true', 'yes'])('PAY_NO_INPUT=%s turns questions off', async (value) => {
    const refused = await bench.runPay('--sandbox payment get', { tty: true, env: { PAY_NO_INPUT: value } })
    expect(refused).toMatchObject({ exitCode: 2, questions: [] })
  })

  test.each(['', '0', 'false'])('PAY_NO_INPUT=%s leaves questions on', async (value) => {
    const asked = await bench.runPay('--sandbox payment get', {
      answers: { 'Payment ID': 'p1' },
      env: { PAY_NO_INPUT: value },
    })
    expect(asked.questions).toEqual(['Payment ID'])
  })

  test('PAY_DEBUG shows what --debug shows', async () => {
    const [flag, env] = [
      await bench.runPay('--sandbox payment list --debug'),
      await bench.runPay('--sandbox payment list', { env: { PAY_DEBUG: '1' } }),
    ]
    for (const { stderr } of [flag, env]) {
      expect(stderr).toContain('attempt 1: GET')
      expect(stderr).toContain('> x-api-version: 2.1')
    }
  })
})
