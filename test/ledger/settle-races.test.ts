import { writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { OpenIntent } from '../../src/ledger/port.ts'
import { AGAIN, DONE, REFUND, UNKNOWN, createLedgerBench } from './ledger-bench.ts'
import type { LedgerBench } from './ledger-bench.ts'
import { leaveEndedFile } from './ended-file.ts'

/** A process whose first removal of an open record waits for `meanwhile`. */
const slowRemoval = (bench: LedgerBench, meanwhile: () => Promise<void>) => {
  let isFirst = true
  return bench.process({
    disk: {
      ...bench.disk,
      remove: async (path) => {
        if (path.endsWith('.json') && isFirst) {
          isFirst = false
          await meanwhile()
        }
        await bench.disk.remove(path)
      },
    },
  })
}

describe('removing an ended record', () => {
  test('never removes a claim that another process made since it was read', async () => {
    const bench = createLedgerBench()
    await leaveEndedFile(bench)
    let claimed: OpenIntent | undefined
    const late = slowRemoval(bench, async () => {
      claimed = await bench.process().ledger.begin({ ...REFUND, fingerprint: 'another' }, AGAIN)
    })
    await expect(late.ledger.begin(REFUND, AGAIN)).rejects.toMatchObject({ code: 'in_progress' })
    expect(await claimed?.isOurs()).toBe(true)
    expect((await bench.process().ledger.list({ onlyOpen: true })).records).toMatchObject([
      { id: claimed?.id },
    ])
  })

  test('by its owner never removes a claim made after another process ended it', async () => {
    const bench = createLedgerBench()
    let claimed: OpenIntent | undefined
    const far = slowRemoval(bench, async () => {
      // Its outcome is recorded and its file is left: the next process removes it.
      bench.kill(far)
      claimed = await bench.process().ledger.begin({ ...REFUND, fingerprint: 'another' }, AGAIN)
    })
    await (await far.ledger.begin(REFUND, AGAIN)).settle(DONE)
    expect(await claimed?.isOurs()).toBe(true)
  })

  test('keeps it ended even when a power cut restores its file', async () => {
    const bench = createLedgerBench()
    const { path, text } = await leaveEndedFile(bench)
    const next = bench.process()
    const { id } = await next.ledger.begin({ ...REFUND, fingerprint: 'another' }, AGAIN)
    writeFileSync(path, text)
    expect((await bench.process().ledger.list({ onlyOpen: true })).records).toMatchObject([{ id }])
    bench.kill(next)
    await (await bench.process().ledger.reopen(id)).settle(DONE)
    await (await bench.process().ledger.begin(REFUND, AGAIN)).settle(DONE)
    expect(bench.openNames()).toEqual([])
  })

  test('survives a late write of its file: the history shows that it has ended', async () => {
    const bench = createLedgerBench()
    const far = bench.process({
      machine: 'far',
      // It has read the record; another process ends it before this one writes.
      disk: { ...bench.disk, size: async () => 1, names: bench.disk.names },
    })
    const lost = await far.ledger.begin(REFUND, AGAIN)
    bench.waitMs(600_000)
    const open = await bench.process().ledger.reopen(lost.id)
    await open.release()
    const settling = lost.settle(UNKNOWN)
    await (await bench.process().ledger.reopen(lost.id)).settle(DONE)
    await settling.catch(() => undefined)
    const next = await bench.process().ledger.begin({ ...REFUND, fingerprint: 'another' }, AGAIN)
    expect((await bench.process().ledger.list({ onlyOpen: true })).records).toMatchObject([{ id: next.id }])
  })
})
