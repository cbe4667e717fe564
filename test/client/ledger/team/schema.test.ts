import { TEAM_VERSION } from '../../../../src/client/ledger/tables.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makeTables } from '../../../../src/client/ledger/team/set-up.ts'
import { DONE, ONCE, REFUND, refundOf } from '../ledger-bench.ts'
import { SCHEMA, closeStores, initAt, ledgerAt, ledgerWith, opened } from './machines.ts'
import { hasPostgres, teamDatabase } from './postgres.ts'

/** Where the tables of a team's ledger are, and what a member may do there. */

let database: Awaited<ReturnType<typeof teamDatabase>>

describe.skipIf(!hasPostgres)("the schema of a team's ledger", () => {
  beforeEach(async () => {
    database = await teamDatabase()
  })
  afterEach(closeStores)
  const rowsIn = async (schema: string) => (await database.sql(`SELECT id FROM ${schema}.writes`)).length
  const TABLES = ['ledger', 'accounts', 'members', 'writes']

  test('stays the one that was joined, whatever is named like the user', async () => {
    await database.sql('CREATE SCHEMA owner')
    for (const table of TABLES) {
      await database.sql(`CREATE TABLE owner.${table} (LIKE public.${table} INCLUDING ALL)`)
      if (table !== 'writes') await database.sql(`INSERT INTO owner.${table} SELECT * FROM public.${table}`)
    }
    await ledgerAt(database.url, { schema: 'public' }).begin(REFUND, ONCE)
    expect([await rowsIn('public'), await rowsIn('owner')]).toEqual([1, 0])
  })

  test('is found by its tables, in the path that the session began with', async () => {
    await database.sql('CREATE SCHEMA owner')
    await database.sql('CREATE TABLE owner.writes (LIKE public.writes INCLUDING ALL)')
    await ledgerAt(database.url).begin(REFUND, ONCE)
    expect([await rowsIn('public'), await rowsIn('owner')]).toEqual([1, 0])
  })

  test.each(['public', undefined])("is never a session's temporary one: joined in %s", async (schema) => {
    const store = opened(database.url, { account: 'acme', schema })
    // One connection, as a pooler gives it on: each transaction ends before the next begins.
    await store.transaction(async (tx) => {
      for (const table of TABLES)
        await tx.run(`CREATE TEMP TABLE ${table} (LIKE public.${table} INCLUDING ALL)`)
      await tx.run('SET SESSION search_path TO pg_temp, public')
      await tx.run('INSERT INTO pg_temp.ledger SELECT * FROM public.ledger')
      await tx.run('INSERT INTO pg_temp.accounts SELECT * FROM public.accounts')
    })
    const ids = await store.transaction(async (tx) => {
      await tx.run('INSERT INTO accounts VALUES (:name, 0, :by)', { name: 'new', by: 'test' })
      return tx.all("SELECT name FROM public.accounts WHERE name = 'new'")
    })
    expect(ids).toHaveLength(1)
    expect(await store.reading((tx) => tx.all('SELECT name FROM pg_temp.accounts'))).toHaveLength(1)
  })

  test.each(['public', undefined])(
    'that lacks a table is not filled up with temporary ones: joined in %s',
    async (schema) => {
      const store = opened(database.url, { account: 'acme', schema })
      await store.transaction(async (tx) => {
        for (const table of TABLES)
          await tx.run(`CREATE TEMP TABLE ${table} (LIKE public.${table} INCLUDING ALL)`)
        for (const table of ['ledger', 'accounts'])
          await tx.run(`INSERT INTO pg_temp.${table} SELECT * FROM public.${table}`)
      })
      await database.sql('ALTER TABLE writes RENAME TO kept')
      // Only in that session: a refusal ends it.
      await expect(ledgerWith(store).list({})).rejects.toMatchObject(SCHEMA)
      await expect(ledgerWith(store).begin(REFUND, ONCE)).rejects.toMatchObject(SCHEMA)
    },
  )

  test('that is not there is not replaced by temporary tables', async () => {
    const empty = await teamDatabase({ isEmpty: true })
    const store = opened(empty.url, { hasTables: false })
    await store.transaction(async (tx) => {
      await tx.run('CREATE TEMP TABLE accounts (name TEXT)')
      await tx.run('CREATE TEMP TABLE members (name TEXT)')
      await tx.run('CREATE TEMP TABLE writes (target TEXT)')
      await tx.run('CREATE TEMP TABLE ledger (id TEXT, version INTEGER)')
      await tx.run("INSERT INTO ledger VALUES ('x', 2)")
      await tx.run('SET SESSION search_path TO pg_temp')
    })
    expect(await makeTables(store, { newId: () => 'real', mayUpgrade: false })).toMatchObject({ isNew: true })
    expect(await empty.sql('SELECT id FROM public.ledger')).toEqual([{ id: 'real' }])
  })

  test('may have any name, and is made where the path begins', async () => {
    const empty = await teamDatabase({ isEmpty: true })
    const name = 'Pay "x"; DROP'
    const quoted = '"Pay ""x""; DROP"'
    await empty.sql(`CREATE SCHEMA ${quoted}`)
    await empty.sql(`ALTER DATABASE ${empty.name} SET search_path = ${quoted}, public`)
    await initAt(empty.url)
    await empty.sql(`INSERT INTO ${quoted}.accounts VALUES ('acme', 0, 'test')`)
    await (await ledgerAt(empty.url).begin(REFUND, ONCE)).settle(DONE)
    await ledgerAt(empty.url, { schema: name }).begin(refundOf('p2'), ONCE)
    expect(await empty.sql(`SELECT id FROM ${quoted}.writes`)).toHaveLength(2)
    const config = await empty.sql("SELECT proconfig FROM pg_proc WHERE proname = 'pay_keep_ended'")
    expect(config).toEqual([{ proconfig: ['search_path=pg_catalog, pg_temp'] }])
    await expect(ledgerAt(empty.url, { schema: 'public' }).begin(REFUND, ONCE)).rejects.toMatchObject(SCHEMA)
  })

  test('is made where the path begins, whatever another schema has', async () => {
    const empty = await teamDatabase({ isEmpty: true })
    await empty.sql('CREATE SCHEMA app; CREATE TABLE app.accounts (id INTEGER); CREATE SCHEMA pay')
    await empty.sql(`ALTER DATABASE ${empty.name} SET search_path = pay, app, public`)
    await initAt(empty.url)
    expect(
      await empty.sql("SELECT DISTINCT schemaname AS name FROM pg_tables WHERE tablename = 'writes'"),
    ).toEqual([{ name: 'pay' }])
  })

  test.each(['accounts (id INTEGER)', 'ledger (amount INTEGER)'])(
    "with another program's table is left alone: %s",
    async (table) => {
      const empty = await teamDatabase({ isEmpty: true })
      await empty.sql(`CREATE TABLE public.${table}`)
      await expect(initAt(empty.url)).rejects.toMatchObject({
        ...SCHEMA,
        message: expect.stringContaining(table.split(' ')[0] ?? ''),
      })
      expect(await empty.sql("SELECT 1 FROM pg_tables WHERE tablename = 'writes'")).toEqual([])
    },
  )

  test('is the same where the catalog quotes every name', async () => {
    await database.sql(`ALTER DATABASE ${database.name} SET quote_all_identifiers = on`)
    await ledgerAt(database.url).begin(REFUND, ONCE)
    expect(await rowsIn('public')).toBe(1)
  })

  test("on the path of functions that are named like the system's is found with the system's", async () => {
    await database.sql('CREATE SCHEMA evil')
    await database.sql(
      "CREATE FUNCTION evil.current_schemas(boolean) RETURNS name[] LANGUAGE sql AS $$ SELECT ARRAY['evil']::name[] $$",
    )
    await database.sql(
      "CREATE FUNCTION evil.quote_ident(name) RETURNS text LANGUAGE sql AS $$ SELECT 'evil' $$",
    )
    await database.sql(`ALTER DATABASE ${database.name} SET search_path = evil, pg_catalog, public`)
    await ledgerAt(database.url).begin(REFUND, ONCE)
    expect(await rowsIn('public')).toBe(1)
  })
})

