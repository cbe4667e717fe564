import { newFolder } from '../../support/folder.ts'
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hasOwnPostgres, hasPostgres, postgres, teamDatabase } from '../../client/ledger/team/postgres.ts'
import { createBench, jsonAnswer } from '../../support/run-pay.ts'
import type { RunOptions } from '../../support/run-pay.ts'
import { PAYMENT, answers, lost, teamEnv, useTeam } from './team-machine.ts'
import { TEAM_VERSION } from '../../../src/client/ledger/tables.ts'
import { parseLedgerUrl, connectionTo } from '../../../src/client/config/ledger-choice.ts'

describe.skipIf(!hasPostgres)("a team's ledger", () => {
  const { machine, sql } = useTeam()
  beforeEach(() => sql('TRUNCATE writes'))

  test('blocks a write on every machine, and names whose it is', async () => {
    const first = await machine('key-a').pay('payment refund p1 --amount 500 --yes --max-retries 0', {
      service: lost,
    })
    expect(first.exitCode).toBe(10)
    const second = await machine('key-b').pay('payment refund p1 --amount 500 --yes --again')
    expect(second).toMatchObject({ exitCode: 6, stderr: expect.stringContaining('by tester@test-machine') })
    expect(second.requests.filter(({ method }) => method !== 'GET')).toEqual([])
  })

  test('knows equal writes and tickets of the whole team', async () => {
    const { pay } = machine('key-a')
    expect((await pay('payment refund p1 --amount 500 --yes')).exitCode).toBe(0)
    expect(
      (
        await pay('payment refund p2 --amount 500 --yes --once T-1', {
          service: ({ method }) => (method === 'GET' ? jsonAnswer(200, { id: 'p2' }) : answers()),
        })
      ).exitCode,
    ).toBe(10)
    const other = machine('key-b')
    const repeated = await other.pay('payment refund p1 --amount 500 --yes --json')
    expect(repeated).toMatchObject({ exitCode: 6, stderr: expect.stringContaining('"duplicate"') })
    expect((await other.pay('payment refund p1 --amount 500 --yes --again')).exitCode).toBe(0)
  })

  test('lets a colleague with another key resolve by reading only, once the lease is given up', async () => {
    await machine('key-a').pay('payment refund p1 --amount 500 --yes --max-retries 0', { service: lost })
    const colleague = machine('key-b')
    const resolved = await colleague.pay('ops resolve --all --yes')
    expect(resolved.requests.every(({ method }) => method === 'GET')).toBe(true)
    expect(resolved.stderr + resolved.stdout).toContain('another API key')
  })

  test("keeps a colleague's write from being resolved or abandoned before its lease has passed", async () => {
    const colleague = machine('key-a')
    const tries: number[] = []
    const sent = await machine('key-a').pay('payment refund p1 --amount 500 --yes', {
      service: async ({ method }) => {
        if (method === 'GET') return answers()
        const [{ operationId }] = JSON.parse(
          (await colleague.pay('ledger status --query open --json')).stdout,
        )
        tries.push((await colleague.pay(`ops abandon ${operationId} --yes`)).exitCode)
        tries.push((await colleague.pay(`ops resolve ${operationId} --yes`)).exitCode)
        tries.push((await colleague.pay('ops resolve --all --yes')).exitCode)
        return answers()
      },
    })
    expect([sent.exitCode, ...tries]).toEqual([0, 6, 6, 10])
  })

  test('lists what the team did, or what is mine', async () => {
    await machine('key-a').pay('payment refund p1 --amount 500 --yes')
    await sql(`INSERT INTO accounts VALUES ('other', 0, 'x') ON CONFLICT DO NOTHING`)
    const { pay } = machine('key-b')
    const [record] = JSON.parse((await pay('ops list --json')).stdout)
    expect(record).toMatchObject({
      account: 'acme',
      owner: 'tester@test-machine',
      leaseUntil: null,
      state: 'confirmed',
    })
    expect(JSON.parse((await pay('ops list --mine --json')).stdout)).toHaveLength(1)
    expect(
      JSON.parse((await pay('ops list --json', { env: { PAY_LEDGER_ACCOUNT: 'other' } })).stdout),
    ).toEqual([])
  })

  test('is compared with the payments, whoever wrote', async () => {
    await machine('key-a').pay('payment refund p1 --amount 500 --yes')
    const verified = await machine('key-b').pay('ops verify --json')
    expect(JSON.parse(verified.stdout)).toMatchObject({ checked: 1, rows: [{ verdict: 'missing' }] })
  })

  test('is set up once, and again without harm', async () => {
    const { pay } = machine('key-a')
    const again = await pay('ledger init --json')
    expect(JSON.parse(again.stdout)).toMatchObject({
      isNew: false,
      version: TEAM_VERSION,
      grants: [expect.stringMatching(/^GRANT pay_writer TO/), expect.any(String)],
    })
    await sql('UPDATE ledger SET version = 1')
    expect(await pay('ledger init')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('ledger init --upgrade'),
    })
    expect(await pay('payment refund p1 --amount 500 --yes')).toMatchObject({ exitCode: 2 })
    expect((await pay('ledger init --upgrade')).exitCode).toBe(0)
    await sql('UPDATE ledger SET version = 4')
    expect(await pay('ledger init --upgrade')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('Update pay'),
    })
    await sql('UPDATE ledger SET version = 2')
  })
})

