import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { UncertainCommit } from '../../../../src/store/store.ts'
import type { Store } from '../../../../src/store/store.ts'
import { DONE, ONCE, REFUND, UNKNOWN } from '../ledger-bench.ts'
import { clocked } from './clocked.ts'
import { closeStores, ledgerWith, opened } from './machines.ts'
import { hasPostgres, postgres, storeAt, teamDatabase } from './postgres.ts'

const SECOND = 1000
const HOUR = 3600 * SECOND
/** A lease of 31 seconds. */
const BEGIN = { ...ONCE, timeoutMs: SECOND }

let database: Awaited<ReturnType<typeof teamDatabase>>
let databaseMs = 0

const storeOf = (url = database.url): Store =>
  clocked(opened(url, { account: 'acme' }), () => new Date(databaseMs))

const REPEATER = `repeater_${process.pid}`

/** The ledger as a machine with clocks of its own has it. */
function client(store = storeOf()) {
  const clocks = { wallMs: Date.parse('2026-03-01T12:00:00.000Z'), runMs: 0 }
  const ledger = ledgerWith(store, { wallMs: () => clocks.wallMs, runMs: () => clocks.runMs })
  return { ledger, clocks }
}

describe.skipIf(!hasPostgres)('the lease of a write', () => {
  beforeAll(async () => {
    database = await teamDatabase()
  })
  beforeEach(() => {
    databaseMs = Date.parse('2026-03-01T12:00:00.000Z')
    return database.sql('TRUNCATE writes')
  })
  afterEach(closeStores)

  test.each([
    { name: 'both clocks go on', wallMs: 30 * SECOND, runMs: 30 * SECOND, isLeased: true },
    { name: 'the wall clock is set ahead', wallMs: HOUR, runMs: SECOND, isLeased: false },
    { name: 'the wall clock is set back', wallMs: -HOUR, runMs: 31 * SECOND, isLeased: false },
    { name: 'the machine sleeps', wallMs: 31 * SECOND, runMs: SECOND, isLeased: false },
  ])('is measured by the clock that is ahead: $name', async ({ wallMs, runMs, isLeased }) => {
    const { ledger, clocks } = client()
    const open = await ledger.begin(REFUND, BEGIN)
    clocks.wallMs += wallMs
    clocks.runMs += runMs
    expect(open.isLeased?.()).toBe(isLeased)
    // The database still has it, and renews it.
    expect(await open.fence()).toBe(true)
    expect(open.isLeased?.()).toBe(true)
  })

  test.each([-HOUR, HOUR])(
    "passes by the database's clock, whatever a colleague's says: %i ms",
    async (ms) => {
      const first = client()
      const colleague = client()
      colleague.clocks.wallMs += ms
      const open = await first.ledger.begin(REFUND, BEGIN)
      databaseMs += 30 * SECOND
      await expect(colleague.ledger.reopen(open.id)).rejects.toMatchObject({ exitCode: 6 })
      databaseMs += 2 * SECOND
      const taken = await colleague.ledger.reopen(open.id)
      // The first one has stood still, and sends nothing more.
      expect(await open.fence()).toBe(false)
      expect(await open.standing()).toBe('taken')
      await expect(open.settle(UNKNOWN)).rejects.toMatchObject({ exitCode: 6 })
      expect(await taken.settle(DONE)).toMatchObject({ state: 'confirmed' })
    },
  )

  test.each([
    { meanwhile: 'nothing', steps: 0 },
    { meanwhile: 'a colleague has taken it over', steps: 1 },
    { meanwhile: 'a colleague has taken it over and ended it', steps: 2 },
  ])('a claim whose commit was not answered is known to be there: $meanwhile', async ({ steps }) => {
    const colleague = client()
    const store = storeOf()
    let isAnswered = false
    const { ledger } = client({
      ...store,
      transaction: async (work, claiming) => {
        const result = await store.transaction(work, claiming)
        if (isAnswered) return result
        isAnswered = true
        databaseMs += 32 * SECOND
        const [open] = (await colleague.ledger.list({})).records
        const taken = steps > 0 ? await colleague.ledger.reopen(open?.id ?? '') : undefined
        if (steps > 1) await taken?.settle(DONE)
        throw new UncertainCommit(new Error('no answer'))
      },
    })
    const begun = ledger.begin(REFUND, BEGIN)
    if (steps === 0) await expect(begun).resolves.toMatchObject({ isInDoubt: false })
    else
      await expect(begun).rejects.toMatchObject({
        exitCode: 6,
        code: 'lease_lapsed',
        message: expect.stringContaining('This process sent nothing and has lost its claim'),
      })
  })
})

function latch() {
  let open = () => {}
  const isOpen = new Promise<void>((resolve) => {
    open = resolve
  })
  return { isOpen, open: () => open() }
}

describe.skipIf(!hasPostgres)('a transaction that the database ended while it waited for its process', () => {
  beforeAll(async () => {
    database = await teamDatabase()
  })

  test.each(['before a statement', 'before its commit'])('begins again: %s', async (when) => {
    const store = storeAt(database.url)
    const IDLE = 'SET LOCAL idle_in_transaction_session_timeout = 1'
    let turns = 0
    const done = await store.transaction(async (tx) => {
      turns += 1
      if (turns === 1) {
        await tx.run(IDLE)
        await new Promise((resolve) => setTimeout(resolve, 200))
      }
      return turns === 1 && when === 'before its commit'
        ? 0
        : tx.run('UPDATE accounts SET created_by = created_by')
    })
    expect([turns, done]).toEqual([2, 1])
    store.close()
  })
})

describe.skipIf(!hasPostgres)('a role whose transactions are repeatable reads', () => {
  beforeAll(async () => {
    database = await teamDatabase()
    await database.sql(
      `CREATE ROLE ${REPEATER} LOGIN IN ROLE pay_writer; ALTER ROLE ${REPEATER} SET default_transaction_isolation = 'repeatable read'`,
    )
  })
  afterEach(closeStores)

  test('sees a write to its target that began while its own waited', async () => {
    databaseMs = Date.parse('2026-03-01T12:00:00.000Z')
    const { urlOf } = await postgres()
    const url = urlOf(database.name, REPEATER)
    const gate = latch()
    const reached = latch()
    const store = storeOf(url)
    const first = client({
      ...store,
      transaction: (work, claiming) =>
        store.transaction(async (tx) => {
          const result = await work(tx)
          reached.open()
          await gate.isOpen
          return result
        }, claiming),
    })
    const open = first.ledger.begin(REFUND, BEGIN)
    await reached.isOpen
    // It waits for the lock of the target, and sees then what has been committed.
    const second = client(storeOf(url)).ledger.begin({ ...REFUND, idempotencyKey: 'key-2' }, BEGIN)
    const refused = expect(second).rejects.toMatchObject({ code: 'in_progress', exitCode: 6 })
    await expect
      .poll(() => database.sql("SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock'"))
      .toHaveLength(1)
    gate.open()
    const begun = await open
    await refused
    await begun.settle(DONE)
    const third = client(storeOf(url)).ledger.begin({ ...REFUND, idempotencyKey: 'key-3' }, BEGIN)
    await expect(third).rejects.toMatchObject({ code: 'duplicate', exitCode: 6 })
  })
})
