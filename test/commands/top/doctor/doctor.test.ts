import { chmodSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { errorOf } from '../../../support/run-result.ts'
import { KEY, SHOP, useDoctor } from './use-doctor.ts'
import { ledgerPath } from '../../../../src/client/ledger/ledger-file.ts'
import { damage, inLedger, recordsIn } from '../../../support/ledger-rows.ts'
import { TransportFailure } from '../../../../src/client/http/transport-port.ts'
import type { FailureReason } from '../../../../src/client/http/transport-port.ts'
import { jsonAnswer } from '../../../support/run-pay.ts'

const doctor = useDoctor()

const { diagnose, finding } = doctor

describe('pay doctor', () => {
  test('finds nothing on a healthy machine, sends nothing and creates nothing', async () => {
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
    expect(readdirSync(doctor.bench.stateFolder)).toEqual([])
    expect(readdirSync(doctor.bench.configFolder)).toEqual([])
  })

  test('prints each finding with mark, word and remedy at any width', async () => {
    chmodSync(doctor.bench.configFolder, 0o755)
    for (const columns of [60, 80]) {
      const { stdout } = await doctor.bench.runPay('doctor', { tty: true, columns, env: { NO_COLOR: '1' } })
      const text = stdout.replaceAll(doctor.bench.folder, 'FOLDER')
      expect(text).toMatch(/^! warning {2}config folder {2}/m)
      expect(text).toMatch(/^ +\$ chmod 700 FOLDER\/config$/m)
      expect(text).toContain('No problems, 2 warnings.')
      const wide = text.split('\n').filter((line) => line.length > columns && !line.includes('FOLDER'))
      expect(wide).toEqual([])
    }
  })

  test('a missing account is a warning', async () => {
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

  test('a problem exits 2, with the findings on stdout and its name on stderr', async () => {
    rmSync(doctor.bench.stateFolder, { recursive: true })
    writeFileSync(doctor.bench.stateFolder, '')
    const ill = await doctor.bench.runPay('doctor --sandbox --json')
    expect(ill.exitCode).toBe(2)
    expect(JSON.parse(ill.stdout)).toMatchObject({ problems: expect.any(Number) })
    expect(errorOf(ill)).toMatchObject({
      code: 'doctor_found',
      exitCode: 2,
      message: expect.stringContaining('state folder'),
    })
  })

  test('-o id prints the checks with findings', async () => {
    chmodSync(doctor.bench.configFolder, 0o755)
    expect((await doctor.bench.runPay('doctor --sandbox -o id')).stdout).toBe('config folder\n')
  })

  test.each([
    ['20.19.0', 'ok'],
    ['26.1.0', 'ok'],
    ['27.0.0', 'warning'],
  ])('rates Node %s: %s', async (nodeVersion, status) => {
    expect(await finding('node', '--sandbox', { nodeVersion })).toMatchObject({
      status,
      says: expect.stringContaining(nodeVersion),
    })
  })
})

const addShop = () =>
  doctor.bench.runPay('profile add shop --base-url https://api.example.com --live --api-key-stdin -q', {
    stdin: KEY,
  })

describe('the account', () => {
  test('shows profile, source of the key and live mode', async () => {
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

  test('without a key is a problem, with the command that stores one', async () => {
    await doctor.bench.runPay('profile add shop --base-url https://api.example.com --test -q')
    expect(await finding('key', '')).toMatchObject({
      status: 'problem',
      next: ['pay profile set shop --api-key-stdin'],
    })
  })

  test('that does not exist is a problem, with a suggestion', async () => {
    await addShop()
    expect(await finding('account', '-p shpo')).toMatchObject({
      status: 'problem',
      remedy: expect.stringContaining('Did you mean shop?'),
    })
  })

  test('from a damaged profile file is a problem, and the other checks still run', async () => {
    writeFileSync(join(doctor.bench.configFolder, 'config.json'), '{', { mode: 0o600 })
    const { findings, exitCode } = await diagnose('')
    expect(exitCode).toBe(2)
    expect(findings.find(({ check }) => check === 'profiles')).toMatchObject({
      status: 'problem',
      says: expect.stringContaining('not JSON'),
    })
    expect(findings.at(-1)).toMatchObject({ check: 'ledger', status: 'ok' })
  })

  test('from a profile file that others can read is a warning', async () => {
    await addShop()
    chmodSync(join(doctor.bench.configFolder, 'config.json'), 0o644)
    expect(await finding('profiles', '')).toMatchObject({
      status: 'warning',
      says: expect.stringContaining('chmod 600'),
    })
  })
})

describe('the connection to the service', () => {
  test.each([
    ['http://me:s3cretpw@proxy.example:8080', 'http://proxy.example:8080'],
    ['me:s3cretpw@proxy.example:8080', 'http://proxy.example:8080'],
    ['s3cretpw@proxy.example:8080', 'http://proxy.example:8080'],
    ['https://me:s3cretpw@[::1]:8080/?s3cretpw', 'https://[::1]:8080'],
    ['proxy.example:8080', 'http://proxy.example:8080'],
  ])('shows a proxy without its password: %s', async (HTTPS_PROXY, says) => {
    expect(await finding('proxy', '', { env: { ...SHOP, HTTPS_PROXY } })).toEqual({
      check: 'proxy',
      status: 'ok',
      says,
    })
    expect((await doctor.bench.runPay('doctor', { env: { ...SHOP, HTTPS_PROXY } })).stdout).not.toContain(
      's3cretpw',
    )
  })

  test.each([
    'http://me:s3cretpw/1@proxy.example:8080',
    'me:s3cretpw#1@proxy.example',
    's3cretpw/1@proxy.example',
  ])('reports an invalid proxy URL without showing it: %s', async (HTTPS_PROXY) => {
    const proxy = await finding('proxy', '', { env: { ...SHOP, HTTPS_PROXY } })
    expect(proxy).toMatchObject({ status: 'problem', remedy: expect.stringContaining('HTTPS_PROXY') })
    expect(JSON.stringify(proxy)).not.toContain('s3cretpw')
  })

  test.each([
    ['-----BEGIN CERTIFICATE-----\nx\n-----BEGIN CERTIFICATE-----\n', 'ok', '2 from'],
    ['nothing of the kind', 'warning', 'contains no certificate'],
    [undefined, 'warning', 'cannot be read'],
  ])('NODE_EXTRA_CA_CERTS with %j is %s', async (text, status, says) => {
    if (text !== undefined) writeFileSync(join(doctor.bench.folder, 'ca.pem'), text)
    const env = { ...SHOP, NODE_EXTRA_CA_CERTS: 'ca.pem' }
    expect(await finding('certificates', '', { env })).toMatchObject({
      status,
      says: expect.stringContaining(says),
    })
  })

  test('reports disabled certificate checks', async () => {
    const env = { ...SHOP, NODE_TLS_REJECT_UNAUTHORIZED: '0' }
    expect(await finding('certificates', '', { env })).toMatchObject({ status: 'problem' })
  })
})

describe('local checks', () => {
  const create = () =>
    doctor.bench.runPay("--sandbox payment create --token tok_visa --amount '10.00 EUR' --order-id A-1")

  test('show a write in doubt with the command that resolves it', async () => {
    const service = () => {
      throw new TransportFailure('timeout', true, 'no answer')
    }
    await doctor.bench.runPay('--sandbox payment refund p1 --amount 500 --max-retries 0', { service })
    const { findings, exitCode } = await diagnose()
    expect(exitCode).toBe(0)
    expect(findings.find(({ check }) => check === 'open write')).toMatchObject({
      status: 'warning',
      says: expect.stringContaining('payment.refund'),
      next: [expect.stringMatching(/^pay ops resolve [\w-]+$/)],
    })
  })

  test('warn about a damaged record, and about a missing one', async () => {
    await create()
    const [record] = recordsIn(doctor.bench.stateFolder)
    const id = record?.id ?? ''
    damage(doctor.bench.stateFolder, id)
    inLedger(doctor.bench.stateFolder, (database) => database.run('UPDATE tally SET open = 3'))
    const found = (await diagnose()).findings.filter(({ check }) => check === 'ledger')
    for (const next of [`pay ops abandon ${id}`, 'pay ops abandon --damaged-ledger'])
      expect(found).toContainEqual(expect.objectContaining({ status: 'warning', next: [next] }))
  })

  test('say that a table or an index is missing, which keeps every write from being sent', async () => {
    await create()
    inLedger(doctor.bench.stateFolder, (database) => database.run('DROP INDEX used_ticket'))
    const { findings, exitCode } = await diagnose()
    expect(exitCode).not.toBe(0)
    expect(findings).toContainEqual(
      expect.objectContaining({
        check: 'ledger',
        status: 'problem',
        says: expect.stringContaining('used_ticket'),
        next: ['pay ops abandon --damaged-ledger'],
      }),
    )
  })

  test('check the sandbox in use; a file that is not a database is a problem', async () => {
    await create()
    const path = join(doctor.bench.stateFolder, 'sandbox/sandbox.db')
    expect(await finding('sandbox')).toMatchObject({ status: 'ok', says: path })
    writeFileSync(path, 'nothing')
    expect(await finding('sandbox')).toMatchObject({ status: 'problem', next: ['pay sandbox reset'] })
    await doctor.bench.runPay('sandbox reset')
    const begun = join(doctor.bench.stateFolder, 'sandbox/sandbox-2.db')
    expect(await finding('sandbox')).toMatchObject({ status: 'ok', says: begun })
  })

  test('warn about a folder that others can read, with the command that closes it', async () => {
    chmodSync(doctor.bench.stateFolder, 0o755)
    expect(await finding('state folder')).toMatchObject({
      status: 'warning',
      next: [`chmod 700 ${doctor.bench.stateFolder}`],
    })
  })

  test('accept missing folders', async () => {
    rmSync(doctor.bench.configFolder, { recursive: true })
    expect(await finding('config folder')).toMatchObject({
      status: 'ok',
      says: expect.stringContaining('does not exist yet'),
    })
  })

  test('do not change the ledger', async () => {
    await create()
    const before = readFileSync(ledgerPath(doctor.bench.stateFolder))
    await diagnose()
    expect(readFileSync(ledgerPath(doctor.bench.stateFolder)).equals(before)).toBe(true)
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
      answering(200, { date: doctor.bench.clock.now.toUTCString() }),
    )
    expect(exitCode).toBe(0)
    expect(requests).toHaveLength(1)
    expect(requests[0]).toMatchObject({ method: 'GET', url: 'https://api.example.com/payments?limit=1' })
    expect(findings).toContainEqual({
      check: 'service',
      status: 'ok',
      says: 'responds with 200, and accepts the key',
    })
    expect(findings).toContainEqual({ check: 'clock', status: 'ok', says: 'agrees with the service' })
  })

  test.each([
    [302, 'problem', 'it has moved'],
    [401, 'problem', 'refused'],
    [403, 'warning', 'may not list'],
    [404, 'warning', 'no list of payments'],
    [422, 'warning', 'responds with 422'],
    [303, 'warning', 'the service has a problem'],
    [408, 'warning', 'the service has a problem'],
    [503, 'warning', 'the service has a problem'],
  ])('status %i is a %s', async (status, kind, says) => {
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
    [60, 'ok', 'agrees with the service'],
  ])('compares the clocks: service %i s ahead is %s', async (seconds, status, says) => {
    const date = new Date(doctor.bench.clock.now.getTime() + seconds * 1000).toUTCString()
    expect(await finding('clock', '--online', answering(200, { date }))).toMatchObject({
      status,
      says: expect.stringContaining(says),
    })
  })

  test('a service on this machine that is ahead is probably a sandbox whose clock was advanced', async () => {
    const date = new Date(doctor.bench.clock.now.getTime() + 7_200_000).toUTCString()
    const env = { PAY_API_KEY: 'sandbox_all', PAY_BASE_URL: 'http://127.0.0.1:4010' }
    const found = await finding('clock', '--online', { ...answering(200, { date }), env })
    expect(found?.remedy).toContain('pay sandbox clock show')
  })

  test('skips the clock check if the response has no date', async () => {
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
  ] satisfies readonly FailureReason[])('a failed call (%s) is a problem with a remedy', async (reason) => {
    const service = () => {
      throw new TransportFailure(reason, false, `it is ${reason}`)
    }
    const found = await finding('service', '--online', { env: SHOP, service })
    expect(found).toMatchObject({
      status: 'problem',
      says: `not reached: it is ${reason}`,
      remedy: expect.any(String),
    })
  })

  test('does not call the embedded sandbox', async () => {
    expect(await diagnose('--sandbox --online')).toMatchObject({ exitCode: 0, requests: [] })
  })
})
