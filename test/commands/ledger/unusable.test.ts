import { beforeAll, describe, expect, test } from 'vitest'
import { hasPostgres, postgres, teamDatabase } from '../../client/ledger/team/postgres.ts'
import { useTeam } from './team-machine.ts'

describe.skipIf(!hasPostgres)('without its database', () => {
  const team = useTeam()
  const { machine, sql } = team
  beforeAll(() =>
    sql('DO $$ BEGIN CREATE ROLE stranger LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$'),
  )

  const cases: readonly (readonly [string, number, string, () => Promise<string> | string])[] = [
    ['unreachable', 9, 'ledger_unreachable', () => 'postgres://a@127.0.0.1:1/x?sslmode=disable'],
    ['a missing database', 9, 'ledger_unreachable', async () => (await postgres()).urlOf('none')],
    ['no grants', 4, 'ledger_refused', async () => (await postgres()).urlOf(team.name, 'stranger')],
    ['no TLS at the server', 9, 'ledger_unreachable', () => team.url.replace('?sslmode=disable', '')],
    ['no tables', 2, 'ledger_schema', async () => (await teamDatabase({ isEmpty: true })).url],
    ['an unknown account', 2, 'ledger_not_joined', () => 'nobody'],
    ['no account', 2, 'ledger_not_joined', () => ''],
    ['a password in its URL', 2, 'bad_ledger_url', () => 'postgres://a:secret@h/x'],
    ['another sslmode', 2, 'bad_ledger_url', () => 'postgres://a@h/x?sslmode=require'],
    ['no TLS over a network', 2, 'bad_ledger_url', () => 'postgres://a@h/x?sslmode=disable'],
  ]
  test.each(cases)('nothing is sent: %s', async (_, exitCode, code, value) => {
    const name = code === 'ledger_not_joined' ? 'PAY_LEDGER_ACCOUNT' : 'PAY_LEDGER'
    const env = { [name]: await value() }
    const r = await machine('key-a').pay('payment refund p1 --amount 500 --yes --json', { env })
    expect(r).toMatchObject({ exitCode, stderr: expect.stringContaining(`"${code}"`) })
    expect(r.requests.filter(({ method }) => method !== 'GET')).toEqual([])
    expect(r.stdout + r.stderr).not.toContain('secret')
  })

  test('without a profile, the account is named in the environment', async () => {
    const env = { PAY_LEDGER_ACCOUNT: '' }
    const r = await machine('key-a').pay('payment refund p1 --amount 500 --yes --json', { env })
    expect(r.stderr).toContain('Set PAY_LEDGER_ACCOUNT')
    expect(r.stderr).not.toContain('This profile')
  })

  test('ledger init is for the owner of the database', async () => {
    const { urlOf } = await postgres()
    const env = { PAY_LEDGER: urlOf((await teamDatabase({ isEmpty: true })).name, 'stranger') }
    const r = await machine('key-a').pay('ledger init --json', { env })
    expect(r).toMatchObject({ exitCode: 4, stderr: expect.stringContaining('"ledger_refused"') })
    expect(r.stderr).toContain("as the database's owner")
  })

  test('nothing is sent: a read-only database', async () => {
    const other = await teamDatabase()
    await other.sql(`ALTER DATABASE ${other.name} SET default_transaction_read_only = on`)
    const r = await machine('key-a').pay('payment refund p1 --amount 500 --yes --json', {
      env: { PAY_LEDGER: other.url },
    })
    expect(r).toMatchObject({ exitCode: 9, stderr: expect.stringContaining('ledger_unreachable') })
    expect(r.stderr).toContain('Name the primary in its URL.')
    const doctor = await machine('key-a').pay('doctor --json', { env: { PAY_LEDGER: other.url } })
    expect(doctor.stdout).toContain('it is a standby, or read-only')
    expect(doctor.stdout).not.toContain('pay doctor')
  })

  test('nothing is sent: all connections are in use', async () => {
    await sql(
      'DO $$ BEGIN CREATE ROLE crowd LOGIN CONNECTION LIMIT 0; EXCEPTION WHEN duplicate_object THEN NULL; END $$',
    )
    const env = { PAY_LEDGER: (await postgres()).urlOf(team.name, 'crowd') }
    const r = await machine('key-a').pay('payment refund p1 --amount 500 --yes --json', { env })
    expect(r.exitCode).toBe(9)
    expect(JSON.parse(r.stderr)).toMatchObject({
      error: {
        code: 'ledger_unreachable',
        retryable: true,
        hint: expect.stringContaining('raise max_connections'),
      },
    })
    expect(r.requests.filter(({ method }) => method !== 'GET')).toEqual([])
  })

  test.each([
    'payment get p1',
    'payment refund p1 --amount 500 --dry-run',
    'payment refund p1 --amount 500 --curl',
    'payment explain p1',
    'whoami',
  ])('%s does not ask it', async (line) => {
    const { pay } = machine('key-a')
    expect(
      (await pay(line, { env: { PAY_LEDGER: 'postgres://a@127.0.0.1:1/x?sslmode=disable' } })).exitCode,
    ).toBe(0)
  })

  test('a payment is explained without it, with where its writes are', async () => {
    const { pay } = machine('key-a')
    const env = { PAY_LEDGER: 'postgres://a@127.0.0.1:1/x?sslmode=disable' }
    const { stdout, stderr } = await pay('payment explain p1', { env })
    expect(stdout).toContain('It may have open writes: pay ops list --target p1')
    expect(stderr).toBe('')
    expect(JSON.parse((await pay('payment explain p1 --json', { env })).stdout)).toMatchObject({
      ledger: null,
    })
  })

  test.each(['ops list', 'ops resolve --all', 'ledger status'])('%s fails: exit 9', async (line) => {
    const { pay } = machine('key-a')
    expect(
      await pay(line, { env: { PAY_LEDGER: 'postgres://a@127.0.0.1:1/x?sslmode=disable' } }),
    ).toMatchObject({ exitCode: 9 })
  })
})
