import * as fc from 'fast-check'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { PayError } from '../../src/errors.ts'
import { STATES, ended, newRecord } from '../../src/ledger/files/record.ts'
import { parseRecord } from '../../src/ledger/files/record-text.ts'
import { recordText } from '../../src/ledger/files/record-text.ts'
import type { StoredRecord } from '../../src/ledger/files/record.ts'
import { AGAIN, DONE, REFUND, createLedgerBench, refundOf } from './ledger-bench.ts'

const NOW = new Date('2026-03-01T12:00:00.000Z')

/** A record as the history has it. */
function pastRecord(id: string, more: Partial<StoredRecord> = {}): StoredRecord {
  const owner = { pid: 1, startedAt: 'x', machine: 'desk' }
  const facts = { id, now: NOW, user: 'ana', version: '1', owner }
  return { ...ended(newRecord(REFUND, AGAIN, facts), DONE, NOW), ...more }
}

function benchWith(...records: readonly StoredRecord[]) {
  const bench = createLedgerBench()
  mkdirSync(bench.folder, { recursive: true })
  writeFileSync(
    join(bench.folder, 'history-2026-03.ndjson'),
    records.map((record) => `${recordText(record)}\n`).join(''),
  )
  return bench
}

const codeOf = async (running: Promise<unknown>): Promise<string> =>
  running.then(
    () => 'none',
    (error: unknown) => (error instanceof PayError ? error.code : String(error)),
  )

describe('a line of the history', () => {
  test.each([
    ['a quote', { reason: 'say "no"' }],
    ['a field in its words', { reason: '","state":"rejected","x":"' }],
    ['a backslash', { user: 'desk\\ana' }],
    ['other letters', { reason: 'Größe, 大' }],
    ['a control character', { target: '\u001B[2J' }],
    ['a figure of 16 digits', { amount: 9_007_199_254_740_991 }],
  ] as const)('with %s gives the same record', (_, more) => {
    const record = pastRecord('op-1', more)
    expect(parseRecord(recordText(record))).toEqual(record)
  })

  const whole = recordText(pastRecord('op-1'))
  test.each([
    ['cut short', whole.slice(0, -1)],
    ['cut in the middle', whole.slice(0, 200)],
    ['two in one', `${whole}${whole}`],
    ['with an unknown state', whole.replace('"confirmed"', '"finished"')],
    ['with an amount that is no integer', whole.replace('"amount":500', '"amount":5.5')],
    ['with a month that is none', whole.replaceAll('2026-03-01', '2026-13-01')],
    ['of something else', '{"hello":1}'],
    ['of no JSON', 'hello'],
  ])('%s is rejected', (_, line) => {
    expect(parseRecord(line)).toBeUndefined()
  })
})

test('any record can be read back from its line', () => {
  const text = fc.oneof(fc.stringMatching(/^[ -~]{0,12}$/), fc.stringMatching(/^[\w {}:,-]{0,12}$/))
  const textOrNull = fc.option(text)
  const amount = fc.option(fc.maxSafeInteger())
  const fields = fc.record({
    operation: text,
    profile: textOrNull,
    target: textOrNull,
    amount,
    currencyCode: textOrNull,
    idempotencyKey: textOrNull,
    state: fc.constantFrom('confirmed', 'rejected', 'abandoned'),
    exitCode: fc.option(fc.integer()),
    reason: textOrNull,
    user: text,
    host: text,
    version: text,
    note: textOrNull,
  })
  fc.assert(
    fc.property(fields, (drawn) => {
      const record = pastRecord('op-1', drawn)
      expect(parseRecord(recordText(record))).toEqual(record)
    }),
    { numRuns: 500, seed: 1 },
  )
})

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
    const { records } = await bench().process().ledger.list(filter)
    expect(records.map(({ id }) => id)).toEqual(ids)
  })

  test('by state uses only the last line of a record', async () => {
    const twice = benchWith(pastRecord('op-1', { state: 'rejected' }), pastRecord('op-1'))
    const { ledger } = twice.process()
    expect((await ledger.list({ states: ['rejected'] })).records).toEqual([])
    expect((await ledger.list({ states: ['confirmed'] })).records).toHaveLength(1)
  })
})