describe.skipIf(!hasPostgres)('the rights of a member', () => {
  test('are those that its statements need', async () => {
    database = await teamDatabase()
    const rights = await database.sql(
      `SELECT table_name, privilege_type FROM information_schema.table_privileges WHERE grantee = 'pay_writer' AND table_catalog = current_database() ORDER BY 1, 2`,
    )
    expect(rights.map((row) => `${String(row['table_name'])} ${String(row['privilege_type'])}`)).toEqual([
      'accounts SELECT',
      'ledger SELECT',
      'members SELECT',
      'writes SELECT',
    ])
    const columns = await database.sql(
      `SELECT string_agg(column_name, ' ' ORDER BY column_name) AS names FROM information_schema.column_privileges
       WHERE grantee = 'pay_writer' AND table_name = 'writes' AND privilege_type = 'UPDATE'`,
    )
    expect(columns).toEqual([{ names: 'checksum lease_until owner record state turn updated_at' }])
  })

  test('are taken back where an earlier version gave more', async () => {
    database = await teamDatabase()
    await database.sql('GRANT INSERT, DELETE ON writes TO pay_writer')
    await database.sql('UPDATE ledger SET version = 1')
    await initAt(database.url)
    await expect(database.sql('SET ROLE pay_writer; DELETE FROM writes')).rejects.toThrow('permission denied')
    await expect(
      database.sql(
        'SET ROLE pay_writer; INSERT INTO writes(place, id) OVERRIDING SYSTEM VALUE VALUES (1, $$x$$)',
      ),
    ).rejects.toThrow('permission denied')
    expect(await database.sql('SELECT version FROM ledger')).toEqual([{ version: TEAM_VERSION }])
  })
})
