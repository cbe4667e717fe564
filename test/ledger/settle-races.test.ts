import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { OpenIntent } from '../../src/ledger/port.ts'
import { AGAIN, DONE, REFUND, UNKNOWN, createLedgerBench } from './ledger-bench.ts'
import type { LedgerBench } from './ledger-bench.ts'

/** A record whose end is recorded and whose file was left, as by a process that was killed between the two. */
async function leftFile(bench: LedgerBench): Promise<{ readonly path: string; readonly text: string }> {
  const dead = bench.process()
  const intent = await dead.ledger.begin(REFUND, AGAIN)
  const path = join(bench.folder, 'open', bench.openNames()[0] ?? '')
  const text = readFileSync(path, 'utf8')
  await intent.settle(DONE)
  bench.kill(dead)
  writeFileSync(path, text)
  return { path, text }
}

/** A process whose removals of open records wait until the others have done something. */
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

describe('removing what has ended', () => {
  test('never removes what another process has claimed since it was looked at', async () => {
    const bench = createLedgerBench()
    await leftFile(bench)
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

  test('by the one who ends it never removes what was claimed after it had been ended by another', async () => {
    const bench = createLedgerBench()
    let claimed: OpenIntent | undefined
    const far = slowRemoval(bench, async () => {
      // Its end is recorded, and its file is left: the next one clears that away.
      bench.kill(far)
      claimed = await bench.process().ledger.begin({ ...REFUND, fingerprint: 'another' }, AGAIN)
    })
    await (await far.ledger.begin(REFUND, AGAIN)).settle(DONE)
    expect(await claimed?.isOurs()).toBe(true)
  })

  test('leaves what comes back after a power cut known to be over', async () => {
    const bench = createLedgerBench()
    const { path, text } = await leftFile(bench)
    const next = bench.process()
    const { id } = await next.ledger.begin({ ...REFUND, fingerprint: 'another' }, AGAIN)
    writeFileSync(path, text)
    expect((await bench.process().ledger.list({ onlyOpen: true })).records).toMatchObject([{ id }])
    bench.kill(next)
    await (await bench.process().ledger.reopen(id)).settle(DONE)
    await (await bench.process().ledger.begin(REFUND, AGAIN)).settle(DONE)
    expect(bench.openNames()).toEqual([])
  })

  test('is not undone for good by who writes late: the history tells that it is over', async () => {
    const bench = createLedgerBench()
    const far = bench.process({
      machine: 'far',
      // It has looked, and another ends the record before it writes.
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
