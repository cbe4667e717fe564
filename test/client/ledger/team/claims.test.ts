import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { BeginOptions, Write } from '../../../../src/client/ledger/port.ts'
import type { TeamStore } from '../../../../src/client/ledger/team/store.ts'
import { AGAIN, ONCE, ORDER, REFUND, TICKET, UNKNOWN, refundOf } from '../ledger-bench.ts'
import { SCHEMA, closeStores, initAt, ledgerAt, ledgerWith, opened } from './machines.ts'
import { hasPostgres, postgres, teamDatabase } from './postgres.ts'

/** What a claim on a real PostgreSQL needs, locks and reads. */

let database: Awaited<ReturnType<typeof teamDatabase>>

/** A ledger that locks what a claim locks, but doesn't look at the indexes. */
const unchecked = (store = opened(database.url, { account: 'acme' })) =>
  ledgerWith({
    ...store,
    transaction: (work, claiming) =>
      store.transaction(async (tx) => {
        for (const name of claiming?.locks ?? [])
          await tx.get('SELECT pg_advisory_xact_lock(hashtextextended(:name, 7))', { name })
        return work(tx)
      }),
  })

const DAMAGED = { code: 'ledger_damaged', exitCode: 6, details: { outcome: 'none' } } as const

describe.skipIf(!hasPostgres)("a claim in a team's ledger", () => {
  beforeEach(async () => {
    database = await teamDatabase()
  })
  afterEach(closeStores)

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
    const claimOf = (account: string, intent: Write, begin: BeginOptions) => {
      const transaction: TeamStore['transaction'] = (_, claiming) => {
        locks.push(claiming?.locks ?? [])
        return Promise.reject(new Error('seen'))
      }
      return expect(
        ledgerWith({ ...opened(database.url), transaction }, { account }).begin(intent, begin),
      ).rejects.toThrow('seen')
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
    const store = opened(database.url)
    const locks = ['target x']
    let isHeld = true
    let release = (): void => undefined
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const first = store.transaction(
      async () => {
        await released
        isHeld = false
      },
      { locks },
    )
    await expect
      .poll(() =>
        database.sql(
          "SELECT pid FROM pg_locks JOIN pg_database ON oid = database WHERE locktype = 'advisory' AND datname = current_database()",
        ),
      )
      .toHaveLength(1)
    const second = store.transaction(async () => isHeld, { locks })
    await expect
      .poll(() =>
        database.sql(
          "SELECT pid FROM pg_stat_activity WHERE wait_event = 'advisory' AND datname = current_database()",
        ),
      )
      .toHaveLength(1)
    expect(await store.transaction(async () => isHeld, { locks: ['target y'] })).toBe(true)
    release()
    expect(await second).toBe(false)
    await first
  })

  const markIndex = (index: string, fact: string) =>
    `UPDATE pg_index SET ${fact} = false WHERE indexrelid = '${index}'::regclass`

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
    ['used_ticket', 'is not valid', markIndex('used_ticket', 'indisvalid')],
    ['open_target', 'is not ready', markIndex('open_target', 'indisready')],
  ])('needs both unique indexes: %s %s', async (index, _, statements) => {
    const before = await (
      await ledgerAt(database.url).begin(refundOf('p9'), ONCE)
    )
      .settle(UNKNOWN)
      .then(() => 'open')
    expect(before).toBe('open')
    for (const statement of statements.split('; ')) await database.sql(statement)
    const ledger = ledgerAt(database.url)
    await expect(ledger.begin(REFUND, ONCE)).rejects.toMatchObject({
      ...SCHEMA,
      message: expect.stringContaining(index),
      details: { next: ['pay ledger init --upgrade'] },
    })
    const { records } = await ledger.list({})
    expect(records).toMatchObject([{ state: 'in-doubt' }])
    await expect(ledger.reopen(records[0]?.id ?? '')).rejects.toMatchObject(SCHEMA)
    if (statements.includes('TABLE other')) await database.sql('DROP TABLE other')
    await initAt(database.url)
    await ledger.begin(REFUND, ONCE)
    await expect(ledger.begin(refundOf('p9', { fingerprint: 'x' }), ONCE)).rejects.toMatchObject({
      exitCode: 6,
    })
  })

  test('an index that rows contradict is recreated once a person has abandoned one of them', async () => {
    await database.sql('DROP INDEX open_target')
    const ledger = unchecked()
    const open = await ledger.begin(REFUND, ONCE)
    await open.settle(UNKNOWN)
    // The version before this one let them through, and this one refuses its tables until they are upgraded.
    await database.sql('UPDATE ledger SET version = 1')
    await database.sql(
      `INSERT INTO writes(id, account, api_key_id, target, key, ticket, state, turn, created_at, updated_at, record, checksum)
       SELECT 'twin', account, api_key_id, target, key, ticket, state, turn, created_at, updated_at, record, checksum FROM writes`,
    )
    await expect(initAt(database.url)).rejects.toMatchObject({
      ...SCHEMA,
      message: expect.stringContaining(`${open.id}, twin`),
      details: { next: ['pay ops abandon twin'] },
    })
    await (await ledgerAt(database.url).reopen(open.id, { isToAbandon: true })).abandon('looked')
    await initAt(database.url)
    expect(
      await database.sql("SELECT indexname FROM pg_indexes WHERE indexname = 'open_target'"),
    ).toHaveLength(1)
  })

  test('of a target that a member has freed by SQL is refused, until the owner has looked', async () => {
    const ledger = ledgerAt(database.url)
    const open = await ledger.begin(REFUND, ONCE)
    await open.settle(UNKNOWN)
    await database.sql("SET ROLE pay_writer; UPDATE writes SET state = 'rejected'")
    await expect(ledger.begin(REFUND, AGAIN)).rejects.toMatchObject({
      ...DAMAGED,
      details: { next: [`pay ops abandon ${open.id}`] },
    })
    await expect(ledgerAt(database.url).preflight(REFUND, AGAIN)).rejects.toMatchObject(DAMAGED)
    await ledger.begin(refundOf('p2'), ONCE)
    expect((await ledger.list({ states: ['in-doubt'], checksEnded: true })).damage.records).toMatchObject([
      { id: open.id },
    ])
    const member = `member_${process.pid}`
    await database.sql(`CREATE ROLE ${member} LOGIN IN ROLE pay_writer`)
    const { urlOf } = await postgres()
    await expect(ledgerAt(urlOf(database.name, member)).setAside(open.id)).rejects.toMatchObject({
      details: { hint: expect.stringContaining(`pay ops abandon ${open.id}`) },
    })
    await ledger.setAside(open.id)
    await database.sql(`DROP ROLE ${member}`)
    await expect(database.sql('DELETE FROM writes')).rejects.toThrow('none is removed')
    await ledger.begin(REFUND, AGAIN)
  })

  test('of an account with a changed open row is refused', async () => {
    const ledger = ledgerAt(database.url)
    await (await ledger.begin(REFUND, ONCE)).settle(UNKNOWN)
    await ledger.begin(refundOf('p2'), ONCE)
    await database.sql("SET ROLE pay_writer; UPDATE writes SET turn = 7 WHERE state = 'in-doubt'")
    await expect(ledger.begin(refundOf('p3'), ONCE)).rejects.toMatchObject(DAMAGED)
  })
})
