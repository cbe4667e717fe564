import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hasOwnPostgres, ofPostgres, teamDatabase } from '../../client/ledger/team/postgres.ts'
import { createBench } from '../../support/run-pay.ts'
import { answers, teamEnv } from './team-machine.ts'

/** A team's database that speaks TLS, with certificates of a real authority. */

const hasOpenssl = spawnSync('openssl', ['version']).status === 0
if (!hasOpenssl || !hasOwnPostgres)
  process.stderr.write(
    "SKIPPED: a team's ledger over TLS, which takes openssl and a PostgreSQL of our own.\n",
  )

describe.skipIf(!hasOpenssl || !hasOwnPostgres)("a team's ledger over TLS", () => {
  const folder = mkdtempSync(join(tmpdir(), 'pay-tls-'))
  const file = (name: string) => join(folder, name)
  const openssl = (...args: readonly string[]) =>
    execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
  const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'] as const

  const authority = (name: string) =>
    openssl(
      'req',
      '-x509',
      ...NEW_KEY,
      '-subj',
      `/CN=${name}`,
      '-keyout',
      `${name}.key`,
      '-out',
      `${name}.crt`,
    )
  const certificate = (name: string, { subject = 'db', days = 1 } = {}) => {
    const request = ['-subj', `/CN=${subject}`, '-addext', 'subjectAltName=IP:127.0.0.1']
    openssl('req', ...NEW_KEY, ...request, '-keyout', `${name}.key`, '-out', `${name}.csr`)
    const signed = ['-CA', 'authority.crt', '-CAkey', 'authority.key', '-copy_extensions', 'copy']
    openssl('x509', '-req', '-in', `${name}.csr`, ...signed, '-days', `${days}`, '-out', `${name}.crt`)
    const { uid, gid } = ofPostgres()
    if (uid !== undefined && gid !== undefined) chownSync(file(`${name}.key`), uid, gid)
  }

  let database: Awaited<ReturnType<typeof teamDatabase>>
  /** From the next connection on. */
  const serve = async (name: string) => {
    for (const setting of [
      `ssl_cert_file = '${file(`${name}.crt`)}'`,
      `ssl_key_file = '${file(`${name}.key`)}'`,
      `ssl_ca_file = '${file('authority.crt')}'`,
      'ssl = on',
    ])
      await database.sql(`ALTER SYSTEM SET ${setting}`)
    await reload(file(`${name}.crt`))
  }
  const reload = async (certificateFile: string) => {
    await database.sql('SELECT pg_reload_conf()')
    const served = async () => (await database.sql('SHOW ssl_cert_file'))[0]?.['ssl_cert_file']
    while ((await served()) !== certificateFile) await new Promise((resolve) => setTimeout(resolve, 10))
  }

  beforeAll(async () => {
    chmodSync(folder, 0o755)
    authority('authority')
    authority('stranger')
    certificate('server')
    certificate('expired', { days: -1 })
    certificate('member', { subject: 'certified' })
    database = await teamDatabase()
    await database.sql('CREATE ROLE certified LOGIN IN ROLE pay_writer')
    const [hba] = await database.sql('SHOW hba_file')
    // The first line that fits decides; others are let in as before.
    const rules = ['local all all trust', 'hostssl all certified all cert', 'host all all all trust']
    writeFileSync(String(hba?.['hba_file']), `${rules.join('\n')}\n`)
    await serve('server')
  })
  beforeEach(() => database.sql('TRUNCATE writes'))
  afterAll(async () => {
    await database.sql('ALTER SYSTEM RESET ALL')
    await reload('server.crt')
    await database.sql('DROP OWNED BY certified; DROP ROLE certified')
    rmSync(folder, { recursive: true })
  })

  async function refund(files: string, host = '127.0.0.1', user = 'owner') {
    const bench = createBench()
    const url = new URL(database.url)
    const r = await bench.runPay('payment refund p1 --amount 500 --yes --again --json', {
      service: answers,
      env: teamEnv(
        `postgres://${user}@${host}:${url.port}/${database.name}?sslmode=verify-full${files}`,
        bench,
      ),
    })
    bench.dispose()
    return { ...r, sent: r.requests.filter(({ method }) => method !== 'GET').length }
  }
  const root = `&sslrootcert=${file('authority.crt')}`
  const own = `&sslcert=${file('member.crt')}&sslkey=${file('member.key')}`

  test('is used if its certificate is right', async () => {
    expect(await refund(root)).toMatchObject({ exitCode: 0, sent: 1 })
  })

  test.each([
    { what: 'another host', host: 'localhost', files: root, words: 'does not match' },
    { what: 'an unknown authority', files: `&sslrootcert=${file('stranger.crt')}`, words: 'self-signed' },
    { what: 'no authority named', files: '', words: 'self-signed' },
  ])('nothing is sent: its certificate is of $what', async ({ host, files, words }) => {
    const r = await refund(files, host)
    expect(r, r.stderr).toMatchObject({ exitCode: 9, sent: 0 })
    expect(r.stderr).toContain('ledger_unreachable')
    expect(r.stderr).toContain(words)
  })

  test('nothing is sent: its certificate has expired', async () => {
    await serve('expired')
    const r = await refund(root)
    expect(r, r.stderr).toMatchObject({ exitCode: 9, sent: 0 })
    expect(r.stderr).toContain('certificate has expired')
    await serve('server')
  })

  test("a member's own certificate takes the place of a password", async () => {
    expect(await refund(root + own, '127.0.0.1', 'certified')).toMatchObject({ exitCode: 0, sent: 1 })
    const without = await refund(root, '127.0.0.1', 'certified')
    expect(without, without.stderr).toMatchObject({ exitCode: 4, sent: 0 })
    expect(without.stderr).toContain('ledger_refused')
  })
})
