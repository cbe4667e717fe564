import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { errorOf } from '../../support/run-result.ts'
import { useBench } from '../../support/use-bench.ts'

const SHOP = 'https://api.example.com/v2'
const OTHER = 'https://other.example.com'
const STORED_KEY = 'key_stored_0123456789'
const ENV_KEY = 'key_env_0123456789'
const KEY = { PAY_API_KEY: ENV_KEY }
const ACCOUNT = { ...KEY, PAY_BASE_URL: OTHER }

const PROFILES = {
  shop: { baseUrl: SHOP, apiKey: STORED_KEY, mode: 'test', apiVersion: '2.0', limits: { readOnly: true } },
  guessed: { baseUrl: SHOP, apiKey: STORED_KEY },
  keyless: { baseUrl: SHOP },
}

type Env = Readonly<Record<string, string>>
type Case = readonly [words: string, env: Env, defaultProfile: string | undefined]

const bench = useBench()

/** Runs a command with the stored profiles. `key` and `no key` in the environment stand for files with and without one. */
function run(command: string, [words, env, defaultProfile]: Case) {
  const config = { version: 1, defaultProfile, profiles: PROFILES }
  writeFileSync(join(bench.configFolder, 'config.json'), JSON.stringify(config), { mode: 0o600 })
  const fileWith = (text: string) => {
    const file = join(bench.folder, 'key')
    writeFileSync(file, `${text}\n`, { mode: 0o600 })
    return file
  }
  const files = new Map([
    ['key', () => fileWith('key_file_0123456789')],
    ['no key', () => fileWith('a b')],
  ])
  const named = Object.entries(env).map(([name, value]) => [name, files.get(value)?.() ?? value])
  return bench.runPay(`${words} ${command} --json`, { env: Object.fromEntries(named) })
}

const ofShop = {
  mode: { value: 'test', source: 'profile shop' },
  baseUrl: { value: SHOP, source: 'profile shop' },
  apiKey: { value: '••••6789', source: 'profile shop' },
  apiVersion: { value: '2.0', source: 'profile shop' },
  limits: { readOnly: true },
}
const ofEnvironment = {
  mode: { value: 'live', source: 'guessed from the base URL' },
  baseUrl: { value: OTHER, source: 'environment PAY_BASE_URL' },
  apiKey: { value: '••••6789', source: 'environment PAY_API_KEY' },
  apiVersion: { value: '2.1', source: 'default' },
  limits: { readOnly: false },
}
const ofSandbox = {
  mode: { value: 'test', source: 'built in' },
  apiKey: { value: 'sandbox_all', source: 'built in' },
  apiVersion: { value: '2.1', source: 'default' },
  limits: { readOnly: false },
}
const keyed = { ...ofShop, apiKey: ofEnvironment.apiKey }
const SANDBOX_ENV = { PAY_API_KEY: 'a b', PAY_API_KEY_FILE: '/k', PAY_BASE_URL: 'nonsense' }