describe('an open record', () => {
  test('is sorted among the rest by its start time', async () => {
    const bench = benchWith(
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

  test.each(STATES)(
    'but has ended, as after a kill in between, does not count as open (%s)',
    async (state) => {
      const bench = createLedgerBench()
      const killed = bench.process()
      const { id } = await killed.ledger.begin(refundOf('p9'), AGAIN)
      bench.kill(killed)
      writeFileSync(join(bench.folder, 'history-2026-03.ndjson'), `${recordText(pastRecord(id))}\n`)
      const { ledger } = bench.process()
      expect((await ledger.list({ onlyOpen: true })).records).toEqual([])
      expect((await ledger.list({ states: [state] })).records).toHaveLength(state === 'confirmed' ? 1 : 0)
      expect(await ledger.find(id)).toMatchObject({ record: { state: 'confirmed' } })
    },
  )

  test('is not changed by a read-only listing', async () => {
    const bench = createLedgerBench()
    const { ledger } = bench.process()
    await (await ledger.begin(REFUND, AGAIN)).settle(DONE)
    const left = join(bench.folder, 'open', 'new-77-op-77')
    writeFileSync(left, '{"id":"op-77"')
    expect(await ledger.list({ isReadOnly: true })).toMatchObject({ cutShort: 0 })
    expect(bench.openNames()).toEqual(['new-77-op-77'])
    expect(await ledger.list({})).toMatchObject({ cutShort: 1 })
    expect(bench.openNames()).toEqual([])
  })
})

describe('find', () => {
  test('accepts a unique prefix, and prefers an exact id', async () => {
    const { ledger } = benchWith(pastRecord('abcd-1'), pastRecord('abcd-12'), pastRecord('beef-1')).process()
    expect(await ledger.find('abcd-1')).toMatchObject({ record: { id: 'abcd-1' } })
    expect(await ledger.find('beef')).toMatchObject({ record: { id: 'beef-1' } })
    expect(await codeOf(ledger.find('abcd'))).toBe('bad_value')
    expect(await codeOf(ledger.find('abc'))).toBe('bad_value')
    expect(await codeOf(ledger.find('cccc'))).toBe('no_such_operation')
  })

  test('ignores the same characters in another field', async () => {
    const { ledger } = benchWith(
      pastRecord('op-1', { target: 'beef-1', idempotencyKey: 'beef-1', reason: '{"id":"beef-1"}' }),
    ).process()
    expect(await codeOf(ledger.find('beef-1'))).toBe('no_such_operation')
    expect(await codeOf(ledger.find('beef'))).toBe('no_such_operation')
  })

  test("searches every month and returns a record's last line", async () => {
    const bench = benchWith(pastRecord('op-1', { state: 'rejected' }), pastRecord('op-1'))
    writeFileSync(join(bench.folder, 'history-2025-01.ndjson'), `${recordText(pastRecord('old-1'))}\n`)
    const { ledger } = bench.process()
    expect(await ledger.find('op-1')).toMatchObject({ record: { state: 'confirmed' } })
    expect(await ledger.find('old-1')).toMatchObject({ record: { id: 'old-1' } })
  })

  test('distinguishes an open record from an ended one', async () => {
    const bench = benchWith(pastRecord('op-1x'))
    const { ledger } = bench.process()
    const open = await ledger.begin(refundOf('p9'), AGAIN)
    expect(open.id).toBe('op-1')
    expect(await ledger.find('op-1')).toMatchObject({ record: { id: 'op-1', state: 'sending' } })
    expect(await ledger.find('op-1x')).toMatchObject({ record: { id: 'op-1x' } })
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
