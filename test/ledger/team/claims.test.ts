import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { BeginOptions, Intent } from '../../../src/ledger/port.ts'
import type { Store } from '../../../src/store/store.ts'
import { createLedger } from '../../../src/ledger/ledger.ts'
import { makeTables } from '../../../src/ledger/team/set-up.ts'
import type { TeamStore, TeamStoreOptions } from '../../../src/ledger/team/store.ts'
import { AGAIN, DONE, ONCE, ORDER, REFUND, TICKET, UNKNOWN, refundOf } from '../ledger-bench.ts'
import { hasPostgres, postgres, storeAt, teamDatabase } from './postgres.ts'

/** What a claim on a real PostgreSQL needs, locks and reads. */

let database: Awaited<ReturnType<typeof teamDatabase>>
const stores: TeamStore[] = []
let machines = 0

const opened = (options: Partial<TeamStoreOptions> = {}, url = database.url): TeamStore => {
  const store = storeAt(url, options)
  stores.push(store)
  return store
}

/** The ledger as another machine has it. */
function ledgerWith(store: Store, account = 'acme') {
  machines += 1
  const host = `desk-${machines}`
  let ids = 0
  return createLedger({
    store,
    team: { url: '', account },
    now: () => new Date(),
    monotonicMs: () => performance.now(),
    newId: () => `${host}-${(ids += 1)}`,
    processes: {
      own: () => ({ pid: 1, startedAt: 'boot', machine: host }),
      isAlive: () => true,
      startOf: () => 'boot',
    },
    user: () => 'ana',
    version: '1.2.3',
  })
}

const ledgerOn = (options: Partial<TeamStoreOptions> = {}, url = database.url) =>
  ledgerWith(opened({ account: 'acme', ...options }, url))

/** With locks of what a claim locks, but without its look at the indexes. */
const unchecked = (store = opened({ account: 'acme' })) =>
  ledgerWith({
    ...store,
    transaction: (work, claiming) =>
      store.transaction(async (tx) => {
        for (const name of claiming?.locks ?? [])
          await tx.get('SELECT pg_advisory_xact_lock(hashtextextended(:name, 7))', { name })
        return work(tx)
      }),
  })

const SCHEMA = { code: 'ledger_schema', exitCode: 2, details: { outcome: 'none' } } as const
const DAMAGED = { code: 'ledger_damaged', exitCode: 6, details: { outcome: 'none' } } as const

async function init({
  schema,
  url = database.url,
}: { readonly schema?: string; readonly url?: string } = {}) {
  const store = storeAt(url, { hasTables: false, schema })
  try {
    return await makeTables(store, { newId: () => 'new', mayUpgrade: true })
  } finally {
    store.close()
  }
}

