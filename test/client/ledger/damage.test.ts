import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { inspectLedger, setLedgerAside } from '../../../src/client/ledger/damaged-file.ts'
import { ledgerPath } from '../../../src/client/ledger/ledger-file.ts'
import { loadSqlite } from '../../../src/store/sqlite.ts'
import { damage, inLedger } from '../../support/ledger-rows.ts'
import { AGAIN, DONE, ONCE, REFUND, TICKET, UNKNOWN, createLedgerBench, refundOf } from './ledger-bench.ts'
import type { LedgerBench } from './ledger-bench.ts'

const DAMAGED = { code: 'ledger_damaged', exitCode: 6, details: { outcome: 'none' } } as const
const NO_INDEX = {
  code: 'ledger_schema',
  exitCode: 2,
  details: { outcome: 'none', next: ['pay ops abandon --damaged-ledger'] },
} as const

/** A bench with a refund in doubt, `op-1`. */
async function inDoubt(): Promise<LedgerBench> {
  const bench = createLedgerBench()
  await (await bench.process().ledger.begin(REFUND, ONCE)).settle(UNKNOWN)
  return bench
}

/** A bench with a confirmed refund, `op-1`. */
async function done(options = ONCE): Promise<LedgerBench> {
  const bench = createLedgerBench()
  await (await bench.process().ledger.begin(REFUND, options)).settle(DONE)
  return bench
}

describe('a damaged record of an open write', () => {
  test.each<[string, string | number]>([
    ['target', 'another'],
    ['key', 'another'],
    ['state', 'sending'],
    ['turn', 7],
    ['owner', '{}'],
    ['created_at', 1],
    ['record', '{}'],
    ['checksum', '0'],
  ])('blocks every write of its account: %s', async (column, value) => {
    const bench = await inDoubt()
    damage(bench.folder, 'op-1', column, value)
    await expect(bench.process().ledger.begin(refundOf('p2'), AGAIN)).rejects.toMatchObject(DAMAGED)
    expect((await bench.records()).filter(({ id }) => id !== 'op-1')).toEqual([])
  })

  test('does not block other accounts, if its own can be read', async () => {
    const bench = await inDoubt()
    damage(bench.folder, 'op-1')
    await bench.process().ledger.begin({ ...refundOf('p2'), apiKeyId: 'account-2' }, ONCE)
  })

  test('blocks all accounts if its own cannot be read', async () => {
    const bench = await inDoubt()
    damage(bench.folder, 'op-1', 'account', 'account-3')
    for (const apiKeyId of ['account-1', 'account-2'])
      await expect(
        bench.process().ledger.begin({ ...refundOf('p2'), apiKeyId }, AGAIN),
      ).rejects.toMatchObject(DAMAGED)
  })

  test('is not resolved, and blocks nothing once a person has set it aside', async () => {
    const bench = await inDoubt()
    damage(bench.folder, 'op-1')
    const { ledger } = bench.process()
    await expect(ledger.reopen('op-1')).rejects.toMatchObject(DAMAGED)
    expect(await ledger.find('op-1')).toMatchObject({ kind: 'damaged', id: 'op-1', account: 'account-1' })
    expect((await ledger.list({})).damage.records).toHaveLength(1)
    await ledger.setAside('op-1')
    expect((await ledger.list({})).damage).toEqual({ records: [], isMiscounted: false })
    expect(inLedger(bench.folder, (database) => database.all('SELECT id FROM set_aside'))).toMatchObject([
      { id: 'op-1' },
    ])
    await bench.process().ledger.begin(REFUND, ONCE)
  })

  test('is set aside only if it is damaged', async () => {
    const { ledger } = (await inDoubt()).process()
    for (const id of ['op-1', 'op-2'])
      await expect(ledger.setAside(id)).rejects.toMatchObject({ code: 'no_such_operation' })
  })
})

test.each([
  ['open_target', ONCE, 'p1'],
  ['used_ticket', TICKET, 'p2'],
] as const)(
  'no write begins that an open one blocks, whatever the schema says of %s',
  async (index, begin, name) => {
    const bench = createLedgerBench()
    await (await bench.process().ledger.begin(REFUND, begin)).settle(UNKNOWN)
    const path = ledgerPath(bench.folder)
    const bytes = readFileSync(path)
    bytes.write('n', bytes.indexOf("'sending'", bytes.indexOf(`INDEX ${index}`)) + 1)
    writeFileSync(path, bytes)
    await expect(bench.process().ledger.begin(refundOf(name), begin)).rejects.toMatchObject(NO_INDEX)
    expect(await bench.records()).toHaveLength(1)
  },
)

test.each([
  ['is missing', 'DROP INDEX open_target'],
  ['is missing, of tickets', 'DROP INDEX used_ticket'],
  ['is not unique', 'DROP INDEX open_target; CREATE INDEX open_target ON writes(target)'],
  [
    'covers other states',
    "DROP INDEX open_target; CREATE UNIQUE INDEX open_target ON writes(target) WHERE state = 'sending'",
  ],
])(
  'without its unique indexes, a ledger takes no write until a person has set it aside: one %s',
  async (_, sql) => {
    const bench = await inDoubt()
    const connection = loadSqlite()(ledgerPath(bench.folder))
    connection.exec(sql)
    connection.close()
    await expect(bench.process().ledger.begin(refundOf('p2'), AGAIN)).rejects.toMatchObject(NO_INDEX)
    expect((await bench.process().ledger.list({})).records).toMatchObject([{ id: 'op-1', state: 'in-doubt' }])
    expect(inspectLedger(ledgerPath(bench.folder))).toMatchObject({ isDamaged: true, open: 1, lost: [] })
    const wait = () => Promise.resolve()
    await setLedgerAside(ledgerPath(bench.folder), { now: bench.clock.now, wait })
    await expect(bench.process().ledger.begin(REFUND, AGAIN)).rejects.toMatchObject({ code: 'open_intent' })
    await bench.process().ledger.begin(refundOf('p2'), ONCE)
  },
)

