import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Disk } from '../../../src/ledger/disk/disk.ts'
import { realDisk } from '../../../src/ledger/disk/real-disk.ts'
import { groupSyncs } from '../../../src/ledger/disk/grouped-syncs.ts'

/** A disk whose syncs end when the test says so. */
function slowDisk() {
  const syncs: { readonly path: string; readonly end: () => void; readonly fail: (error: Error) => void }[] =
    []
  const disk: Disk = {
    ...realDisk({ canSyncFolders: true }),
    sync: (path) =>
      new Promise((resolve, reject) => {
        syncs.push({ path, end: resolve, fail: reject })
      }),
  }
  return { disk: groupSyncs(disk), syncs }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('a sync that is asked for while another runs waits for one that begins later', async () => {
  const { disk, syncs } = slowDisk()
  const ended: string[] = []
  const note = (name: string) => () => void ended.push(name)
  void disk.sync('a').then(note('first'))
  void disk.sync('a').then(note('second'))
  void disk.sync('a').then(note('third'))
  expect(syncs).toHaveLength(1)

  syncs[0]?.end()
  await settled()
  expect(ended).toEqual(['first'])
  expect(syncs).toHaveLength(2)
  syncs[1]?.end()
  await settled()
  expect(ended).toEqual(['first', 'second', 'third'])
  expect(syncs).toHaveLength(2)
})

test('paths are synced independently', async () => {
  const { disk, syncs } = slowDisk()
  void disk.sync('a')
  void disk.sync('b')

  expect(syncs.map(({ path }) => path)).toEqual(['a', 'b'])
})

test('a failed sync fails those that share it, and no other', async () => {
  const { disk, syncs } = slowDisk()
  const ended: string[] = []
  const watch = (name: string) =>
    disk.sync('a').then(
      () => ended.push(`${name} done`),
      () => ended.push(`${name} failed`),
    )
  const all = [watch('first'), watch('second'), watch('third')]
  syncs[0]?.fail(new Error('EIO'))
  await settled()
  syncs[1]?.end()
  await Promise.all(all)

  expect(ended).toEqual(['first failed', 'second done', 'third done'])
})

test('a sync after all have ended begins another', async () => {
  const { disk, syncs } = slowDisk()
  const first = disk.sync('a')
  syncs[0]?.end()
  await first
  void disk.sync('a')

  expect(syncs).toHaveLength(2)
})

test('a real disk syncs files and folders in a thread, and names what it cannot sync', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pay-syncs-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'file'), 'text')
  const disk = realDisk({ canSyncFolders: true, syncsInThread: true })

  await disk.sync(join(folder, 'file'))
  await disk.sync(folder)
  await expect(disk.sync(join(folder, 'missing'))).rejects.toMatchObject({ code: 'ledger_unusable' })
})
