import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { withChecksum } from '../../../src/ledger/files/checksum.ts'
import { parseRecord } from '../../../src/ledger/files/record-text.ts'
import type { StoredRecord } from '../../../src/ledger/files/record.ts'
import { AGAIN, DONE, ONCE, REFUND, createLedgerBench, refundOf } from '../ledger-bench.ts'
import { openRecord, put } from './open-record-bench.ts'

describe('a damaged record', () => {
  test.each([
    ['cut short', '{"id":"op-1","operation":"payment.re'],
    ['empty', ''],
    ['a list', '[]'],
    ['without its target', '{"id":"op-1"}'],
    ['nothing but zeros, as after a power cut', '\0'.repeat(400)],
  ])('can be set aside, which frees its target: %s', async (_, text) => {
    const bench = createLedgerBench()
    const { id, path, owner } = await openRecord(bench)
    writeFileSync(path, text)
    expect(await owner.ledger.find(id)).toEqual({ kind: 'damaged', name: id, path })
    const to = await owner.ledger.setAside(id)
    expect(readFileSync(to, 'utf8')).toBe(text)
    expect(await owner.ledger.list({})).toMatchObject({ damaged: { files: [] } })
    await owner.ledger.begin(REFUND, AGAIN)
  })

  test('is set aside without replacing an earlier one', async () => {
    const bench = createLedgerBench()
    const { id, path, owner } = await openRecord(bench)
    const kept: string[] = []
    for (const text of ['first', 'second', 'third']) {
      writeFileSync(path, text)
      kept.push(await owner.ledger.setAside(id))
    }
    expect(kept.map((to) => readFileSync(to, 'utf8'))).toEqual(['first', 'second', 'third'])
  })

  test('that turns out intact stays where it is', async () => {
    const bench = createLedgerBench()
    const { id, owner } = await openRecord(bench)
    await expect(owner.ledger.setAside(id)).rejects.toMatchObject({ code: 'no_such_operation' })
    expect((await owner.ledger.list({})).records).toMatchObject([{ id }])
  })

  test('that its owner rewrites in between is put back, and blocks the whole time', async () => {
    const bench = createLedgerBench()
    const { id, file, path, owner } = await openRecord(bench)
    const whole = readFileSync(path, 'utf8')
    writeFileSync(path, 'damaged')
    let meanwhile: unknown
    const { ledger } = bench.process({
      disk: {
        ...bench.disk,
        rename: async (from, to) => {
          writeFileSync(path, whole)
          await bench.disk.rename(from, to)
          meanwhile = await bench
            .process()
            .ledger.begin(REFUND, AGAIN)
            .catch((error: unknown) => error)
        },
      },
    })
    await expect(ledger.setAside(id)).rejects.toMatchObject({ code: 'no_such_operation' })
    expect(meanwhile).toMatchObject({ code: 'in_progress' })
    expect((await owner.ledger.list({})).records).toMatchObject([{ id, state: 'sending' }])
    expect(bench.openNames()).toEqual([file])
  })

  test('that a process died while setting aside still blocks, and can be set aside', async () => {
    const bench = createLedgerBench()
    const { id, path, file, owner } = await openRecord(bench)
    writeFileSync(path, 'damaged')
    const aside = path.replace('.json', '.aside')
    renameSync(path, aside)
    await expect(owner.ledger.begin(REFUND, AGAIN)).rejects.toMatchObject({ code: 'ledger_damaged' })
    expect((await owner.ledger.list({})).damaged.files).toMatchObject([{ name: id, path: aside }])
    expect(await owner.ledger.setAside(id)).toBe(`${path}.damaged`)
    expect(bench.openNames()).toEqual([`${file}.damaged`])
    await owner.ledger.begin(REFUND, AGAIN)
  })

  test('that is intact under the name of one being set aside counts as an open record', async () => {
    const bench = createLedgerBench()
    const { id, path, owner } = await openRecord(bench)
    renameSync(path, path.replace('.json', '.aside'))
    bench.kill(owner)
    const { ledger } = bench.process()
    await expect(ledger.begin(REFUND, AGAIN)).rejects.toMatchObject({ code: 'open_intent' })
    await (await ledger.reopen(id)).settle(DONE)
    expect(bench.openNames()).toEqual([])
  })

  test.each(['of another target', 'of another id'])('is one with the name %s', async (which) => {
    const bench = createLedgerBench()
    const { id, path, owner } = await openRecord(bench)
    const [from, to] = which === 'of another id' ? [id, 'op-77'] : [/[\da-f]{32}/, 'f'.repeat(32)]
    renameSync(path, path.replace(from, to))
    const { records, damaged } = await owner.ledger.list({})
    expect([records.length, damaged.files.length]).toEqual([0, 1])
  })

  test('blocks its target even under an unknown name', async () => {
    const bench = createLedgerBench()
    const { target, path, owner } = await openRecord(bench)
    renameSync(path, join(bench.folder, 'open', `${target}.json`))
    await expect(owner.ledger.begin(REFUND, AGAIN)).rejects.toMatchObject({ code: 'ledger_damaged' })
    expect((await owner.ledger.list({})).damaged.files).toMatchObject([{ name: target }])
    await owner.ledger.setAside(target)
    await owner.ledger.begin(REFUND, AGAIN)
  })

  test('hides no other record, and neither does a folder of such a name', async () => {
    const bench = createLedgerBench()
    const { id, owner } = await openRecord(bench)
    await owner.ledger.begin(refundOf('p2'), ONCE)
    put(bench, 'bb.json', 'x')
    mkdirSync(join(bench.folder, 'open', 'cc.json'))
    const { records, damaged } = await bench.process().ledger.list({})
    expect(records.map((record) => record.id)).toContain(id)
    expect(records).toHaveLength(2)
    expect(damaged.files.map(({ name }) => name).toSorted()).toEqual(['bb', 'cc'])
  })
})

describe('a record of a newer version', () => {
  test.each([
    ['with a field', (record: StoredRecord) => ({ ...record, seal: { of: 'wax' } })],
    ['in a state', (record: StoredRecord) => ({ ...record, state: 'waiting-for-approval' })],
  ])('%s that is not known here blocks its target, is reported, and is never lost', async (_, change) => {
    const bench = createLedgerBench()
    const { id, path, owner } = await openRecord(bench)
    const record = parseRecord(readFileSync(path, 'utf8'))
    if (record === undefined) throw new Error('no record')
    const text = withChecksum(JSON.stringify(change(record)))
    writeFileSync(path, text)
    await expect(owner.ledger.begin(REFUND, AGAIN)).rejects.toMatchObject({
      code: 'ledger_damaged',
      exitCode: 6,
    })
    expect((await owner.ledger.list({})).damaged.files).toMatchObject([{ name: id }])
    expect(readFileSync(await owner.ledger.setAside(id), 'utf8')).toBe(text)
  })
})

test('nothing is begun when the folder of open records is unusable', async () => {
  const bench = createLedgerBench()
  mkdirSync(bench.folder, { recursive: true })
  writeFileSync(join(bench.folder, 'open'), 'a file')
  chmodSync(join(bench.folder, 'open'), 0o600)
  await expect(bench.process().ledger.begin(REFUND, ONCE)).rejects.toMatchObject({
    code: 'ledger_unusable',
    exitCode: 2,
    details: { outcome: 'none' },
  })
})
