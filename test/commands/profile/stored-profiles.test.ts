import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { lockFile } from '../../../src/store/file-lock.ts'
import { jsonAnswer } from '../../support/run-pay.ts'
import { useBench } from '../../support/use-bench.ts'
import { STORED_KEY, storeProfile } from '../../support/stored-profile.ts'

const bench = useBench()

describe('profiles', () => {
  test('the first becomes the default; use, rename and remove update it', async () => {
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
  ])('are unchanged by an invalid command: pay %s', async (line, words) => {
    await storeProfile(bench)
    const before = readFileSync(join(bench.configFolder, 'config.json'), 'utf8')
    const refused = await bench.runPay(line)
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
    expect(refused.stderr).toContain(words)
    expect(readFileSync(join(bench.configFolder, 'config.json'), 'utf8')).toBe(before)
  })

  test('are removed on a terminal only after Yes', async () => {
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
    const release = lockFile(lock)
    onTestFinished(() => release?.())
    const ended = await bench.runPay('profile set shop --read-only', { signal: AbortSignal.abort(signal) })
    expect(ended).toMatchObject({ exitCode: code, stdout: '' })
    expect(ended.stderr).toContain('nothing was stored')
    expect(existsSync(lock)).toBe(true)
    expect(readFileSync(file, 'utf8')).toBe(before)
  },
)

describe('the profile file', () => {
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
  ])('that contains %s with mode %o is refused and left unchanged', async (text, mode, exitCode, words) => {
    const { chmodSync } = await import('node:fs')
    writeFileSync(file(), text)
    chmodSync(file(), mode)
    for (const line of ['payment list', 'profile list', 'profile use sandbox', 'whoami']) {
      expect(await bench.runPay(line)).toMatchObject({ exitCode, stdout: '', requests: [] })
    }
    expect((await bench.runPay('whoami')).stderr).toContain(words)
    expect(readFileSync(file(), 'utf8')).toBe(text)
  })

  test('that others can read is used with a warning', async () => {
    await storeProfile(bench)
    const { chmodSync } = await import('node:fs')
    chmodSync(file(), 0o644)
    const listed = await bench.runPay('payment list -q', { service: () => jsonAnswer(200, { data: [] }) })
    expect(listed).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('chmod 600') })
  })
})

test('adding an existing profile is refused and suggests profile show', async () => {
  const add = 'profile add shop --base-url https://api.example.com --live'
  expect((await bench.runPay(add)).exitCode).toBe(0)
  const again = await bench.runPay(add)
  expect(again).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('pay profile show shop') })
})

test.each(['set sandbox --live', 'remove sandbox --yes', 'rename sandbox other'])(
  'the embedded sandbox is not a profile to change: %s',
  async (words) => {
    const refused = await bench.runPay(`profile ${words}`)
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
    expect(refused.stderr).toContain('The profile sandbox is built in')
  },
)

test('the embedded sandbox is shown like a profile', async () => {
  expect((await bench.runPay('profile use sandbox')).exitCode).toBe(0)
  const shown = await bench.runPay('profile show')
  expect(shown.exitCode).toBe(0)
  expect(shown.stdout).toMatch(/^Profile +sandbox \(default\)$/m)
  expect(shown.stdout).toMatch(/^Mode +test$/m)
  expect(shown.stdout).toMatch(/^Base URL +embedded sandbox$/m)
  expect((await bench.runPay('profile list')).stderr).toBe('The default is the embedded sandbox.\n')
  await storeProfile(bench)
  await bench.runPay('profile use shop')
  const named = await bench.runPay('profile show sandbox --json')
  expect(JSON.parse(named.stdout)).toMatchObject({ name: 'sandbox', isDefault: false, mode: 'test' })
})

test('a list names each limit', async () => {
  await storeProfile(bench, { words: ['--read-only', '--max-amount', '500 EUR'] })
  expect((await bench.runPay('profile list')).stdout).toContain('read-only: yes; max amount: 500.00 EUR')
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
    const added = await bench.runPay(
      `profile add shop --base-url https://api.example.com --api-key-file ${path}`,
    )
    expect(added.exitCode).toBe(0)
    expect(added.stdout + added.stderr).not.toContain(STORED_KEY)
    expect((await shown()).apiKey).toBe('••••abcd')
  })

  test.each([
    ['15_characters_x', '••••'],
    ['16_characters_xy', '••••s_xy'],
  ])('shows its last four characters only if it has 16 or more: %s', async (key, hint) => {
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
    'is refused if it is %j, and nothing is stored',
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
  ])('of %s is guessed and printed: %s', async (url, mode) => {
    const added = await bench.runPay(['profile', 'add', 'shop', '--base-url', url, '--api-key-stdin'], {
      stdin: STORED_KEY,
    })
    expect(added.stderr).toContain(`this is a ${mode} profile`)
    expect(await shown()).toMatchObject({ mode, modeIsGuess: true })
  })

  test('is guessed again if the URL changes, and the key is removed', async () => {
    await bench.runPay('profile add shop --base-url https://api.sandbox.example.com --api-key-stdin', {
      stdin: STORED_KEY,
    })
    expect((await bench.runPay('profile set shop --base-url https://api.example.com')).exitCode).toBe(0)
    const profile = await shown()
    expect(profile).toMatchObject({ mode: 'live' })
    expect(profile.apiKey).toBeUndefined()
  })

  test('test is not kept for another URL', async () => {
    await storeProfile(bench, { mode: 'test' })
    await bench.runPay('profile set shop --base-url https://other.example.com')
    expect(await shown()).toMatchObject({ mode: 'live' })
  })

  test('cannot be both test and live', async () => {
    expect((await bench.runPay('profile add shop --base-url https://a.example --test --live')).exitCode).toBe(
      2,
    )
  })
})