describe.skipIf(!hasPostgres)("a claim in a team's ledger", () => {
  beforeEach(async () => {
    database = await teamDatabase()
  })
  afterEach(() => {
    for (const store of stores.splice(0)) store.close()
  })

  test('is for one of many that begin at once, without the unique index too', async () => {
    await database.sql('DROP INDEX open_target')
    const begun = await Promise.allSettled(Array.from({ length: 8 }, () => unchecked().begin(REFUND, AGAIN)))
    expect(begun.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await database.sql('SELECT id FROM writes')).toHaveLength(1)
  })

  test('is for one of many that use a ticket at once, without its index too', async () => {
    await database.sql('DROP INDEX used_ticket')
    const begun = await Promise.allSettled(
      Array.from({ length: 8 }, (_, n) => unchecked().begin(refundOf(`p${n}`), TICKET)),
    )
    expect(begun.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('locks a payment for all accounts, and an order for its own', async () => {
    const locks: (readonly string[])[] = []
    const claimOf = (account: string, intent: Intent, begin: BeginOptions) => {
      const transaction: TeamStore['transaction'] = (_, claiming) => {
        locks.push(claiming?.locks ?? [])
        return Promise.reject(new Error('seen'))
      }
      return expect(ledgerWith({ ...opened(), transaction }, account).begin(intent, begin)).rejects.toThrow(
        'seen',
      )
    }
    for (const account of ['acme', 'other']) {
      await claimOf(account, REFUND, ONCE)
      await claimOf(account, ORDER, ONCE)
    }
    await claimOf('acme', REFUND, TICKET)
    await claimOf('acme', { ...REFUND, target: undefined }, ONCE)
    const [refund, order, others, othersOrder, ticket, none] = locks
    expect(refund).toHaveLength(1)
    expect(others).toEqual(refund)
    expect(othersOrder).not.toEqual(order)
    expect(ticket).toEqual([...(refund ?? []), 'ticket key-1'])
    expect(none).toEqual([])
  })

  test('waits for another one on its target, and on no other', async () => {
    const store = opened()
    const locks = ['target x']
    let isHeld = true
    const first = store.transaction(
      async () => {
        await expect
          .poll(() => database.sql("SELECT pid FROM pg_stat_activity WHERE wait_event = 'advisory'"))
          .toHaveLength(1)
        isHeld = false
      },
      { locks },
    )
    await expect
      .poll(() => database.sql("SELECT pid FROM pg_locks WHERE locktype = 'advisory'"))
      .toHaveLength(1)
    const second = store.transaction(async () => isHeld, { locks })
    expect(await store.transaction(async () => isHeld, { locks: ['target y'] })).toBe(true)
    expect(await second).toBe(false)
    await first
  })

  test.each([
    ['open_target', 'is missing', 'DROP INDEX open_target'],
    ['used_ticket', 'is missing', 'DROP INDEX used_ticket'],
    [
      'open_target',
      'is not unique',
      `DROP INDEX open_target; CREATE INDEX open_target ON writes(target) WHERE state IN ('sending', 'in-doubt')`,
    ],
    [
      'open_target',
      'covers other states',
      `DROP INDEX open_target; CREATE UNIQUE INDEX open_target ON writes(target) WHERE state = 'sending'`,
    ],
    [
      'open_target',
      'is of another column',
      `DROP INDEX open_target; CREATE UNIQUE INDEX open_target ON writes(id) WHERE state IN ('sending', 'in-doubt')`,
    ],
    [
      'open_target',
      'is of another table',
      `DROP INDEX open_target; CREATE TABLE other (LIKE writes); CREATE UNIQUE INDEX open_target ON other(target) WHERE state IN ('sending', 'in-doubt')`,
    ],
    [
      'used_ticket',
      'is not valid',
      `UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'used_ticket'::regclass`,
    ],
    [
      'open_target',
      'is not ready',
      `UPDATE pg_index SET indisready = false WHERE indexrelid = 'open_target'::regclass`,
    ],
  ])('needs both unique indexes: %s %s', async (index, _, statements) => {
    const before = await (await ledgerOn().begin(refundOf('p9'), ONCE)).settle(UNKNOWN).then(() => 'open')
    expect(before).toBe('open')
    for (const statement of statements.split('; ')) await database.sql(statement)
    const ledger = ledgerOn()
    await expect(ledger.begin(REFUND, ONCE)).rejects.toMatchObject({
      ...SCHEMA,
      message: expect.stringContaining(index),
      details: { next: ['pay ledger init --upgrade'] },
    })
    const { records } = await ledger.list({})
    expect(records).toMatchObject([{ state: 'in-doubt' }])
    await expect(ledger.reopen(records[0]?.id ?? '')).rejects.toMatchObject(SCHEMA)
    if (statements.includes('TABLE other')) await database.sql('DROP TABLE other')
    await init()
    await ledger.begin(REFUND, ONCE)
    await expect(ledger.begin(refundOf('p9', { fingerprint: 'x' }), ONCE)).rejects.toMatchObject({
      exitCode: 6,
    })
  })

  test('an index that rows contradict is made again once a person has abandoned one of them', async () => {
    await database.sql('DROP INDEX open_target')
    const ledger = unchecked()
    const open = await ledger.begin(REFUND, ONCE)
    await open.settle(UNKNOWN)
    await database.sql(
      `INSERT INTO writes(id, account, api_key_id, target, key, ticket, state, turn, created_at, updated_at, record, checksum)
       SELECT 'twin', account, api_key_id, target, key, ticket, state, turn, created_at, updated_at, record, checksum FROM writes`,
    )
    await expect(init()).rejects.toMatchObject({
      ...SCHEMA,
      message: expect.stringContaining(`${open.id}, twin`),
      details: { next: ['pay ops abandon twin'] },
    })
    await (await ledgerOn().reopen(open.id, { isToAbandon: true })).abandon('looked')
    await init()
    expect(
      await database.sql("SELECT indexname FROM pg_indexes WHERE indexname = 'open_target'"),
    ).toHaveLength(1)
  })

  test('of a target that a member has freed by SQL is refused, until the owner has looked', async () => {
    const ledger = ledgerOn()
    const open = await ledger.begin(REFUND, ONCE)
    await open.settle(UNKNOWN)
    await database.sql("SET ROLE pay_writer; UPDATE writes SET state = 'rejected'")
    await expect(ledger.begin(REFUND, AGAIN)).rejects.toMatchObject({
      ...DAMAGED,
      details: { next: [`pay ops abandon ${open.id}`] },
    })
    await expect(ledgerOn().preflight(REFUND, AGAIN)).rejects.toMatchObject(DAMAGED)
    await ledger.begin(refundOf('p2'), ONCE)
    expect((await ledger.list({ states: ['in-doubt'], checksEnded: true })).damage.records).toMatchObject([
      { id: open.id },
    ])
    const member = `member_${process.pid}`
    await database.sql(`CREATE ROLE ${member} LOGIN IN ROLE pay_writer`)
    const { urlOf } = await postgres()
    await expect(ledgerOn({}, urlOf(database.name, member)).setAside(open.id)).rejects.toMatchObject({
      details: { hint: expect.stringContaining(`pay ops abandon ${open.id}`) },
    })
    await ledger.setAside(open.id)
    await database.sql(`DROP ROLE ${member}`)
    await expect(database.sql('DELETE FROM writes')).rejects.toThrow('none is removed')
    await ledger.begin(REFUND, AGAIN)
  })

  test('of an account with a changed open row is refused', async () => {
    const ledger = ledgerOn()
    await (await ledger.begin(REFUND, ONCE)).settle(UNKNOWN)
    await ledger.begin(refundOf('p2'), ONCE)
    await database.sql("SET ROLE pay_writer; UPDATE writes SET turn = 7 WHERE state = 'in-doubt'")
    await expect(ledger.begin(refundOf('p3'), ONCE)).rejects.toMatchObject(DAMAGED)
  })
})

describe.skipIf(!hasPostgres)("the schema of a team's ledger", () => {
  beforeEach(async () => {
    database = await teamDatabase()
  })
  afterEach(() => {
    for (const store of stores.splice(0)) store.close()
  })
  const rowsIn = async (schema: string) => (await database.sql(`SELECT id FROM ${schema}.writes`)).length
  const TABLES = ['ledger', 'accounts', 'members', 'writes']

  test('stays the one that was joined, whatever is named like the user', async () => {
    await database.sql('CREATE SCHEMA owner')
    for (const table of TABLES) {
      await database.sql(`CREATE TABLE owner.${table} (LIKE public.${table} INCLUDING ALL)`)
      if (table !== 'writes') await database.sql(`INSERT INTO owner.${table} SELECT * FROM public.${table}`)
    }
    await ledgerOn({ schema: 'public' }).begin(REFUND, ONCE)
    expect([await rowsIn('public'), await rowsIn('owner')]).toEqual([1, 0])
  })

  test('is found by its tables, in the path that the session began with', async () => {
    await database.sql('CREATE SCHEMA owner')
    await database.sql('CREATE TABLE owner.writes (LIKE public.writes INCLUDING ALL)')
    await ledgerOn().begin(REFUND, ONCE)
    expect([await rowsIn('public'), await rowsIn('owner')]).toEqual([1, 0])
  })

  test.each(['public', undefined])("is never a session's temporary one: joined in %s", async (schema) => {
    const store = opened({ account: 'acme', schema })
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

  test('that is not there is not replaced by temporary tables', async () => {
    const empty = await teamDatabase({ isEmpty: true })
    const store = opened({ hasTables: false }, empty.url)
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
    await init({ url: empty.url })
    await empty.sql(`INSERT INTO ${quoted}.accounts VALUES ('acme', 0, 'test')`)
    await (await ledgerOn({}, empty.url).begin(REFUND, ONCE)).settle(DONE)
    await ledgerOn({ schema: name }, empty.url).begin(refundOf('p2'), ONCE)
    expect(await empty.sql(`SELECT id FROM ${quoted}.writes`)).toHaveLength(2)
    const config = await empty.sql("SELECT proconfig FROM pg_proc WHERE proname = 'pay_keep_ended'")
    expect(config).toEqual([{ proconfig: ['search_path=pg_catalog, pg_temp'] }])
    await expect(ledgerOn({ schema: 'public' }, empty.url).begin(REFUND, ONCE)).rejects.toMatchObject(SCHEMA)
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
    await ledgerOn().begin(REFUND, ONCE)
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
    await init()
    await expect(database.sql('SET ROLE pay_writer; DELETE FROM writes')).rejects.toThrow('permission denied')
    await expect(
      database.sql(
        'SET ROLE pay_writer; INSERT INTO writes(place, id) OVERRIDING SYSTEM VALUE VALUES (1, $$x$$)',
      ),
    ).rejects.toThrow('permission denied')
    expect(await database.sql('SELECT version FROM ledger')).toEqual([{ version: 2 }])
  })
})
