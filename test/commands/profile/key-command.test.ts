import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { jsonAnswer } from '../../support/run-pay.ts'
import type { RunOptions } from '../../support/run-pay.ts'
import { STORED_KEY, storeProfile } from '../../support/stored-profile.ts'
import { useBench } from '../../support/use-bench.ts'

const bench = useBench()

const KEY = 'key-of-the-command-0123456789'
const COMMAND = 'op read op://shop/key'
const options = (ran: string[] = []): RunOptions => ({
  service: () => jsonAnswer(200, { data: [] }),
  keyBy: async (command) => {
    ran.push(command)
    return KEY
  },
})

const set = (...words: readonly string[]) => bench.runPay(['profile', 'set', 'shop', ...words])
const stored = (): string => readFileSync(join(bench.configFolder, 'config.json'), 'utf8')
const shown = async () => JSON.parse((await bench.runPay('profile show shop --json')).stdout)

describe('a command for the key', () => {
  test('replaces a stored key, and a stored key replaces it', async () => {
    await storeProfile(bench)
    await set('--api-key-command', COMMAND)
    expect(stored()).not.toContain(STORED_KEY)
    expect(await shown()).toMatchObject({ apiKeyCommand: COMMAND })
    await bench.runPay('profile set shop --api-key-stdin', { stdin: STORED_KEY })
    expect(stored()).not.toContain(COMMAND)
  })

  test('prints the key that is sent, and hidden', async () => {
    await storeProfile(bench)
    await set('--api-key-command', COMMAND)
    const ran: string[] = []
    const { service, ...others } = options(ran)
    const result = await bench.runPay('payment list --debug -o json', {
      ...others,
      service: (...request) => {
        void service?.(...request)
        return jsonAnswer(200, { data: [{ id: 'p1', orderId: KEY }] })
      },
    })
    expect(ran).toEqual([COMMAND])
    expect(result.requests[0]?.headers['x-api-key']).toBe(KEY)
    expect(`${result.stdout}${result.stderr}`).not.toContain(KEY)
  })

  test('is not run for another key, or for the sandbox', async () => {
    await storeProfile(bench)
    await set('--api-key-command', COMMAND)
    const ran: string[] = []
    const result = await bench.runPay('payment list', {
      ...options(ran),
      env: { PAY_API_KEY: 'key-of-env-0123' },
    })
    expect(result.requests[0]?.headers['x-api-key']).toBe('key-of-env-0123')
    await bench.runPay('--sandbox payment list', options(ran))
    expect(ran).toEqual([])
  })

  test('belongs to its address', async () => {
    await storeProfile(bench)
    await set('--api-key-command', COMMAND)
    const elsewhere = await bench.runPay('payment list --base-url https://evil.example', options())
    expect(elsewhere).toMatchObject({ exitCode: 2, requests: [] })
    await set('--base-url', 'https://other.example.com')
    expect(await shown()).not.toHaveProperty('apiKeyCommand')
  })

  test('is removed with --clear api-key-command', async () => {
    await storeProfile(bench)
    await set('--api-key-command', COMMAND)
    await set('--clear', 'api-key-command')
    expect(await shown()).not.toHaveProperty('apiKeyCommand')
  })

  test.each([
    ['', 'must be a program'],
    ["op 'read", 'needs its second one'],
    ['op \u0007', 'control characters'],
  ])('%j is refused', async (command, why) => {
    await storeProfile(bench)
    const refused = await set('--api-key-command', command)
    expect(refused.exitCode).toBe(2)
    if (command !== '') expect(refused.stderr.replaceAll(/\s+/g, ' ')).toContain(why)
  })

  test('is refused together with a key', async () => {
    await storeProfile(bench)
    const both = await bench.runPay(['profile', 'set', 'shop', '--api-key-stdin', '--api-key-command', 'x'], {
      stdin: KEY,
    })
    expect(both.exitCode).toBe(2)
  })

  test('with a relative path is stored with an absolute one', async () => {
    await storeProfile(bench)
    await set('--api-key-command', './print-key a')
    expect(await shown()).toMatchObject({ apiKeyCommand: `${join(bench.folder, 'print-key')} a` })
  })

  test('is named where the service refuses its key', async () => {
    await storeProfile(bench)
    await set('--api-key-command', COMMAND)
    const { keyBy } = options()
    const refused = await bench.runPay('payment list', { keyBy, service: () => jsonAnswer(401, {}) })
    expect(refused.exitCode).toBe(4)
    expect(refused.stderr.replaceAll(/\s+/g, ' ')).toContain(`command of profile shop: ${COMMAND}`)
  })
})