test.each<readonly [...Case, profile: string | undefined, source: string, rest: object]>([
  ['-p shop', { PAY_PROFILE: 'guessed' }, 'keyless', 'shop', 'flag --profile', ofShop],
  ['', { PAY_PROFILE: 'shop' }, 'keyless', 'shop', 'environment PAY_PROFILE', ofShop],
  ['', { PAY_PROFILE: '', PAY_API_KEY: '', PAY_BASE_URL: '' }, 'shop', 'shop', 'stored default', ofShop],
  ['-p keyless', {}, undefined, 'keyless', 'flag --profile', { baseUrl: { value: SHOP } }],
  ['-p guessed', {}, undefined, 'guessed', 'flag --profile', { mode: ofEnvironment.mode }],
  [`-p shop --base-url ${SHOP}/`, {}, undefined, 'shop', 'flag --profile', { mode: ofShop.mode }],
  [`-p shop`, { PAY_BASE_URL: 'HTTPS://API.EXAMPLE.COM/v2' }, undefined, 'shop', 'flag --profile', {}],
  ['', KEY, 'shop', 'shop', 'stored default', keyed],
  ['', { ...KEY, PAY_PROFILE: 'shop' }, undefined, 'shop', 'environment PAY_PROFILE', keyed],
  ['', { ...KEY, PAY_PROFILE: 'keyless' }, undefined, 'keyless', 'environment PAY_PROFILE', {}],
  ['', { ...KEY, PAY_BASE_URL: `${SHOP}/` }, 'shop', 'shop', 'stored default', { limits: ofShop.limits }],
  [
    '',
    { ...ACCOUNT, PAY_PROFILE: 'shop' },
    undefined,
    'shop',
    'environment PAY_PROFILE',
    { ...ofEnvironment, apiVersion: ofShop.apiVersion, limits: ofShop.limits },
  ],
  ['', ACCOUNT, undefined, undefined, '', ofEnvironment],
  ['', ACCOUNT, 'shop', undefined, '', ofEnvironment],
  ['', ACCOUNT, 'gone', undefined, '', ofEnvironment],
  ['', ACCOUNT, 'sandbox', undefined, '', ofEnvironment],
  [`--base-url ${OTHER}`, KEY, 'sandbox', undefined, '', { apiKey: ofEnvironment.apiKey }],
  [`--base-url ${OTHER}`, {}, undefined, undefined, '', { baseUrl: { source: 'flag --base-url' } }],
  [
    '--base-url http://127.0.0.1:4010/',
    ACCOUNT,
    undefined,
    undefined,
    '',
    { mode: { value: 'test' }, baseUrl: { value: 'http://127.0.0.1:4010', source: 'flag --base-url' } },
  ],
  [
    '',
    { PAY_API_KEY_FILE: 'key', PAY_BASE_URL: OTHER },
    undefined,
    undefined,
    '',
    { apiKey: { value: '••••6789', source: 'environment PAY_API_KEY_FILE' } },
  ],
  [
    '-p shop --api-version 3',
    { PAY_API_VERSION: '2.5' },
    undefined,
    'shop',
    'flag --profile',
    { apiVersion: { value: '3', source: 'flag --api-version' } },
  ],
  [
    '-p shop',
    { PAY_API_VERSION: '2.5' },
    undefined,
    'shop',
    'flag --profile',
    { apiVersion: { value: '2.5', source: 'environment PAY_API_VERSION' } },
  ],
  ['-p shop', { PAY_API_VERSION: '' }, undefined, 'shop', 'flag --profile', ofShop],
  ['--sandbox', { PAY_PROFILE: 'shop' }, 'guessed', 'sandbox', 'flag --sandbox', ofSandbox],
  ['--sandbox -p sandbox', {}, undefined, 'sandbox', 'flag --sandbox', ofSandbox],
  ['', {}, 'sandbox', 'sandbox', 'stored default', ofSandbox],
  ['--sandbox', SANDBOX_ENV, undefined, 'sandbox', 'flag --sandbox', ofSandbox],
  ['-p sandbox', SANDBOX_ENV, undefined, 'sandbox', 'flag --profile', ofSandbox],
  [
    '',
    { ...SANDBOX_ENV, PAY_PROFILE: 'sandbox' },
    undefined,
    'sandbox',
    'environment PAY_PROFILE',
    ofSandbox,
  ],
  [
    '--sandbox',
    { PAY_API_VERSION: '2021-09-27' },
    undefined,
    'sandbox',
    'flag --sandbox',
    { apiVersion: { value: '2021-09-27' } },
  ],
])(
  'the account, with the source of each value: %s with %j and default %s',
  async (words, env, defaultProfile, profile, source, rest) => {
    const ran = await run('whoami', [words, env, defaultProfile])
    expect(ran).toMatchObject({ exitCode: 0, requests: [] })
    const account = JSON.parse(ran.stdout)
    expect(account.profile).toEqual(profile === undefined ? undefined : { value: profile, source })
    expect(account).toMatchObject(rest)
  },
)

