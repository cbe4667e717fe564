import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { parseLedgerUrl } from '../../../src/client/config/ledger-choice.ts'
import { connectionTo } from '../../../src/client/config/ledger-connection.ts'
import { hasOwnPostgres, postgres, teamDatabase } from '../../client/ledger/team/postgres.ts'
import { createBench } from '../../support/run-pay.ts'
import { teamEnv } from './team-machine.ts'

describe('the URL of a ledger', () => {
  test.each([
    ['postgres://a@/x?host=/run/postgresql&port=5433', { host: '/run/postgresql', port: 5433 }],
    ['postgres://a@/x?host=/run/postgresql', { host: '/run/postgresql', port: 5432 }],
    ['postgres://a@db.example.com/x?port=5433', { host: 'db.example.com', port: 5433 }],
    ['postgres://a@h/x?sslmode=verify-full&sslmode=disable', { problem: 'has sslmode twice' }],
    ['postgres://a@/x?host=/a&host=/b', { problem: 'has host twice' }],
    ['postgres://a@h:5432/x?port=5433', { problem: 'has port twice' }],
    ['postgres://a@h/x?port=many', { problem: 'must have a port from 1 to 65535' }],
  ])('%s', (url, parsed) => {
    expect(parseLedgerUrl(url)).toMatchObject(parsed)
  })
})

describe('the password of a ledger', () => {
  function passwordFor(env: Readonly<Record<string, string>>, lines: string | undefined) {
    const folder = mkdtempSync(join(tmpdir(), 'pay-home-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const path = join(folder, '.pgpass')
    if (lines !== undefined) {
      writeFileSync(path, lines)
      chmodSync(path, 0o600)
    }
    const address = parseLedgerUrl('postgres://ana@db.example.com/x')
    if ('problem' in address) throw new Error(address.problem)
    return connectionTo(address, { env: { HOME: folder, ...env }, user: () => 'ana' }).password()
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
    const r = await bench.runPay('ops list --json', {
      env: { ...teamEnv(url, bench), ...env },
    })
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