describe.skipIf(!hasPostgres)('joining', () => {
  const team = useTeam()
  const { sql } = team

  /** A machine with a profile, and nothing in the environment. */
  async function profiled(key: string) {
    const bench = team.newBench()
    await bench.runPay('profile add shop --base-url https://api.example.com --test --api-key-stdin', {
      stdin: key,
    })
    const pay = (line: string | readonly string[], options: RunOptions = {}) =>
      bench.runPay(line, { service: answers, ...options, env: { HOME: bench.folder, ...options.env } })
    return { bench, pay, setLedger: () => pay(['profile', 'set', 'shop', '--ledger', team.url]) }
  }

  test('copies tickets and the last day, remembers the ledger, and asks to go back', async () => {
    const { pay, setLedger } = await profiled('key-a')
    expect(
      (
        await pay('payment refund p1 --amount 300 --yes --once T-9', {
          service: ({ method }) => jsonAnswer(200, method === 'GET' ? PAYMENT : { ...PAYMENT, id: 'p1' }),
        })
      ).exitCode,
    ).toBe(0)
    expect((await setLedger()).exitCode).toBe(0)
    expect(await pay('payment refund p1 --amount 200 --yes')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('pay ledger join'),
    })
    expect((await pay('ledger join shop-eu')).exitCode).toBe(5)
    const joined = await pay('ledger join shop-eu --create --json')
    expect(JSON.parse(joined.stdout)).toMatchObject({ account: 'shop-eu', copied: 1 })
    const colleague = await profiled('key-b')
    await colleague.setLedger()
    await colleague.pay('ledger join shop-eu')
    expect(await colleague.pay('payment refund p1 --amount 300 --yes --once T-9')).toMatchObject({
      exitCode: 6,
      stderr: expect.stringContaining('Already done for this ticket'),
    })
    expect((await pay('ledger join another --create')).exitCode).toBe(6)
    await sql("UPDATE ledger SET id = 'moved'")
    expect(await pay('payment refund p1 --amount 200 --yes --json')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(
        /This is not the ledger that this profile has joined: another database is behind its URL.*ledger_other|ledger_other.*This is not the ledger that this profile has joined: another database is behind its URL/,
      ),
    })
    expect((await pay('profile set shop --ledger local')).exitCode).toBe(2)
    await sql("UPDATE ledger SET id = 'back'")
  })

  test('is refused while this machine has open writes, and so is PAY_LEDGER', async () => {
    const { pay, setLedger } = await profiled('key-c')
    expect(
      (await pay('payment refund p3 --amount 300 --yes --max-retries 0', { service: lost })).exitCode,
    ).toBe(10)
    expect(await setLedger()).toMatchObject({
      exitCode: 6,
      stderr: expect.stringContaining('pay ops resolve'),
    })
    const elsewhere = { PAY_LEDGER: team.url, PAY_LEDGER_ACCOUNT: 'acme' }
    const r = await pay('payment refund p4 --amount 300 --yes', { env: elsewhere })
    expect(r).toMatchObject({ exitCode: 6 })
    expect(r.requests.filter(({ method }) => method !== 'GET')).toEqual([])
  })

  test('fixes the schema: a later one of the same ledger that comes first on the path takes nothing', async () => {
    const { bench, pay, setLedger } = await profiled('key-f')
    const stored = () => readFileSync(join(bench.configFolder, 'config.json'), 'utf8')
    await setLedger()
    expect((await pay('ledger join schemed --create')).exitCode).toBe(0)
    await sql('CREATE SCHEMA owner')
    for (const table of ['ledger', 'accounts', 'members', 'writes']) {
      await sql(`CREATE TABLE owner.${table} (LIKE public.${table} INCLUDING ALL)`)
      if (table !== 'writes') await sql(`INSERT INTO owner.${table} SELECT * FROM public.${table}`)
    }
    expect((await pay('payment refund p1 --amount 111 --yes')).exitCode).toBe(0)
    expect(await sql('SELECT id FROM owner.writes')).toEqual([])
    expect((await pay('profile show shop --json')).stdout).not.toContain('ledgerSchema')
    expect(stored()).toMatch(/"ledgerSchema":\s*"public"/)
    await sql('DROP SCHEMA owner CASCADE')
    await pay(['profile', 'set', 'shop', '--ledger', `${team.url}&sslrootcert=x`])
    expect(stored()).not.toContain('ledgerSchema')
  })

  test('may be required: nothing is sent without it', async () => {
    const { pay } = await profiled('key-d')
    await pay('profile set shop --ledger required')
    const r = await pay('payment refund p1 --amount 300 --yes')
    expect(r).toMatchObject({ exitCode: 12 })
    expect(r.requests.filter(({ method }) => method !== 'GET')).toEqual([])
    expect(
      (
        await pay('payment refund p1 --amount 300 --yes', {
          env: { PAY_LEDGER: team.url, PAY_LEDGER_ACCOUNT: 'acme' },
        })
      ).exitCode,
    ).toBe(0)
  })

  test('shows in whoami', async () => {
    const { pay, setLedger } = await profiled('key-e')
    expect((await pay('whoami')).stdout).toContain('this machine only')
    await setLedger()
    expect((await pay('whoami')).stdout).toContain(team.url)
  })
})

