import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TeamStore } from '../../../../src/client/ledger/team/store.ts'
import { createBench, jsonAnswer } from '../../../support/run-pay.ts'
import { AGAIN, ONCE, REFUND, UNKNOWN, benchesOn, createLedgerBench, refundOf } from '../ledger-bench.ts'
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

    /** Leaves temporary tables and a search path in every connection of the pooler, as another of its users may. */
    async function spoilSessions() {
      const { default: Client } = await import('pg/lib/client.js')
      const clients = await Promise.all(
        [1, 2].map(async () => {
          const client = new Client({ connectionString: url, password: 'right' })
          await client.connect()
          // Until both have one, none gives its connection back.
          await client.query('BEGIN')
          return client
        }),
      )
      for (const client of clients) {
        for (const table of ['ledger', 'accounts', 'members', 'writes'])
          await client.query(`CREATE TEMP TABLE IF NOT EXISTS ${table} (LIKE public.${table} INCLUDING ALL)`)
        for (const table of ['ledger', 'accounts'])
          await client.query(
            `INSERT INTO pg_temp.${table} SELECT * FROM public.${table} ON CONFLICT DO NOTHING`,
          )
        await client.query('SET SESSION search_path TO pg_temp, decoy, public')
      }
      for (const client of clients) await client.query('COMMIT')
      await Promise.all(clients.map((client) => client.end()))
    }

    test.each([2, 8])('left-over tables and search paths take no record: %i clients', async (clients) => {
      await database.sql('CREATE SCHEMA IF NOT EXISTS decoy')
      for (const table of ['ledger', 'accounts', 'members', 'writes'])
        await database.sql(`CREATE TABLE IF NOT EXISTS decoy.${table} (LIKE public.${table} INCLUDING ALL)`)
      await spoilSessions()
      for (const schema of ['public', undefined]) {
        await database.sql('TRUNCATE public.writes')
        const bench = createLedgerBench({ idsAfter: schema === undefined ? 1000 : 2000 })
        const begun = await Promise.allSettled(
          Array.from({ length: clients }, (_, n) => {
            const store = storeAt(url, { account: 'acme', schema })
            stores.push(store)
            const at = clocked(store, () => bench.clock.now)
            return bench.process({ store: at }).ledger.begin(refundOf(`p${n % (clients / 2)}`), AGAIN)
          }),
        )
        expect(begun.filter(({ status }) => status === 'fulfilled')).toHaveLength(clients / 2)
        expect(await database.sql('SELECT id FROM public.writes')).toHaveLength(clients / 2)
        expect(await database.sql('SELECT id FROM decoy.writes')).toEqual([])
      }
      const store = storeAt(url, { account: 'acme' })
      stores.push(store)
      // The sessions are still the spoiled ones.
      expect(
        await store.reading((tx) => tx.all("SELECT to_regclass('pg_temp.writes') IS NOT NULL AS there")),
      ).toEqual([{ there: true }])
      expect(await store.reading((tx) => tx.all('SELECT id FROM pg_temp.writes'))).toEqual([])
    })

    test('a member who edits a row by SQL frees no target', async () => {
      const bench = createLedgerBench({ idsAfter: 3000 })
      const open = await bench.process().ledger.begin(REFUND, ONCE)
      await open.settle(UNKNOWN)
      await database.sql("SET ROLE pay_writer; UPDATE public.writes SET state = 'rejected'")
      await expect(bench.process().ledger.begin(REFUND, AGAIN)).rejects.toMatchObject({
        code: 'ledger_damaged',
        exitCode: 6,
      })
    })

    // A module of its own, which registers its tests here.
    for (const suite of SUITES) await import(`../${suite}.test.ts?through-pooler`)
  },
)
