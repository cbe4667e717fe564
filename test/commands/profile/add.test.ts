import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { jsonAnswer } from '../../support/run-pay.ts'
import { useBench } from '../../support/use-bench.ts'
import { STORED_KEY, storeProfile } from '../../support/stored-profile.ts'

const bench = useBench()

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
