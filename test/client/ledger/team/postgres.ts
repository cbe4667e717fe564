import { execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { connectionTo, parseLedgerUrl } from '../../../../src/client/config/ledger-choice.ts'
import { teamStore } from '../../../../src/client/ledger/team/store.ts'
import type { TeamStore, TeamStoreOptions } from '../../../../src/client/ledger/team/store.ts'
import { makeTables } from '../../../../src/client/ledger/team/set-up.ts'

/**
 * A real PostgreSQL for tests: the one at PAY_TEST_POSTGRES, a URL of a user who may create databases and roles, or one of our
 * own, from Debian's binaries, in a temporary folder.
 */

const BINARIES = ['15', '16', '17', '18'].map((version) => `/usr/lib/postgresql/${version}/bin`)
const FOUND = BINARIES.find((folder) => existsSync(join(folder, 'initdb')))
const GIVEN = process.env['PAY_TEST_POSTGRES']

/** Without one, tests that need it are skipped; `.ci/run` installs it. */
export const hasPostgres = GIVEN !== undefined || FOUND !== undefined
/** One whose settings a test may change. */
export const hasOwnPostgres = GIVEN === undefined && FOUND !== undefined

export interface Server {
  /** Of its owner, for a database. */
  readonly urlOf: (database: string, user?: string) => string
  readonly port: number
  /** Ends all processes of the server at once, as a crash does, and starts it again. */
  readonly crash: () => Promise<void>
}

let server: Promise<Server> | undefined
export const postgres = (): Promise<Server> => (server ??= start())

async function start(): Promise<Server> {
  if (GIVEN !== undefined) {
    const given = new URL(GIVEN)
    const urlOf = (database: string, user = given.username) =>
      `postgres://${user}@${given.host}/${database}${given.search}`
    const crash = () => Promise.reject(new Error('only a server of our own can be killed'))
    return { urlOf, port: Number(given.port || 5432), crash }
  }
  const folder = mkdtempSync(join(tmpdir(), 'pay-postgres-'))
  const ids = ofPostgres()
  if (ids.uid !== undefined && ids.gid !== undefined) chownSync(folder, ids.uid, ids.gid)
  const run = (program: string, args: readonly string[]) =>
    execFileSync(join(FOUND ?? '', program), args, { ...ids, cwd: folder, stdio: 'pipe' })
  const data = join(folder, 'data')
  run('initdb', ['-D', data, '-U', 'owner', '-A', 'trust', '--no-sync'])
  const port = await freePort()
  const options = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c max_connections=300 -c fsync=off`
  const control = (command: string) =>
    run('pg_ctl', ['-D', data, '-o', options, '-l', join(folder, 'log'), '-w', '-m', 'immediate', command])
  control('start')
  // Outlives a worker that is ended without notice: its stdin ends with the worker.
  const keeper = spawn(
    'sh',
    ['-c', `read _; "$0" -D "$1" -m immediate stop; rm -rf "$2"`, join(FOUND ?? '', 'pg_ctl'), data, folder],
    { ...ids, cwd: '/', detached: true, stdio: ['pipe', 'ignore', 'ignore'] },
  )
  keeper.unref()
  return {
    port,
    urlOf: (database, user = 'owner') => `postgres://${user}@127.0.0.1:${port}/${database}?sslmode=disable`,
    crash: () =>
      new Promise((resolve, reject) => {
        const child = spawn(
          join(FOUND ?? '', 'pg_ctl'),
          ['-D', data, '-o', options, '-l', join(folder, 'log'), '-w', '-m', 'immediate', 'restart'],
          { ...ids, cwd: folder, stdio: 'ignore' },
        )
        child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`pg_ctl: ${code}`))))
      }),
  }
}

/** PostgreSQL refuses to run as root. */
export const ofPostgres = (): { readonly uid?: number; readonly gid?: number } =>
  process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {}

export const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })

const idOf = (what: '-u' | '-g'): number =>
  Number(execFileSync('id', [what, 'postgres'], { encoding: 'utf8' }))

/** A store as the program has it. */
export function storeAt(url: string, options: Partial<TeamStoreOptions> = {}): TeamStore {
  const address = parseLedgerUrl(url)
  if ('problem' in address) throw new Error(address.problem)
  return teamStore({
    url,
    address: connectionTo(address, {
      env: process.env,
      platform: 'linux',
      home: undefined,
      user: () => 'owner',
    }),
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    ...options,
  })
}

let databases = 0

/** A new database with the tables of a ledger, and with the account `acme`; without tables if so asked. */
export async function teamDatabase({ isEmpty = false } = {}): Promise<{
  readonly name: string
  readonly url: string
  readonly sql: (statement: string) => Promise<readonly Readonly<Record<string, unknown>>[]>
}> {
  const { urlOf } = await postgres()
  databases += 1
  const name = `ledger_${process.pid}_${databases}`
  // Outside of a transaction, in which no database can be created.
  const { default: Client } = await import('pg/lib/client.js')
  const run = async (database: string, statement: string) => {
    const client = new Client({ connectionString: urlOf(database) })
    await client.connect()
    try {
      return (await client.query<Readonly<Record<string, unknown>>>(statement)).rows
    } finally {
      await client.end()
    }
  }
  await run('postgres', `CREATE DATABASE ${name}`)
  const url = urlOf(name)
  const sql = (statement: string) => run(name, statement)
  if (isEmpty) return { name, url, sql }
  const store = storeAt(url, { hasTables: false })
  await makeTables(store, { newId: () => `ledger-${databases}`, mayUpgrade: false })
  store.close()
  await sql("INSERT INTO accounts VALUES ('acme', 0, 'test')")
  return { name, url, sql }
}