describe('refused, with nothing sent and no key shown', () => {
  test.each<readonly [...Case, code: string, says: readonly string[]]>([
    ['-p shpo', {}, undefined, 'unknown_profile', ['flag --profile', 'Did you mean shop?']],
    ['', { PAY_PROFILE: 'sandbx' }, undefined, 'unknown_profile', ['PAY_PROFILE', 'Did you mean sandbox?']],
    ['', {}, 'gone', 'unknown_profile', ['stored default', 'pay profile use NAME']],
    ['-p key+in+the+wrong+place', {}, undefined, 'unknown_profile', ['named (not repeated', 'shop, guessed']],
    ['-p __proto__', {}, undefined, 'unknown_profile', ['pay profile add NAME']],
    ['-p keyless', {}, undefined, 'no_key', ['pay profile set keyless --api-key-stdin']],
    ['', {}, undefined, 'no_key', ['pay profile add', '--sandbox']],
    [`--base-url ${OTHER}`, {}, undefined, 'no_key', ['pay profile add', '--sandbox']],
    ['', { PAY_BASE_URL: OTHER }, undefined, 'no_key', ['pay profile add', '--sandbox']],
    ['-p shop --api-version ,', {}, undefined, 'bad_api_version', ['--api-version']],
    ['-p shop', { PAY_API_VERSION: '2.1\n' }, undefined, 'bad_api_version', ['PAY_API_VERSION']],
    ['-p shop', KEY, undefined, 'account_conflict', ['PAY_API_KEY name two accounts', 'env -u PAY_API_KEY']],
    ['-p shop', { PAY_API_KEY_FILE: '/k' }, undefined, 'account_conflict', ['env -u PAY_API_KEY_FILE']],
    ['', { ...ACCOUNT, PAY_API_KEY_FILE: '/k' }, undefined, 'account_conflict', ['are both set']],
    ['', KEY, undefined, 'base_url_missing', ['PAY_BASE_URL']],
    ['', { ...ACCOUNT, PAY_API_KEY: `${ENV_KEY} x` }, undefined, 'bad_api_key', ['PAY_API_KEY']],
    ['', { PAY_API_KEY_FILE: 'no key', PAY_BASE_URL: OTHER }, undefined, 'bad_api_key', ['contains a space']],
    [`-p shop --base-url ${OTHER}`, {}, undefined, 'base_url_mismatch', ['flag --base-url', SHOP]],
    ['-p shop', { PAY_BASE_URL: OTHER }, undefined, 'base_url_mismatch', ['PAY_BASE_URL', SHOP]],
    ['', { PAY_PROFILE: 'shop', PAY_BASE_URL: OTHER }, undefined, 'base_url_mismatch', ['PAY_BASE_URL']],
    [`--base-url ${OTHER}`, {}, 'shop', 'base_url_mismatch', ['flag --base-url']],
    ['--base-url https://api.example.com', {}, 'shop', 'base_url_mismatch', ['flag --base-url']],
    [`--base-url ${OTHER}`, {}, 'keyless', 'base_url_mismatch', ['flag --base-url']],
    ['', { PAY_PROFILE: 'shop', PAY_BASE_URL: 'http://a.b' }, undefined, 'bad_base_url', ['must be https']],
    ['--sandbox -p shop', {}, undefined, 'account_conflict', ['--sandbox']],
    [`--sandbox --base-url ${OTHER}`, {}, undefined, 'account_conflict', ['fixed base URL']],
    [`-p sandbox --base-url ${OTHER}`, {}, undefined, 'account_conflict', ['fixed base URL']],
    [`--base-url ${OTHER}`, { ...KEY, PAY_PROFILE: 'sandbox' }, undefined, 'account_conflict', ['fixed']],
    [`--base-url ${OTHER}`, {}, 'sandbox', 'account_conflict', ['fixed base URL']],
    ['', KEY, 'sandbox', 'account_conflict', ['PAY_API_KEY is set without PAY_BASE_URL']],
    ['', { PAY_API_KEY_FILE: '/k' }, 'sandbox', 'account_conflict', ['PAY_API_KEY_FILE is set without']],
    ['', { PAY_BASE_URL: OTHER }, 'sandbox', 'account_conflict', ['PAY_BASE_URL is set without PAY_API_KEY']],
  ])('%s with %j and default %s: %s', async (words, env, defaultProfile, code, says) => {
    const ran = await run('payment list', [words, env, defaultProfile])
    expect(ran).toMatchObject({ exitCode: code === 'no_key' ? 4 : 2, stdout: '', requests: [] })
    expect(errorOf(ran)).toMatchObject({ code, outcome: 'none' })
    for (const part of says) expect(ran.stderr).toContain(part)
    for (const key of [ENV_KEY, STORED_KEY]) expect(ran.stderr).not.toContain(key)
  })

  test('another URL for a stored key, even by a command that sends nothing', async () => {
    const ran = await run('whoami', [`--base-url ${OTHER}`, {}, 'shop'])
    expect(errorOf(ran).code).toBe('base_url_mismatch')
  })
})
