import { describe, expect, test } from 'vitest'
import { PayError } from '../../../src/errors.ts'
import { ended, newRecord, published } from '../../../src/client/ledger/record.ts'
import type { StoredRecord } from '../../../src/client/ledger/record.ts'
import { damage, inLedger, putRecord } from '../../support/ledger-rows.ts'
import { AGAIN, DONE, REFUND, UNKNOWN, createLedgerBench, refundOf } from './ledger-bench.ts'

const NOW = new Date('2026-03-01T12:00:00.000Z')

/** A record that has ended. */
function pastRecord(id: string, more: Partial<StoredRecord> = {}): StoredRecord {
  const owner = { pid: 1, startedAt: 'x', machine: 'desk' }
  const facts = {
    id,
    now: NOW,
    user: 'ana',
    version: '1',
    owner,
    account: 'account-1',
    moment: {},
    timeoutMs: 30_000,
  }
  return { ...ended(newRecord(REFUND, facts), DONE, NOW, {}), ...more }
}

async function benchWith(...records: readonly StoredRecord[]) {
  const bench = createLedgerBench()
  // Makes the file.
  await (await bench.process().ledger.begin(REFUND, AGAIN)).settle(DONE)
  inLedger(bench.folder, (database) => database.run('DELETE FROM writes'))
  for (const record of records) putRecord(bench.folder, record)
  return bench
}

const codeOf = async (running: Promise<unknown>): Promise<string> =>
  running.then(
    () => 'none',
    (error: unknown) => (error instanceof PayError ? error.code : String(error)),
  )

describe('a filter', () => {
  const bench = () =>
    benchWith(
      pastRecord('op-1', { target: 'p1', createdAt: '2026-03-01T00:00:00.000Z' }),
      pastRecord('op-2', {
        target: 'p1',
        reason: 'ä',
        createdAt: '2026-03-02T00:00:00.000Z',
        state: 'rejected',
      }),
      pastRecord('op-3', { target: 'p11', reason: '"target":"p1"', createdAt: '2026-03-03T00:00:00.000Z' }),
      pastRecord('op-4', {
        target: null,
        operation: 'session.create',
        profile: null,
        createdAt: '2026-03-04T00:00:00.000Z',
      }),
      pastRecord('op-5', {
        target: 'p2',
        reason: ',"target":"p1",',
        profile: 'other',
        createdAt: '2026-03-05T00:00:00.000Z',
      }),
    )

  test.each([
    [{}, ['op-5', 'op-4', 'op-3', 'op-2', 'op-1']],
    [{ targets: ['p1'] }, ['op-2', 'op-1']],
    [{ targets: ['p1', 'p2'] }, ['op-5', 'op-2', 'op-1']],
    [{ targets: ['p'] }, []],
    [{ targets: ['p1"'] }, []],
    [{ states: ['rejected'] }, ['op-2']],
    [{ states: ['rejected', 'confirmed'], targets: ['p1'] }, ['op-2', 'op-1']],
    [{ operations: ['session.create'] }, ['op-4']],
    [{ profile: 'other' }, ['op-5']],
    [{ from: '2026-03-03T00:00:00.000Z' }, ['op-5', 'op-4', 'op-3']],
    [{ to: '2026-03-02T00:00:00.000Z' }, ['op-2', 'op-1']],
    [{ from: '2026-03-02T00:00:00.001Z', to: '2026-03-02T23:59:59.999Z' }, []],
  ] as const)('%j', async (filter, ids) => {
    const { records } = await (await bench()).process().ledger.list(filter)
    expect(records.map(({ id }) => id)).toEqual(ids)
  })
})

test.each([
  {},
  { states: ['in-doubt'] },
  { states: ['rejected'] },
  { targets: ['p"1'] },
  { from: '2026-03-01T12:00:00.000Z' },
] as const)('lines are the published fields of the same records: %j', async (filter) => {
  const hostile = { reason: ',"baseUrl":"x"}\u2028{é', resource: 'r1', note: 'n' }
  const bench = await benchWith(
    pastRecord('past-1', { ...hostile, target: 'p"1' }),
    pastRecord('past-2', { state: 'rejected', createdAt: '2026-03-01T13:00:00.000Z' }),
    pastRecord('past-3', { createdAt: '2026-03-01T11:00:00.000Z' }),
  )
  await (await bench.process().ledger.begin(refundOf('p9', { reason: 'a "b"' }), AGAIN)).settle(UNKNOWN)
  const settled = await bench.process().ledger.begin(refundOf('p8', { currencyCode: undefined }), AGAIN)
  await settled.settle({ ...DONE, currencyCode: 'EUR', resource: 'r2' })
  const { ledger } = bench.process()
  const { records } = await ledger.list(filter)
  expect(records.length).toBeGreaterThan(0)
  expect(await ledger.lines(filter)).toMatchObject({
    records: records.map((record) => JSON.stringify(published(record))),
  })
})

