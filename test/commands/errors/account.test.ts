import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { jsonAnswer } from '../../support/run-pay.ts'
import { storeProfile } from '../../support/stored-profile.ts'
import { transcriptOf } from '../../support/transcript.ts'
import type { Mistake } from '../../support/transcript.ts'
import { useBench } from '../../support/use-bench.ts'

/** Which account: keys, profiles, base URLs. */

const bench = useBench()

const KEY = { PAY_API_KEY: 'key_of_a_test_0000' }
const ADD = 'profile add x --base-url https://api.example.com --live'

const ACCOUNTS: readonly Mistake[] = [
  ['payment list', { env: { ...KEY, PAY_PROFILE: 'nobody' } }],
  ['payment list --profile keyless', {}],
  ['payment list --profile shop', { env: KEY }],
  ['payment list --base-url https://other.example.com --profile shop', {}],
  ['payment list --profile shop', { env: { NODE_TLS_REJECT_UNAUTHORIZED: '0' } }],
  ['payment list', { env: { ...KEY, PAY_BASE_URL: 'http://api.example.com' } }],
  ['payment list', { env: { ...KEY, PAY_BASE_URL: 'api.example.com' } }],
  ['payment list', { env: { PAY_API_KEY_FILE: 'none', PAY_BASE_URL: 'https://api.example.com' } }],
  'payment refund p1 --profile shop',
  'payment list --profile shop --sandbox',
  'api POST /nope --profile limited --yes -d {}',
  [
    'payment refund p1 --profile limited --amount "5 USD" --yes',
    { service: () => jsonAnswer(200, { id: 'p1', status: 'SETTLED', amount: 500, currencyCode: 'USD' }) },
  ],
  [
    'payment refund p1 --profile limited --yes',
    { service: () => jsonAnswer(200, { id: 'p1', status: 'SETTLED' }) },
  ],
  'payment refund p1 --profile readonly --yes',
  'payment capture p1 --profile limited --yes',
  [
    'payment refund p1 --amount 500 --profile teamed --yes',
    { service: () => jsonAnswer(200, { id: 'p1', status: 'SETTLED', amount: 500, currencyCode: 'EUR' }) },
  ],
  'profile show nobody',
  'profile show shp',
  'profile set shop',
  'profile set sandbox --live',
  'profile set shop --test --live',
  ['profile set shop --api-key-command "op read x" --api-key-stdin', { stdin: 'k' }],
  'profile set shop --api-key-command "op read \'x"',
  ['profile set shop --api-key-stdin --api-key-file f', { stdin: 'k' }],
  ['profile set shop --api-key-stdin', { stdin: '' }],
  ['profile set shop --api-key-stdin', { stdin: 'two words' }],
  'profile set shop --approvals 2',
  'profile set shop --signers f',
  'profile set shop --signers team',
  'profile set shop --max-amount none --max-amount "5 EUR"',
  'profile set shop --operations refnd',
  'profile set shop --operations xxxxxxx',
  'profile set shop --max-amount 500',
  'profile set shop --max-total none --max-total "5 EUR/1h"',
  'profile set shop --max-total 5/1h',
  'profile set shop --max-total "5 EUR"',
  'profile set shop --max-total "5 EUR/1h" --max-total "6 EUR/1h"',
  'profile set shop --max-count 5',
  'profile set shop --ledger-account "a b"',
  'profile set limited --max-amount "900 EUR"',
  'profile rename shop limited',
  'profile rename nobody x',
  [`profile add shop --base-url https://api.example.com --api-key-stdin`, { stdin: 'key-1' }],
  `${ADD} --operations xxxxxxx`,
]

test('without a profile', async () => {
  const lines: readonly Mistake[] = [
    ['payment list', { env: { PAY_API_KEY: 'a b', PAY_BASE_URL: 'https://api.example.com' } }],
    ['payment list', { env: { ...KEY, PAY_BASE_URL: 'https://api.example.com', PAY_API_VERSION: '2é' } }],
    'payment list',
    ['payment list', { env: KEY }],
    'profile show',
    'whoami',
  ]
  await expect(await transcriptOf(bench, lines)).toMatchFileSnapshot('../../golden/errors/no-account.txt')
})

test('accounts', async () => {
  writeFileSync(join(bench.folder, 'team'), 'anna@example.com ssh-ed25519 AAAA\n', { mode: 0o600 })
  await storeProfile(bench, { mode: 'live' })
  await storeProfile(bench, {
    name: 'limited',
    mode: 'live',
    words: ['--operations', 'payment.refund', '--max-amount', '100 EUR'],
  })
  await storeProfile(bench, { name: 'readonly', mode: 'live', words: ['--read-only'] })
  await bench.runPay('profile add keyless --base-url https://api.example.com --live')
  await storeProfile(bench, { name: 'teamed', words: ['--ledger', 'required'] })
  await expect(await transcriptOf(bench, ACCOUNTS)).toMatchFileSnapshot('../../golden/errors/account.txt')
})

const config = (): string => join(bench.configFolder, 'config.json')

const write = (text: string) => () => writeFileSync(config(), text, { mode: 0o600 })

/** The file of profiles, as somebody has left it. */
const DAMAGED: readonly Mistake[] = [
  write('{\n"bad'),
  'profile list',
  write('[]'),
  'profile list',
  write('{"profiles":{"shop":{"baseUrl":5}}}'),
  'profile list',
  () => {
    write('{}')()
    chmodSync(config(), 0o666)
  },
  'profile list',
  () => chmodSync(bench.configFolder, 0o777),
  'profile list',
]

test('damaged profiles', async () => {
  await expect(await transcriptOf(bench, DAMAGED)).toMatchFileSnapshot('../../golden/errors/profiles.txt')
})