describe.skipIf(!hasPostgres)("a member of a team's ledger, with SQL", () => {
  const team = useTeam()
  const { machine, sql } = team
  beforeEach(() => sql('TRUNCATE writes'))

  test('who changes a row of an open write frees no target, and all commands that look say so', async () => {
    const { pay } = machine('key-a')
    const refund = 'payment refund p1 --amount 500 --yes --max-retries 0'
    expect((await pay(refund, { service: lost })).exitCode).toBe(10)
    await sql("SET ROLE pay_writer; UPDATE writes SET state = 'rejected'")
    const again = await machine('key-b').pay(`${refund} --again --json`)
    expect(again).toMatchObject({ exitCode: 6, stderr: expect.stringContaining('"ledger_damaged"') })
    expect(again.requests.filter(({ method }) => method !== 'GET')).toEqual([])
    for (const line of ['ops list', 'ops list --state in-doubt'])
      expect((await pay(line)).stderr).toMatch(/record \S+ is damaged/)
    expect(await pay('ops resolve --all --yes')).toMatchObject({ exitCode: 6 })
    expect((await pay('doctor')).stdout).toContain('is damaged')
  })

  test('who may do more than a member needs is warned of by doctor', async () => {
    const { urlOf } = await postgres()
    const user = `more_${process.pid}`
    await sql(`CREATE ROLE ${user} LOGIN IN ROLE pay_writer`)
    const env = { PAY_LEDGER: urlOf(team.name, user) }
    const doctor = async () => (await machine('key-a').pay('doctor', { env })).stdout
    expect(await doctor()).not.toContain('more than a member needs')
    for (const right of [
      'DELETE ON writes',
      'UPDATE (target) ON writes',
      'UPDATE ON ledger',
      'DELETE ON members',
    ]) {
      await sql(`GRANT ${right} TO ${user}`)
      expect(await doctor(), right).toContain('more than a member needs')
      await sql(`REVOKE ${right} FROM ${user}`)
    }
    await sql(`DROP ROLE ${user}`)
  })

  test('who drops an index is named by doctor, with what mends it', async () => {
    await sql('DROP INDEX open_target')
    const { pay } = machine('key-a')
    const { stdout } = await pay('doctor')
    expect(stdout).toContain('the index open_target is missing')
    expect(stdout).toContain('pay ledger init --upgrade')
    expect((await pay('ops list')).exitCode).toBe(0)
    const refund = await pay('payment refund p1 --amount 500 --yes --json')
    expect(refund).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('"ledger_schema"') })
    expect(refund.requests.filter(({ method }) => method !== 'GET')).toEqual([])
    expect((await pay('ledger init --upgrade')).exitCode).toBe(0)
    expect((await pay('payment refund p1 --amount 500 --yes')).exitCode).toBe(0)
  })

  test('removes no row, and changes none that has ended', async () => {
    await machine('key-a').pay('payment refund p1 --amount 500 --yes')
    await expect(sql("UPDATE writes SET state = 'rejected'")).rejects.toThrow('never changes')
    await expect(sql('DELETE FROM writes')).rejects.toThrow('none is removed')
    await expect(sql('SET ROLE pay_writer; DELETE FROM writes')).rejects.toThrow('permission denied')
    await expect(sql('SET ROLE pay_writer; UPDATE writes SET target = NULL')).rejects.toThrow(
      'permission denied',
    )
    await expect(sql("SET ROLE pay_reader; INSERT INTO accounts VALUES ('x', 0, 'x')")).rejects.toThrow(
      'permission denied',
    )
  })
})

