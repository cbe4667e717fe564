import { appendFileSync, chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { TransportFailure } from '../../../../src/http/transport-port.ts'
import type { FailureReason } from '../../../../src/http/transport-port.ts'
import type { Diagnosis, CheckResult } from '../../../../src/views/top/doctor.ts'
import { createBench, jsonAnswer } from '../../../support/run-pay.ts'
import type { Bench, RunOptions } from '../../../support/run-pay.ts'

let bench: Bench
beforeEach(() => {
  bench = createBench()
})
afterEach(() => {
  bench.dispose()
})

const KEY = 'key-of-the-shop-0123456789'
const SHOP = { PAY_API_KEY: KEY, PAY_BASE_URL: 'https://api.example.com' }

async function diagnose(words = '--sandbox', options: RunOptions = {}) {
  const ran = await bench.runPay(`doctor ${words} --json`, options)
  const diagnosis: Diagnosis = JSON.parse(ran.stdout)
  expect(ran.stdout + ran.stderr).not.toContain(KEY)
  return { ...ran, ...diagnosis }
}
async function finding(
  check: string,
  words?: string,
  options?: RunOptions,
): Promise<CheckResult | undefined> {
  return (await diagnose(words, options)).findings.find((found) => found.check === check)
}

const addShop = () =>
  bench.runPay('profile add shop --base-url https://api.example.com --live --api-key-stdin -q', {
    stdin: KEY,
  })

describe('pay doctor', () => {
  test('finds nothing on a machine that is well, asks nobody and makes nothing', async () => {
    const well = await diagnose()
    expect(well).toMatchObject({ exitCode: 0, problems: 0, warnings: 0, requests: [] })
    expect(well.findings.map(({ check }) => check)).toEqual([
      'node',
      'config folder',
      'profiles',
      'state folder',
      'account',
      'key',
      'mode',
      'network',
      'sandbox',
      'ledger',
    ])
    expect(readdirSync(bench.stateFolder)).toEqual([])
    expect(readdirSync(bench.configFolder)).toEqual([])
  })

  test('shows it to people with a mark, a word and a remedy, at any width', async () => {
    chmodSync(bench.configFolder, 0o755)
    for (const columns of [60, 80]) {
      const { stdout } = await bench.runPay('doctor', { tty: true, columns, env: { NO_COLOR: '1' } })
      const told = stdout.replaceAll(bench.folder, 'FOLDER')
      expect(told).toMatch(/^! warning {2}config folder {2}/m)
      expect(told).toMatch(/^ +\$ chmod 700 FOLDER\/config$/m)
      expect(told).toContain('No problems, 2 warnings.')
      const wide = told.split('\n').filter((line) => line.length > columns && !line.includes('FOLDER'))
      expect(wide).toEqual([])
    }
  })

  test('warns without an account, which is no fault of the machine', async () => {
    const none = await diagnose('')
    expect(none).toMatchObject({ exitCode: 0, problems: 0, warnings: 1 })
    expect(none.findings).toContainEqual(
      expect.objectContaining({
        check: 'account',
        status: 'warning',
        next: expect.arrayContaining(['pay profile add NAME']),
      }),
    )
  })

  test('a problem is exit 2, with the findings on stdout and its name on stderr', async () => {
    rmSync(bench.stateFolder, { recursive: true })
    writeFileSync(bench.stateFolder, '')
    const ill = await bench.runPay('doctor --sandbox --json')
    expect(ill.exitCode).toBe(2)
    expect(JSON.parse(ill.stdout)).toMatchObject({ problems: expect.any(Number) })
    expect(JSON.parse(ill.stderr.trim().split('\n').at(-1) ?? '')).toMatchObject({
      error: { code: 'doctor_found', exitCode: 2, message: expect.stringContaining('state folder') },
    })
  })

  test('-o id names the checks that found something', async () => {
    chmodSync(bench.configFolder, 0o755)
    expect((await bench.runPay('doctor --sandbox -o id')).stdout).toBe('config folder\n')
  })

  test.each([
    ['20.19.0', 'ok'],
    ['26.1.0', 'ok'],
    ['27.0.0', 'warning'],
  ])('Node %s is %s', async (nodeVersion, status) => {
    expect(await finding('node', '--sandbox', { nodeVersion })).toMatchObject({
      status,
      says: expect.stringContaining(nodeVersion),
    })
  })
})

describe('the account', () => {
  test('says which, where its key comes from, and that it is real money', async () => {
    await addShop()
    const { findings, exitCode } = await diagnose('')
    expect(exitCode).toBe(0)
    expect(findings).toEqual(
      expect.arrayContaining([
        {
          check: 'account',
          status: 'ok',
          says: 'profile shop (stored default), at https://api.example.com (profile shop)',
        },
        { check: 'key', status: 'ok', says: 'from profile shop' },
        { check: 'mode', status: 'ok', says: 'LIVE: real money (profile shop)' },
        { check: 'proxy', status: 'ok', says: expect.stringContaining('none') },
        { check: 'service', status: 'skipped', says: expect.stringContaining('--online') },
      ]),
    )
  })

  test('without a key it is a problem, with the command that stores one', async () => {
    await bench.runPay('profile add shop --base-url https://api.example.com --test -q')
    expect(await finding('key', '')).toMatchObject({
      status: 'problem',
      next: ['pay profile set shop --api-key-stdin'],
    })
  })

  test('one that is not there is a problem, with what was meant', async () => {
    await addShop()
    expect(await finding('account', '-p shpo')).toMatchObject({
      status: 'problem',
      remedy: expect.stringContaining('Did you mean shop?'),
    })
  })

  test('a damaged file of profiles is a problem, and the rest is looked at all the same', async () => {
    writeFileSync(join(bench.configFolder, 'config.json'), '{', { mode: 0o600 })
    const { findings, exitCode } = await diagnose('')
    expect(exitCode).toBe(2)
    expect(findings.find(({ check }) => check === 'profiles')).toMatchObject({
      status: 'problem',
      says: expect.stringContaining('not JSON'),
    })
    expect(findings.at(-1)).toMatchObject({ check: 'ledger', status: 'ok' })
  })

  test('a file of profiles that others can read is a warning', async () => {
    await addShop()
    chmodSync(join(bench.configFolder, 'config.json'), 0o644)
    expect(await finding('profiles', '')).toMatchObject({
      status: 'warning',
      says: expect.stringContaining('chmod 600'),
    })
  })
})

describe('the way to the service', () => {
  test.each([
    ['http://me:s3cretpw@proxy.example:8080', 'http://proxy.example:8080'],
    ['me:s3cretpw@proxy.example:8080', 'http://proxy.example:8080'],
    ['s3cretpw@proxy.example:8080', 'http://proxy.example:8080'],
    ['https://me:s3cretpw@[::1]:8080/?s3cretpw', 'https://[::1]:8080'],
    ['proxy.example:8080', 'http://proxy.example:8080'],
  ])('a proxy is named without its password: %s', async (HTTPS_PROXY, says) => {
    expect(await finding('proxy', '', { env: { ...SHOP, HTTPS_PROXY } })).toEqual({
      check: 'proxy',
      status: 'ok',
      says,
    })
    expect((await bench.runPay('doctor', { env: { ...SHOP, HTTPS_PROXY } })).stdout).not.toContain('s3cretpw')
  })

  test.each([
    'http://me:s3cretpw/1@proxy.example:8080',
    'me:s3cretpw#1@proxy.example',
    's3cretpw/1@proxy.example',
  ])('a proxy that is no URL is a problem, and is not shown: %s', async (HTTPS_PROXY) => {
    const proxy = await finding('proxy', '', { env: { ...SHOP, HTTPS_PROXY } })
    expect(proxy).toMatchObject({ status: 'problem', remedy: expect.stringContaining('HTTPS_PROXY') })
    expect(JSON.stringify(proxy)).not.toContain('s3cretpw')
  })

  test.each([
    ['-----BEGIN CERTIFICATE-----\nx\n-----BEGIN CERTIFICATE-----\n', 'ok', '2 of'],
    ['nothing of the kind', 'warning', 'holds no certificate'],
    [undefined, 'warning', 'cannot be read'],
  ])('NODE_EXTRA_CA_CERTS with %j is %s', async (text, status, says) => {
    if (text !== undefined) writeFileSync(join(bench.folder, 'ca.pem'), text)
    const env = { ...SHOP, NODE_EXTRA_CA_CERTS: 'ca.pem' }
    expect(await finding('certificates', '', { env })).toMatchObject({
      status,
      says: expect.stringContaining(says),
    })
  })

  test('certificates that are not checked are a problem', async () => {
    const env = { ...SHOP, NODE_TLS_REJECT_UNAUTHORIZED: '0' }
    expect(await finding('certificates', '', { env })).toMatchObject({ status: 'problem' })
  })
})

describe('--online', () => {
  const answering = (status: number, headers: Readonly<Record<string, string>> = {}) => ({
    env: SHOP,
    service: () => jsonAnswer(status, { data: [] }, headers),
  })

  test('reads the service once', async () => {
    const { requests, exitCode, findings } = await diagnose(
      '--online',
      answering(200, { date: bench.clock.now.toUTCString() }),
    )
    expect(exitCode).toBe(0)
    expect(requests).toHaveLength(1)
    expect(requests[0]).toMatchObject({ method: 'GET', url: 'https://api.example.com/payments?limit=1' })
    expect(findings).toContainEqual({
      check: 'service',
      status: 'ok',
      says: 'answers 200, and takes the key',
    })
    expect(findings).toContainEqual({ check: 'clock', status: 'ok', says: 'as that of the service' })
  })

  test.each([
    [302, 'problem', 'somewhere else'],
    [401, 'problem', 'refused'],
    [403, 'warning', 'may not list'],
    [404, 'warning', 'no list of payments'],
    [422, 'warning', 'answers 422'],
    [503, 'warning', 'not well'],
  ])('an answer %i is a %s', async (status, kind, says) => {
    const found = await finding('service', '--online', answering(status))
    expect(found).toMatchObject({
      status: kind,
      says: expect.stringContaining(says),
      remedy: expect.any(String),
    })
  })

  test.each([
    [300, 'warning', '300 s behind'],
    [-300, 'warning', '300 s ahead of'],
    [60, 'ok', 'as that of the service'],
  ])('a service whose clock is %i s ahead: %s', async (seconds, status, says) => {
    const date = new Date(bench.clock.now.getTime() + seconds * 1000).toUTCString()
    expect(await finding('clock', '--online', answering(200, { date }))).toMatchObject({
      status,
      says: expect.stringContaining(says),
    })
  })

  test('a service that does not tell the time is not asked further', async () => {
    expect(await finding('clock', '--online', answering(200))).toMatchObject({ status: 'skipped' })
  })

  test.each([
    'dns',
    'refused',
    'unreachable',
    'connect-timeout',
    'timeout',
    'tls',
    'proxy',
    'cut',
  ] satisfies readonly FailureReason[])(
    'a call that fails (%s) is a problem with a remedy',
    async (reason) => {
      const service = () => {
        throw new TransportFailure(reason, false, `it is ${reason}`)
      }
      const found = await finding('service', '--online', { env: SHOP, service })
      expect(found).toMatchObject({
        status: 'problem',
        says: `not reached: it is ${reason}`,
        remedy: expect.any(String),
      })
    },
  )

  test('the embedded sandbox is not called', async () => {
    expect(await diagnose('--sandbox --online')).toMatchObject({ exitCode: 0, requests: [] })
  })
})

describe('what is on this machine', () => {
  const create = () =>
    bench.runPay("--sandbox payment create --token tok_visa --amount '10.00 EUR' --order-id A-1")

  test('a write that is in doubt comes with the command that clears it up', async () => {
    const service = () => {
      throw new TransportFailure('timeout', true, 'no answer')
    }
    await bench.runPay('--sandbox payment refund p1 --amount 500 --max-retries 0', { service })
    const { findings, exitCode } = await diagnose()
    expect(exitCode).toBe(0)
    expect(findings.find(({ check }) => check === 'open write')).toMatchObject({
      status: 'warning',
      says: expect.stringContaining('payment.refund'),
      next: [expect.stringMatching(/^pay ops resolve [\w-]+$/)],
    })
  })

  test('a record that cannot be read keeps others out, and is told', async () => {
    mkdirSync(join(bench.stateFolder, 'ledger/open'), { recursive: true, mode: 0o700 })
    writeFileSync(join(bench.stateFolder, 'ledger/open/0123abcd.json'), '{"half')
    const found = (await diagnose()).findings.filter(({ check }) => check === 'ledger')
    expect(found).toContainEqual(
      expect.objectContaining({
        status: 'warning',
        next: ['pay ops show 0123abcd', 'pay ops abandon 0123abcd'],
      }),
    )
  })

  test('the sandbox that was used is looked at, and one that is no database is a problem', async () => {
    await create()
    const path = join(bench.stateFolder, 'sandbox/sandbox.db')
    expect(await finding('sandbox')).toMatchObject({ status: 'ok', says: path })
    writeFileSync(path, 'nothing')
    expect(await finding('sandbox')).toMatchObject({ status: 'problem', next: ['pay sandbox reset'] })
  })

  test('a folder that others can look into is a warning, with the command that closes it', async () => {
    chmodSync(bench.stateFolder, 0o755)
    expect(await finding('state folder')).toMatchObject({
      status: 'warning',
      next: [`chmod 700 ${bench.stateFolder}`],
    })
  })

  test('folders that are not there yet are fine', async () => {
    rmSync(bench.configFolder, { recursive: true })
    expect(await finding('config folder')).toMatchObject({
      status: 'ok',
      says: expect.stringContaining('not there yet'),
    })
  })

  test('looking changes nothing of the ledger', async () => {
    await create()
    const folder = join(bench.stateFolder, 'ledger')
    appendFileSync(join(folder, 'open', 'new-1-x.abcd'), 'left by a crash')
    await diagnose()
    expect(readdirSync(join(folder, 'open'))).toContain('new-1-x.abcd')
  })
})
