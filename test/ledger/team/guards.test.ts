import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeTables } from '../../../src/ledger/team/set-up.ts'
import type { TeamStore, TeamStoreOptions } from '../../../src/ledger/team/store.ts'
import {
  AGAIN,
  DONE,
  ONCE,
  REFUND,
  UNKNOWN,
  benchesOn,
  createLedgerBench,
  refundOf,
} from '../ledger-bench.ts'
import { hasPostgres, postgres, storeAt, teamDatabase } from './postgres.ts'

/** What other programs, restores and members do to a team's database, and to its sessions. */

const NO_INDEX = { code: 'ledger_schema', exitCode: 2, details: { next: ['pay ledger init --upgrade'] } }
const ANOTHER = { ...REFUND, idempotencyKey: 'key-2' }

describe.skipIf(!hasPostgres)("a team's ledger", () => {
  let database: Awaited<ReturnType<typeof teamDatabase>>
  const stores: TeamStore[] = []
  const storeOf = (url = database.url, options: Partial<TeamStoreOptions> = {}) => {
    const store = storeAt(url, { account: 'acme', ...options })
    stores.push(store)
    return store
  }
  beforeAll(() => postgres())
  beforeEach(async () => {
    database = await teamDatabase()
    benchesOn(() => storeOf())
  })
  afterEach(() => {
    benchesOn(undefined)
    for (const store of stores.splice(0)) store.close()
  })

  test.each(['open_target', 'used_ticket'])(
    'without its index is not used until it is there again: %s',
    async (index) => {
      const bench = createLedgerBench()
      await (await bench.process().ledger.begin(REFUND, ONCE)).settle(UNKNOWN)
      await database.sql(`DROP INDEX ${index}`)
      const refused = await Promise.allSettled(
        [1, 2, 3, 4].map(() => bench.process().ledger.begin(refundOf('p2'), AGAIN)),
      )
      for (const one of refused) expect(one).toMatchObject({ status: 'rejected', reason: NO_INDEX })
      const owner = storeOf(database.url, { account: undefined, hasTables: false })
      await makeTables(owner, { newId: () => 'another', mayUpgrade: true })
      await expect(bench.process().ledger.begin(ANOTHER, AGAIN)).rejects.toMatchObject({
        code: 'open_intent',
      })
    },
  )

  test.each([
    ['not unique', 'CREATE INDEX open_target ON writes(target)'],
    [
      'on another column',
      `CREATE UNIQUE INDEX open_target ON writes(id) WHERE state IN ('sending', 'in-doubt')`,
    ],
    ['of all rows', 'CREATE UNIQUE INDEX open_target ON writes(target)'],
  ])('with an index of that name that is %s is not used, and is mended', async (_, statement) => {
    await database.sql(`DROP INDEX open_target; ${statement}`)
    const { ledger } = createLedgerBench().process()
    await expect(ledger.begin(REFUND, ONCE)).rejects.toMatchObject(NO_INDEX)
    await makeTables(storeOf(database.url, { account: undefined, hasTables: false }), {
      newId: () => 'another',
      mayUpgrade: true,
    })
    await ledger.begin(REFUND, ONCE)
  })

  test('that loses its index in the middle still blocks: the claim reads, under a lock', async () => {
    const bench = createLedgerBench()
    await (await bench.process().ledger.begin(REFUND, ONCE)).settle(UNKNOWN)
    // As in a transaction that began when it was there.
    const { COUNT_TEAM_INDEXES } = await import('../../../src/ledger/tables.ts')
    expect(COUNT_TEAM_INDEXES).toContain('indisvalid')
    benchesOn(() => {
      const store = storeOf()
      return {
        ...store,
        transaction: (work, options) =>
          store.transaction(async (tx) => {
            await tx.run('DROP INDEX IF EXISTS open_target')
            return work(tx)
          }, options),
      }
    })
    await expect(createLedgerBench().process().ledger.begin(ANOTHER, AGAIN)).rejects.toMatchObject({
      code: 'open_intent',
      exitCode: 6,
    })
  })

  test('takes claims on one target one after the other', async () => {
    const bench = createLedgerBench()
    const begun = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) =>
        bench.process().ledger.begin({ ...REFUND, idempotencyKey: `key-${index}` }, AGAIN),
      ),
    )
    expect(begun.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  describe('in a session with other names before its own', () => {
    const rows = (schema: string) => database.sql(`SELECT id FROM ${schema}.writes`)

    test.each([
      ['a schema named like the user', 'CREATE SCHEMA owner; CREATE TABLE owner.writes (LIKE public.writes)'],
      [
        'another search path',
        `CREATE SCHEMA evil; CREATE TABLE evil.writes (LIKE public.writes);
         DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = evil, public', current_database()); END $$`,
      ],
    ])('writes into its own tables: %s', async (_, statement) => {
      await database.sql(statement)
      const { ledger } = createLedgerBench().process()
      await (await ledger.begin(REFUND, ONCE)).settle(DONE)
      expect(await rows('public')).toHaveLength(1)
      benchesOn(() => storeOf(database.url, { schema: 'public' }))
      await expect(createLedgerBench().process().ledger.begin(ANOTHER, ONCE)).rejects.toMatchObject({
        code: 'duplicate',
      })
    })

    test('writes into its own tables: a temporary table that was left over', async () => {
      const store = storeOf()
      // The pooled session keeps it.
      await store.transaction((tx) => tx.run('CREATE TEMP TABLE writes (LIKE public.writes INCLUDING ALL)'))
      benchesOn(() => store)
      await createLedgerBench().process().ledger.begin(REFUND, ONCE)
      expect(await rows('public')).toHaveLength(1)
    })

    test('is found in the schema that has all of its tables', async () => {
      await database.sql('CREATE SCHEMA "odd ""name"; ALTER TABLE writes SET SCHEMA "odd ""name"')
      const { ledger } = createLedgerBench().process()
      await expect(ledger.begin(REFUND, ONCE)).rejects.toMatchObject({ code: 'ledger_schema' })
      for (const table of ['ledger', 'accounts', 'members'])
        await database.sql(`ALTER TABLE ${table} SET SCHEMA "odd ""name"`)
      benchesOn(() => storeOf(database.url, { schema: 'odd "name' }))
      await createLedgerBench().process().ledger.begin(REFUND, ONCE)
      expect(await rows('"odd ""name"')).toHaveLength(1)
    })
  })

  describe('with a member who changes rows by SQL', () => {
    const DAMAGED = { code: 'ledger_damaged', exitCode: 6 }

    test.each(['rejected', 'confirmed', 'abandoned'])(
      'an open write set to %s frees no target',
      async (state) => {
        const bench = createLedgerBench()
        await (await bench.process().ledger.begin(REFUND, ONCE)).settle(UNKNOWN)
        await database.sql(`UPDATE writes SET state = '${state}'`)
        for (const begin of [ONCE, AGAIN])
          await expect(bench.process().ledger.begin(ANOTHER, begin)).rejects.toMatchObject(DAMAGED)
        // Another target isn't concerned.
        await bench.process().ledger.begin(refundOf('p2'), ONCE)
        expect((await bench.process().ledger.list({ checksEnded: true })).damage.records).toHaveLength(1)
      },
    )

    test('an open write whose record was changed blocks its account', async () => {
      const bench = createLedgerBench()
      await (await bench.process().ledger.begin(REFUND, ONCE)).settle(UNKNOWN)
      await database.sql(`UPDATE writes SET record = replace(record, '"amount":500', '"amount":5')`)
      const { ledger } = bench.process()
      for (const intent of [ANOTHER, refundOf('p2')])
        await expect(ledger.begin(intent, AGAIN)).rejects.toMatchObject(DAMAGED)
    })

    test('that may write sees no right to do more than the statements need', async () => {
      await database.sql(
        'DO $$ BEGIN CREATE ROLE plain_member LOGIN IN ROLE pay_writer; EXCEPTION WHEN duplicate_object THEN NULL; END $$',
      )
      const { urlOf } = await postgres()
      benchesOn(() => storeOf(urlOf(database.name, 'plain_member')))
      const { ledger } = createLedgerBench().process()
      await (await ledger.begin(REFUND, ONCE)).settle(DONE)
      const store = storeOf(urlOf(database.name, 'plain_member'))
      for (const statement of [
        'DELETE FROM writes',
        "UPDATE writes SET target = 'p2'",
        "UPDATE writes SET key = 'k'",
        'TRUNCATE writes',
        'DROP INDEX open_target',
        'UPDATE ledger SET version = 9',
        'DELETE FROM accounts',
      ])
        await expect(store.transaction((tx) => tx.run(statement))).rejects.toMatchObject({
          code: 'ledger_refused',
        })
    })
  })
})
