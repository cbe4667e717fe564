import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { PayError } from '../../src/errors.ts'
import type { BeginOptions } from '../../src/ledger/port.ts'
import { AGAIN, DONE, ONCE, REFUND, TICKET, UNKNOWN, createLedgerBench } from './ledger-bench.ts'
import type { LedgerBench } from './ledger-bench.ts'
import { FULL, tripping } from './faulty-disk.ts'

describe('a write killed before its pending checks', () => {
  /** Dies as soon as it has claimed the target: its record has the name of an open one. */
  async function claimOnly(bench: LedgerBench, options: BeginOptions): Promise<string> {
    let renames = 0
    const dying = bench.process({
      disk: tripping(bench.disk, (_, name) => {
        if (renames === 2) throw new Error('killed')
        if (name === 'rename') renames += 1
      }),
    })
    await expect(dying.ledger.begin(REFUND, options)).rejects.toThrow('killed')
    bench.kill(dying)
    const [record] = (await bench.process().ledger.list({ onlyOpen: true })).records
    expect(record).toMatchObject({ state: 'in-doubt' })
    return record?.id ?? ''
  }

  test.each([
    ['the same, just before', ONCE, 'duplicate', 'the same write was done'],
    ['the same ticket, long ago', TICKET, 'already_done', 'lready done for this ticket'],
  ] as const)('is not sent by a resolve when a check fails: %s', async (_, options, code, words) => {
    const bench = createLedgerBench()
    await (await bench.process().ledger.begin(REFUND, options)).settle(DONE)
    if (options.isTicket) bench.waitMs(90 * 24 * 3_600_000)
    const open = await bench.process().ledger.reopen(await claimOnly(bench, options))
    expect(open.stoppedBy).toBeInstanceOf(PayError)
    expect(open.stoppedBy).toMatchObject({ code, exitCode: 6 })
    expect(open.stoppedBy?.message).toContain(words)
  })

  test.each([ONCE, TICKET])('is not stopped when no equal write was done', async (options) => {
    const bench = createLedgerBench()
    const open = await bench.process().ledger.reopen(await claimOnly(bench, options))
    expect(open.stoppedBy).toBeUndefined()
    await open.settle(UNKNOWN)
    expect(readFileSync(join(bench.folder, 'open', bench.openNames()[0] ?? ''), 'utf8')).not.toContain(
      'unasked',
    )
  })

  test('is released when the history cannot be read', async () => {
    const bench = createLedgerBench()
    await (await bench.process().ledger.begin(REFUND, ONCE)).settle(DONE)
    const id = await claimOnly(bench, ONCE)
    const disk = tripping(bench.disk, (_, name) => {
      if (name === 'readBackwards') throw FULL
    })
    await expect(bench.process({ disk }).ledger.reopen(id)).rejects.toBe(FULL)
    expect((await bench.process().ledger.reopen(id)).stoppedBy).toMatchObject({ code: 'duplicate' })
  })

  test('needs no check after --again', async () => {
    const bench = createLedgerBench()
    await (await bench.process().ledger.begin(REFUND, ONCE)).settle(DONE)
    const dead = bench.process()
    const { id } = await dead.ledger.begin(REFUND, AGAIN)
    bench.kill(dead)
    expect((await bench.process().ledger.reopen(id)).stoppedBy).toBeUndefined()
  })
})