test.each([
  ['postgres://a@/x?host=/run/postgresql&port=5433', { host: '/run/postgresql', port: 5433 }],
  ['postgres://a@/x?host=/run/postgresql', { host: '/run/postgresql', port: 5432 }],
  ['postgres://a@db.example.com/x?port=5433', { host: 'db.example.com', port: 5433 }],
  ['postgres://a@h/x?sslmode=verify-full&sslmode=disable', { problem: 'has sslmode twice' }],
  ['postgres://a@/x?host=/a&host=/b', { problem: 'has host twice' }],
  ['postgres://a@h:5432/x?port=5433', { problem: 'has port twice' }],
  ['postgres://a@h/x?port=many', { problem: 'must have a port from 1 to 65535' }],
])('the URL of a ledger: %s', (url, parsed) => {
  expect(parseLedgerUrl(url)).toMatchObject(parsed)
})

describe('the password of a ledger', () => {
  function passwordFor(env: Readonly<Record<string, string>>, lines: string | undefined) {
    const folder = newFolder()
    const path = join(folder, '.pgpass')
    if (lines !== undefined) {
      writeFileSync(path, lines)
      chmodSync(path, 0o600)
    }
    const address = parseLedgerUrl('postgres://ana@db.example.com/x')
    if ('problem' in address) throw new Error(address.problem)
    return connectionTo(address, { env, platform: 'linux', home: folder, user: () => 'ana' }).password()
  }

  test('that is empty in PGPASSWORD counts as unset', async () => {
    expect(await passwordFor({ PGPASSWORD: '' }, 'db.example.com:5432:x:ana:right\n')).toBe('right')
    expect(await passwordFor({ PGPASSWORD: 'given' }, 'db.example.com:5432:x:ana:right\n')).toBe('given')
  })

  test.each([undefined, '', '*:*:*:bob:right\n', '*:*:*:ana:\n'])(
    'is asked for where it may be: %s',
    async (lines) => {
      await expect(passwordFor({ PGPASSWORD: '' }, lines)).rejects.toMatchObject({
        code: 'ledger_refused',
        exitCode: 4,
        details: { hint: expect.stringMatching(/PGPASSWORD.*\.pgpass/) },
      })
    },
  )
})