test('an open record is sorted among the rest by its start time', async () => {
  const bench = await benchWith(
    pastRecord('past-1', { createdAt: '2026-03-01T11:00:00.000Z' }),
    pastRecord('past-2', { createdAt: '2026-03-01T13:00:00.000Z' }),
  )
  const process = bench.process()
  const { id } = await process.ledger.begin(refundOf('p9'), AGAIN)
  const ids = async () => (await bench.process().ledger.list({})).records.map((record) => record.id)
  expect(await ids()).toEqual(['past-2', id, 'past-1'])
  bench.kill(process)
  expect((await bench.process().ledger.list({ states: ['in-doubt'] })).records).toMatchObject([{ id }])
})

describe('find', () => {
  test('accepts a unique prefix, and prefers an exact id', async () => {
    const bench = await benchWith(pastRecord('abcd-1'), pastRecord('abcd-12'), pastRecord('beef-1'))
    const { ledger } = bench.process()
    expect(await ledger.find('abcd-1')).toMatchObject({ record: { id: 'abcd-1' } })
    expect(await ledger.find('beef')).toMatchObject({ record: { id: 'beef-1' } })
    expect(await codeOf(ledger.find('abcd'))).toBe('bad_value')
    expect(await codeOf(ledger.find('abc'))).toBe('bad_value')
    expect(await codeOf(ledger.find('cccc'))).toBe('no_such_operation')
  })

  test('ignores the same characters in another field', async () => {
    const { ledger } = (
      await benchWith(
        pastRecord('op-1', { target: 'beef-1', idempotencyKey: 'beef-1', reason: '{"id":"beef-1"}' }),
      )
    ).process()
    expect(await codeOf(ledger.find('beef-1'))).toBe('no_such_operation')
    expect(await codeOf(ledger.find('beef'))).toBe('no_such_operation')
  })

  test('distinguishes an open record from an ended one', async () => {
    const bench = await benchWith(pastRecord('op-2x'))
    const { ledger } = bench.process()
    const open = await ledger.begin(refundOf('p9'), AGAIN)
    expect(open.id).toBe('op-2')
    expect(await ledger.find('op-2')).toMatchObject({ record: { id: 'op-2', state: 'sending' } })
    expect(await ledger.find('op-2x')).toMatchObject({ record: { id: 'op-2x' } })
  })

  test('names the process that is at work', async () => {
    const bench = createLedgerBench()
    const busy = bench.process()
    const { id } = await busy.ledger.begin(REFUND, AGAIN)
    expect(await bench.process().ledger.find(id)).toMatchObject({ owner: busy.owner })
    bench.kill(busy)
    expect(await bench.process().ledger.find(id)).toMatchObject({
      owner: undefined,
      record: { state: 'in-doubt' },
    })
  })
})

test('a list of the records that hold an ID checks no others that have ended', async () => {
  const bench = await benchWith(
    pastRecord('op-1', { target: 'p"1' }),
    pastRecord('op-2', { target: 'order-1', resource: 'p"1' }),
    pastRecord('op-3', { target: 'p2' }),
    pastRecord('op-4', { target: 'p"11' }),
  )
  damage(bench.folder, 'op-3')
  const { ledger } = bench.process()
  const held = await ledger.list({ holding: 'p"1' })
  expect(held.records.map(({ id }) => id).toSorted()).toEqual(['op-1', 'op-2'])
  expect(held.damage.records).toEqual([])
  damage(bench.folder, 'op-2')
  const damaged = await ledger.list({ holding: 'p"1' })
  expect(damaged.damage.records.map(({ id }) => id)).toEqual(['op-2'])
})
