import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createBench, jsonAnswer } from '../../support/run-pay.ts'
import type { Bench } from '../../support/run-pay.ts'
import { STORED_KEY, storeProfile } from '../../support/stored-profile.ts'

let bench: Bench
beforeEach(() => {
  bench = createBench()
})
afterEach(() => {
  bench.dispose()
})

const shown = async (name = 'shop') => JSON.parse((await bench.runPay(`profile show ${name} --json`)).stdout)

describe('the key of a new profile', () => {
  test('comes from stdin, without its newline', async () => {
    await storeProfile(bench, { key: `${STORED_KEY}\n` })
    const sent = await bench.runPay('payment list', { service: () => jsonAnswer(200, { data: [] }) })
    expect(sent.requests[0]?.headers['x-api-key']).toBe(STORED_KEY)
  })

  test('comes from a file', async () => {
    const path = join(bench.folder, 'key')
    writeFileSync(path, `${STORED_KEY}\n`, { mode: 0o600 })
    const added = await bench.runPay([
      'profile',
      'add',
      'shop',
      '--base-url',
      'https://api.example.com',
      '--api-key-file',
      path,
    ])
    expect(added.exitCode).toBe(0)
    expect(added.stdout + added.stderr).not.toContain(STORED_KEY)
    expect((await shown()).apiKey).toBe('••••abcd')
  })

  test.each([
    ['15_characters_x', '••••'],
    ['16_characters_xy', '••••s_xy'],
  ])('of which four signs are few is shown by its end: %s', async (key, hint) => {
    await storeProfile(bench, { key })
    expect((await shown()).apiKey).toBe(hint)
    const whoami = await bench.runPay('whoami --json')
    expect(JSON.parse(whoami.stdout)).toMatchObject({ apiKey: { value: hint } })
    const dry = await bench.runPay('payment list --dry-run --json')
    expect(JSON.parse(dry.stdout)).toMatchObject({ headers: { 'x-api-key': hint } })
  })

  test('comes from a prompt', async () => {
    const added = await bench.runPay('profile add shop --base-url https://api.example.com', {
      answers: { 'API key': STORED_KEY },
    })
    expect(added.exitCode).toBe(0)
    expect((await shown()).apiKey).toBe('••••abcd')
  })

  test.each(['', 'two words', 'two\nlines', 'ключ'])(
    'is refused when it is %j, and nothing is stored',
    async (key) => {
      const refused = await bench.runPay(
        'profile add shop --base-url https://api.example.com --api-key-stdin',
        { stdin: key },
      )
      expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
      if (key.length > 3) expect(refused.stderr).not.toContain(key)
      expect((await bench.runPay('profile list -o id')).stdout).toBe('')
    },
  )
})

describe('the mode', () => {
  test.each([
    ['https://api.example.com', 'live'],
    ['https://api.sandbox.example.com', 'test'],
    ['https://sandbox-api.example.com', 'live'],
    ['http://localhost:4010', 'test'],
    ['https://127.0.0.1', 'test'],
  ])('of %s is guessed %s, and said', async (url, mode) => {
    const added = await bench.runPay(['profile', 'add', 'shop', '--base-url', url, '--api-key-stdin'], {
      stdin: STORED_KEY,
    })
    expect(added.stderr).toContain(`Taken as ${mode}`)
    expect(await shown()).toMatchObject({ mode, modeIsGuess: true })
  })

  test('is guessed again when the URL changes, and the key does not go along', async () => {
    await bench.runPay('profile add shop --base-url https://api.sandbox.example.com --api-key-stdin', {
      stdin: STORED_KEY,
    })
    expect((await bench.runPay('profile set shop --base-url https://api.example.com')).exitCode).toBe(0)
    const profile = await shown()
    expect(profile).toMatchObject({ mode: 'live' })
    expect(profile.apiKey).toBeUndefined()
  })

  test('that was test is not kept for another URL', async () => {
    await storeProfile(bench, { mode: 'test' })
    await bench.runPay('profile set shop --base-url https://other.example.com')
    expect(await shown()).toMatchObject({ mode: 'live' })
  })

  test('cannot be both', async () => {
    expect((await bench.runPay('profile add shop --base-url https://a.example --test --live')).exitCode).toBe(
      2,
    )
  })
})