test('the password of a ledger on Windows is in the folder of PostgreSQL, in a file without modes', async () => {
  const folder = newFolder()
  const address = parseLedgerUrl('postgres://ana@db.example.com/x')
  if ('problem' in address) throw new Error(address.problem)
  const onWindows = (env: Readonly<Record<string, string>>) =>
    connectionTo(address, { env, platform: 'win32', home: folder, user: () => 'ana' }).password()
  const file = join(folder, 'pgpass.conf')
  writeFileSync(file, 'db.example.com:5432:x:ana:right\n')
  chmodSync(file, 0o666)
  expect(await onWindows({ PGPASSFILE: file })).toBe('right')
  await expect(onWindows({ APPDATA: folder })).rejects.toMatchObject({
    details: { hint: expect.stringContaining(String.raw`%APPDATA%\postgresql\pgpass.conf`) },
  })
  mkdirSync(join(folder, 'postgresql'))
  renameSync(file, join(folder, 'postgresql', 'pgpass.conf'))
  expect(await onWindows({ APPDATA: folder })).toBe('right')
})

describe.skipIf(!hasOwnPostgres)('a database that asks for a password', () => {
  let database: Awaited<ReturnType<typeof teamDatabase>>
  beforeAll(async () => {
    database = await teamDatabase()
    await database.sql("CREATE ROLE asked LOGIN PASSWORD 'right' IN ROLE pay_writer")
    const [hba] = await database.sql('SHOW hba_file')
    const rules = ['host all asked all scram-sha-256', 'local all all trust', 'host all all all trust']
    writeFileSync(String(hba?.['hba_file']), `${rules.join('\n')}\n`)
    await database.sql('SELECT pg_reload_conf()')
  })
  afterAll(() => database.sql('DROP OWNED BY asked; DROP ROLE asked'))

  async function list(url: string, env: Readonly<Record<string, string>> = {}) {
    const bench = createBench()
    const r = await bench.runPay('ops list --json', { env: { ...teamEnv(url, bench), ...env } })
    bench.dispose()
    return r
  }

  test('is refused without one, in words of what to do', async () => {
    const url = (await postgres()).urlOf(database.name, 'asked')
    const refused = await list(url, { PGPASSWORD: '' })
    expect(refused, refused.stderr).toMatchObject({ exitCode: 4 })
    expect(refused.stderr).toContain('ledger_refused')
    expect(refused.stderr).toContain('PGPASSWORD')
    expect(refused.stderr).not.toContain('SASL')
    expect(await list(url, { PGPASSWORD: 'right' })).toMatchObject({ exitCode: 0 })
  })

  test('is reached by its socket, on a port of its own', async () => {
    const [socket] = await database.sql('SHOW unix_socket_directories')
    const { port } = await postgres()
    const url = `postgres://owner@/${database.name}?host=${String(socket?.['unix_socket_directories'])}&port=${port}`
    expect(await list(url)).toMatchObject({ exitCode: 0 })
  })
})
