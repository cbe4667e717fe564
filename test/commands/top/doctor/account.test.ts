import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { KEY, SHOP, useDoctor } from './use-doctor.ts'

const doctor = useDoctor()
const { diagnose, finding } = doctor

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
