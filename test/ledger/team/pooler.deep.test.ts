import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TeamStore } from '../../../src/ledger/team/store.ts'
import { createBench, jsonAnswer } from '../../support/run-pay.ts'
import { benchesOn } from '../ledger-bench.ts'
import { clocked } from './clocked.ts'
import { freePort, hasPostgres, ofPostgres, postgres, storeAt, teamDatabase } from './postgres.ts'

/** A pooler in transaction mode gives each transaction another connection: all tests of the ledger, and its commands, through a real one. */

const PGBOUNCER = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find(
  (path) => spawnSync(path, ['--version']).status === 0,
)
if (PGBOUNCER === undefined)
  process.stderr.write('SKIPPED: the ledger through PgBouncer, which is not installed.\n')

const SUITES = ['ledger', 'repeats', 'overtaken', 'settle', 'reopen']
const PAYMENT = { id: 'p1', status: 'SETTLED', amount: 1000, currencyCode: 'EUR', amountCaptured: 1000 }

/** Asks for a password, and shares two connections. Returns its port. */
async function startPooler(folder: string): Promise<number> {
  const port = await freePort()
  const users = join(folder, 'users')
  writeFileSync(users, '"owner" "right"\n')
  const settings = join(folder, 'pgbouncer.ini')
  writeFileSync(
    settings,
    `[databases]
* = host=127.0.0.1 port=${(await postgres()).port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = transaction
default_pool_size = 2
`,
  )
  chmodSync(folder, 0o755)
  // Ends with this worker, whose end closes its stdin.
  const child = spawn('sh', ['-c', '"$0" -q "$1" & read _; kill $!', PGBOUNCER ?? '', settings], {
    ...ofPostgres(),
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  afterAll(() => child.stdin.end())
  return port
}

describe.skipIf(!hasPostgres || PGBOUNCER === undefined)(
  'through PgBouncer in transaction mode',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pay-pooler-'))
    let database: Awaited<ReturnType<typeof teamDatabase>>
    let url = ''
    const stores: TeamStore[] = []
    beforeAll(async () => {
      process.env['PGPASSWORD'] = 'right'
      const port = await startPooler(folder)
      database = await teamDatabase()
      url = database.url.replace(`:${(await postgres()).port}/`, `:${port}/`)
      benchesOn((now) => {
        const store = storeAt(url, { account: 'acme' })
        stores.push(store)
        return clocked(store, now)
      })
    })
    beforeEach(() => database.sql('TRUNCATE writes'))
    afterEach(() => {
      for (const store of stores.splice(0)) store.close()
    })
    afterAll(() => {
      benchesOn(undefined)
      delete process.env['PGPASSWORD']
      rmSync(folder, { recursive: true })
    })

    test('the commands work: set up, join, two refunds at once, status, doctor', async () => {
      const bench = createBench()
      const env = {
        PAY_BASE_URL: 'https://api.example.com',
        PAY_API_KEY: 'key-a',
        PAY_LEDGER: url,
        PAY_LEDGER_ACCOUNT: 'acme',
        PGPASSWORD: 'right',
        HOME: bench.folder,
      }
      const pay = (line: string, more = {}) =>
        bench.runPay(line, { service: () => jsonAnswer(200, PAYMENT), env: { ...env, ...more } })
      expect(await pay('ledger init')).toMatchObject({ exitCode: 0 })
      expect(await pay('ledger join acme')).toMatchObject({ exitCode: 0 })
      const refund = 'payment refund p1 --amount 500 --yes --json'
      const both = await Promise.all([pay(refund), pay(refund)])
      expect(new Set(both.map(({ exitCode }) => exitCode))).toEqual(new Set([0, 6]))
      expect(JSON.parse((await pay('ledger status --json')).stdout)).toMatchObject({
        account: 'acme',
        open: [],
      })
      expect((await pay('doctor')).stdout).toContain('PostgreSQL')
      expect(await pay('ops list --json', { PGPASSWORD: 'wrong' })).toMatchObject({
        exitCode: 4,
        stderr: expect.stringContaining('ledger_refused'),
      })
      bench.dispose()
    })

    // A module of its own, which registers its tests here.
    for (const suite of SUITES) await import(`../${suite}.test.ts?through-pooler`)
  },
)