describe('profiles', () => {
  test('the first is the default, use changes it, rename and remove keep it right', async () => {
    for (const name of ['one', 'two']) await storeProfile(bench, { name })
    const isDefault = async () =>
      JSON.parse((await bench.runPay('profile list --json')).stdout)
        .data.filter((profile: { isDefault: boolean }) => profile.isDefault)
        .map((profile: { name: string }) => profile.name)
    expect(await isDefault()).toEqual(['one'])
    await bench.runPay('profile use two')
    expect(await isDefault()).toEqual(['two'])
    await bench.runPay('profile rename two three')
    expect(await isDefault()).toEqual(['three'])
    await bench.runPay('profile remove three --yes')
    expect(await isDefault()).toEqual([])
    expect((await bench.runPay('profile list -o id')).stdout).toBe('one\n')
  })

  test.each([
    ['profile add shop --base-url https://x.example', 'already'],
    ['profile add sandbox --base-url https://x.example', 'sandbox'],
    ['profile add ../x --base-url https://x.example', 'name'],
    ['profile add __proto__ --base-url https://x.example', 'name'],
    ['profile add x --base-url http://x.example', 'https'],
    ['profile rename shop shop', 'already'],
    ['profile rename shop sandbox', 'sandbox'],
    ['profile rename nobody x', 'nobody'],
    ['profile use shpo', 'Did you mean shop?'],
    ['profile show shpo', 'Did you mean shop?'],
    ['profile remove shpo', 'Did you mean shop?'],
    ['profile set shop', 'Nothing to change'],
    ['profile set shop --clear everything', '--clear takes'],
    ['profile set shop --max-amount 500', 'currency'],
    ['profile set shop --operations payment.refundd', 'payment.refund'],
  ])('are left as they are when the words are wrong: pay %s', async (line, words) => {
    await storeProfile(bench)
    const before = readFileSync(join(bench.configFolder, 'config.json'), 'utf8')
    const refused = await bench.runPay(line)
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
    expect(refused.stderr).toContain(words)
    expect(readFileSync(join(bench.configFolder, 'config.json'), 'utf8')).toBe(before)
  })

  test('a key is removed only after a yes on a terminal', async () => {
    await storeProfile(bench)
    const refused = await bench.runPay('profile remove shop', { answers: { Confirm: false } })
    expect(refused.exitCode).toBe(2)
    expect((await bench.runPay('profile list -o id')).stdout).toBe('shop\n')
  })
})

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
])(
  '%s while another process changes the profiles leaves its lock and the profiles alone',
  async (signal, code) => {
    await storeProfile(bench)
    const lock = join(bench.configFolder, 'config.lock')
    const file = join(bench.configFolder, 'config.json')
    const before = readFileSync(file, 'utf8')
    writeFileSync(lock, 'another')
    const ended = await bench.runPay('profile set shop --read-only', { signal: AbortSignal.abort(signal) })
    expect(ended).toMatchObject({ exitCode: code, stdout: '' })
    expect(ended.stderr).toContain('nothing was stored')
    expect(readFileSync(lock, 'utf8')).toBe('another')
    expect(readFileSync(file, 'utf8')).toBe(before)
  },
)

describe('limits hold whatever is confirmed', () => {
  const service = () =>
    jsonAnswer(200, { id: 'p1', status: 'AUTHORIZED', currencyCode: 'EUR', amount: 90_000 })
  test.each([
    [['--read-only'], 'payment capture p1 --yes'],
    [['--read-only'], 'session create --order-id A --yes'],
    [['--read-only'], 'api POST /anything --yes'],
    [['--operations', 'payment.capture'], 'payment refund p1 --yes'],
    [['--operations', 'payment.capture'], 'api POST /payments/p1/refund --yes'],
    [['--operations', 'payment.capture'], 'api POST /anything --yes'],
    [['--max-amount', '500 EUR'], 'payment refund p1 --amount 50001 --yes'],
    [['--max-amount', '500 EUR'], 'payment capture p1 --yes'],
    [['--max-amount', '500 EUR'], 'payment authorize p1 --processor-merchant-id m --yes'],
    [['--max-amount', '500 EUR'], 'payment create --token t --amount 5 --currency USD --order-id A --yes'],
    [['--max-amount', '500 EUR'], 'payment create --token t --yes'],
  ])('%j blocks pay %s: 12, and nothing is sent', async (words, line) => {
    await storeProfile(bench, { mode: 'live', words })
    const blocked = await bench.runPay(`${line} --json`, { service })
    expect(blocked).toMatchObject({ exitCode: 12, stdout: '' })
    expect(blocked.requests.filter(({ method }) => method !== 'GET')).toEqual([])
    const last = blocked.stderr.trimEnd().split('\n').at(-1) ?? ''
    expect(JSON.parse(last)).toMatchObject({ error: { code: 'profile_limit', outcome: 'none' } })
  })

  test.each([
    `payment capture p1 -d '{"amount":5000,"currencyCode":"JPY"}'`,
    `payment refund p1 -d '{"amount":5000,"currencyCode":"JPY"}'`,
    `payment adjust p1 -d '{"amount":5000,"currencyCode":"JPY"}'`,
    'payment authorize p1 --processor-merchant-id m --set amount:=1 --set currencyCode=EUR',
    'payment authorize p1 --processor-merchant-id m --set amount:=1',
    'payment resume p1 --resume-token t --set amount:=1 --set currencyCode=EUR',
    `api POST /payments/p1/capture -d '{"amount":5000,"currencyCode":"JPY"}'`,
    `api POST /payments/p1/resume -d '{"resumeToken":"t","amount":1,"currencyCode":"EUR"}'`,
  ])('what a body claims moves no limit: pay %s --no-validate', async (line) => {
    await storeProfile(bench, { words: ['--max-amount', '10 EUR', '--max-amount', '1000000 JPY'] })
    const blocked = await bench.runPay(`${line} --no-validate --json`, { service })
    expect(blocked).toMatchObject({ exitCode: 12, stdout: '' })
    expect(blocked.requests.map(({ method }) => method)).toEqual(['GET'])
    expect(blocked.stderr).toContain('exceeds the limit')
  })

  test.each([
    'payment resume p1 --resume-token t',
    'payment authorize p1 --processor-merchant-id m',
    `payment capture p1 -d '{"amount":5000,"currencyCode":"JPY"}'`,
  ])('the payment is read, and within the limits it is sent: pay %s', async (line) => {
    await storeProfile(bench, { words: ['--max-amount', '900 EUR'] })
    expect(await bench.runPay(`${line} --no-validate --json`, { service })).toMatchObject({ exitCode: 0 })
  })

  test('a confirmation names the currency of the payment, whatever a body claims', async () => {
    await storeProfile(bench, { mode: 'live' })
    const line = `payment capture p1 --no-validate -d '{"amount":5000,"currencyCode":"JPY"}'`
    const sentence = 'Capture 50.00 EUR of payment p1 on LIVE profile shop?'
    const refused = await bench.runPay(line, { service, answers: { [sentence]: false } })
    expect(refused).toMatchObject({ exitCode: 2, questions: [sentence] })
  })

  test('reads go on, and what is within the limits is sent', async () => {
    await storeProfile(bench, { words: ['--max-amount', '500 EUR', '--operations', 'payment.refund'] })
    expect((await bench.runPay('payment get p1', { service })).exitCode).toBe(0)
    const sent = await bench.runPay('payment refund p1 --amount 50000', { service })
    expect(sent.exitCode).toBe(0)
  })
})

