import { execFileSync } from 'node:child_process'
import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { DONE, ONCE, REFUND, createLedgerBench, refundOf } from '../ledger-bench.ts'
import { disk, isWindows, newFolder } from './real-disk-bench.ts'

const isRoot = process.getuid?.() === 0

/** Permissions don't stop root, so the test changes the effective user while it runs. */
function asNobody(): void {
  if (!isRoot) return
  process.seteuid?.(65_534)
  onTestFinished(() => process.seteuid?.(0))
}

describe.skipIf(isWindows)('without permission', () => {
  test('to create the folder, nothing is begun and the error names it', async () => {
    const bench = createLedgerBench()
    const parent = join(bench.folder, '..')
    chmodSync(parent, 0o555)
    onTestFinished(() => chmodSync(parent, 0o700))
    asNobody()
    await expect(bench.process().ledger.begin(REFUND, ONCE)).rejects.toMatchObject({
      code: 'ledger_unusable',
      exitCode: 2,
      message: expect.stringContaining('EACCES'),
      details: { outcome: 'none', hint: expect.stringContaining('writable') },
    })
  })

  test('to read a record, it is reported and still blocks its target', async () => {
    const bench = createLedgerBench()
    await bench.process().ledger.begin(REFUND, ONCE)
    const [file = ''] = bench.openNames()
    chmodSync(join(bench.folder, '..'), 0o755)
    for (const name of ['.', 'open']) chmodSync(join(bench.folder, name), 0o777)
    chmodSync(join(bench.folder, 'open', file), isRoot ? 0o600 : 0o000)
    asNobody()
    const { ledger } = bench.process()
    await expect(ledger.begin(REFUND, ONCE)).rejects.toMatchObject({ code: 'ledger_unusable', exitCode: 2 })
    await (await ledger.begin(refundOf('p2'), ONCE)).settle(DONE)
    const { records, damaged } = await ledger.list({})
    expect(records).toMatchObject([{ target: 'p2' }])
    expect(damaged.files).toMatchObject([{ path: join(bench.folder, 'open', file) }])
  })

  test('to write, existing records can still be listed', async () => {
    const bench = createLedgerBench()
    await (await bench.process().ledger.begin(REFUND, ONCE)).settle(DONE)
    execFileSync('chmod', ['-R', 'a=rX', join(bench.folder, '..')])
    onTestFinished(() => void execFileSync('chmod', ['-R', 'u+rwX', join(bench.folder, '..')]))
    asNobody()
    const { ledger } = bench.process()
    expect((await ledger.list({})).records).toMatchObject([{ state: 'confirmed' }])
    await expect(ledger.begin(refundOf('p2'), ONCE)).rejects.toMatchObject({ code: 'ledger_unusable' })
  })
})

/** A disk of 64 kB, where it may be had. */
function smallDisk(): string | undefined {
  const folder = newFolder()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k,mode=700', 'none', folder], { stdio: 'ignore' })
  } catch {
    return undefined
  }
  onTestFinished(() => void execFileSync('umount', ['-l', folder]))
  return folder
}

test('on a full disk nothing is begun, and open writes are not lost', async (context) => {
  const folder = smallDisk()
  if (folder === undefined) return context.skip('no disk can be mounted here')
  const bench = createLedgerBench({ folder: join(folder, 'ledger'), disk })
  const { ledger } = bench.process()
  const begun = await ledger.begin(REFUND, ONCE)
  const fill = (name: string, bytes: number) => {
    try {
      writeFileSync(join(folder, name), 'x'.repeat(bytes))
    } catch {
      // As much as there is room for.
    }
  }
  fill('much', 128 * 1024)
  await expect(ledger.begin(refundOf('p2'), ONCE)).rejects.toMatchObject({
    code: 'ledger_unusable',
    message: expect.stringContaining('ENOSPC'),
    details: { outcome: 'none', hint: expect.stringContaining('full') },
  })
  expect(bench.openNames()).toHaveLength(1)
  await expect(begun.settle(DONE)).rejects.toMatchObject({ code: 'ledger_unusable' })
  rmSync(join(folder, 'much'))
  expect(await ledger.list({})).toMatchObject({ records: [{ state: 'sending' }], damaged: { files: [] } })
  await begun.settle(DONE)
  expect((await ledger.list({})).records).toMatchObject([{ id: begun.id, state: 'confirmed' }])
})