test('each write of a process checks the open ones and those of its target', async () => {
  const bench = await inDoubt()
  const { ledger } = bench.process()
  await (await ledger.begin(refundOf('p2'), ONCE)).settle(DONE)
  damage(bench.folder, 'op-2', 'turn', 7)
  await ledger.begin(refundOf('p3'), ONCE)
  await expect(ledger.begin(refundOf('p2', { fingerprint: 'x' }), AGAIN)).rejects.toMatchObject(DAMAGED)
  await expect(ledger.preflight(refundOf('p2', { fingerprint: 'x' }), AGAIN)).rejects.toMatchObject(DAMAGED)
  damage(bench.folder, 'op-1')
  await expect(ledger.begin(refundOf('p4'), ONCE)).rejects.toMatchObject(DAMAGED)
})

describe('a missing record of an open write blocks everything', () => {
  test.each([
    ['removed', 'DELETE FROM writes'],
    ['that looks ended', "UPDATE writes SET state = 'confirmed'"],
    ['under another ID', "UPDATE writes SET id = 'op-9'"],
  ])('%s', async (_, sql) => {
    const bench = await inDoubt()
    inLedger(bench.folder, (database) => database.run(sql))
    const other = { ...refundOf('p2'), apiKeyId: 'account-2' }
    await expect(bench.process().ledger.begin(other, AGAIN)).rejects.toMatchObject(DAMAGED)
    expect((await bench.process().ledger.list({})).damage.isMiscounted).toBe(true)
  })

  test('until the one that looks ended is set aside', async () => {
    const bench = await inDoubt()
    damage(bench.folder, 'op-1', 'state', 'confirmed')
    await bench.process().ledger.setAside('op-1')
    await bench.process().ledger.begin(refundOf('p2'), ONCE)
  })

  test('and a tally that was changed does too', async () => {
    const bench = await done()
    inLedger(bench.folder, (database) => database.run("UPDATE tally SET marks = '0000000000000001'"))
    await expect(bench.process().ledger.begin(refundOf('p2'), ONCE)).rejects.toMatchObject({
      ...DAMAGED,
      details: { next: ['pay ops list --state in-doubt', 'pay ops abandon --damaged-ledger'] },
    })
  })
})

describe('a damaged record of an ended write', () => {
  test('blocks its target however old it is, and none on another payment', async () => {
    const bench = await done()
    damage(bench.folder, 'op-1', 'turn', 7)
    const again = { ...REFUND, idempotencyKey: 'key-2' }
    await expect(bench.process().ledger.begin(again, ONCE)).rejects.toMatchObject(DAMAGED)
    await bench.process().ledger.begin(refundOf('p2'), ONCE)
    bench.waitMs(400 * 24 * 3_600_000)
    await expect(bench.process().ledger.begin(again, AGAIN)).rejects.toMatchObject(DAMAGED)
    await bench.process().ledger.setAside('op-1')
    await bench.process().ledger.begin(again, AGAIN)
  })

  test('blocks a second use of its ticket, however old it is', async () => {
    const bench = await done(TICKET)
    damage(bench.folder, 'op-1', 'turn', 7)
    bench.waitMs(400 * 24 * 3_600_000)
    await expect(bench.process().ledger.begin(REFUND, TICKET)).rejects.toMatchObject(DAMAGED)
  })

  test('counts as a write that may have changed the payment since it was read', async () => {
    const bench = createLedgerBench()
    await (await bench.process().ledger.begin(REFUND, ONCE)).settle(DONE)
    damage(bench.folder, 'op-1', 'turn', 7)
    const adjustment = { ...REFUND, operation: 'payment.adjust', fingerprint: 'to 500' }
    await expect(
      bench.process().ledger.begin(adjustment, { ...AGAIN, knownEnded: [] }),
    ).rejects.toMatchObject(DAMAGED)
  })

  test('makes its key count as used by another write', async () => {
    const bench = await done()
    const intent = await bench.process().ledger.begin({ ...REFUND, fingerprint: 'x' }, AGAIN)
    expect(await intent.isKeyTaken()).toBe(true)
    damage(bench.folder, 'op-1', 'state', 'rejected')
    expect(await intent.isKeyTaken()).toBe(true)
  })

  test('blocks resolving another write on its payment, but not abandoning it', async () => {
    const bench = await done()
    await (await bench.process().ledger.begin({ ...REFUND, fingerprint: 'x' }, AGAIN)).settle(UNKNOWN)
    damage(bench.folder, 'op-1', 'turn', 7)
    const open = await bench.process().ledger.reopen('op-2')
    expect(open.damage).toMatchObject(DAMAGED)
    await open.abandon('looked')
    expect(await bench.open()).toEqual([])
  })
})