describe('the file of the profiles', () => {
  const file = () => join(bench.configFolder, 'config.json')

  test.each([
    ['{ damaged', 0o600, 2, 'damaged'],
    ['[]', 0o600, 2, 'config.json'],
    [
      '{"profiles":{"shop":{"baseUrl":"https://x.example","limits":{"readonly":true}}}}',
      0o600,
      2,
      'readOnly',
    ],
    ['{"version":99}', 0o600, 2, 'version'],
    ['{}', 0o666, 2, 'chmod 600'],
    ['{}', 0o620, 2, 'chmod 600'],
  ])('that holds %s with mode %o is refused and left alone', async (text, mode, exitCode, words) => {
    const { chmodSync } = await import('node:fs')
    writeFileSync(file(), text)
    chmodSync(file(), mode)
    for (const line of ['payment list', 'profile list', 'profile use sandbox', 'whoami']) {
      const refused = await bench.runPay(line)
      expect(refused).toMatchObject({ exitCode, stdout: '', requests: [] })
    }
    expect((await bench.runPay('whoami')).stderr).toContain(words)
    expect(readFileSync(file(), 'utf8')).toBe(text)
  })

  test('that others can read is warned about, and used', async () => {
    await storeProfile(bench)
    const { chmodSync } = await import('node:fs')
    chmodSync(file(), 0o644)
    const listed = await bench.runPay('payment list -q', { service: () => jsonAnswer(200, { data: [] }) })
    expect(listed.exitCode).toBe(0)
    expect(listed.stderr).toContain('chmod 600')
  })
})

describe('whoami', () => {
  test('asks nobody and names the source of each value', async () => {
    await storeProfile(bench, { mode: 'live', words: ['--api-version', '2.0'] })
    const me = await bench.runPay('whoami --json', { env: { PAY_API_VERSION: '2.2' } })
    expect(me).toMatchObject({ exitCode: 0, requests: [] })
    expect(JSON.parse(me.stdout)).toMatchObject({
      profile: { value: 'shop', source: 'stored default' },
      mode: { value: 'live', source: 'profile shop' },
      baseUrl: { value: 'https://api.example.com', source: 'profile shop' },
      apiKey: { value: '••••abcd', source: 'profile shop' },
      apiVersion: { value: '2.2', source: 'environment PAY_API_VERSION' },
    })
  })
})

test('an existing profile is shown, not silently set', async () => {
  const add = 'profile add shop --base-url https://api.example.com --live'
  expect((await bench.runPay(add)).exitCode).toBe(0)
  const again = await bench.runPay(add)
  expect(again.exitCode).toBe(2)
  expect(again.stderr).toContain('pay profile show shop')
})
