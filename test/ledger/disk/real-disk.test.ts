import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { realDisk } from '../../../src/ledger/disk/real-disk.ts'
import { DONE, ONCE, REFUND, UNKNOWN, createLedgerBench, namesIn, refundOf } from '../ledger-bench.ts'
import { disk, isWindows, newFolder } from './real-disk-bench.ts'

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

async function partsOf(path: string): Promise<readonly string[]> {
  const parts: string[] = []
  for await (const part of disk.readBackwards(path)) parts.push(part)
  return parts
}

function withUmask(mask: number): void {
  const before = process.umask(mask)
  onTestFinished(() => void process.umask(before))
}

describe('a file system', () => {
  test('returns undefined for what does not exist', async () => {
    const folder = newFolder()
    const path = join(folder, 'none')
    expect(await disk.names(path)).toEqual([])
    expect(await disk.read(path)).toBeUndefined()
    expect(await disk.read(path, 5)).toBeUndefined()
    expect(await disk.size(path)).toBeUndefined()
    expect(await disk.write(join(path, 'x'), 'text')).toBe('no-folder')
    await disk.remove(path)
  })

  test('reads from an offset, and nothing past the end', async () => {
    const path = join(newFolder(), 'a')
    await disk.write(path, 'aé\nb')
    expect(await disk.size(path)).toBe(5)
    expect(await disk.read(path)).toBe('aé\nb')
    expect(await disk.read(path, 3)).toBe('\nb')
    expect(await disk.read(path, 5)).toBe('')
    expect(await disk.read(path, 99)).toBe('')
    // Half a character is one that cannot be read, and no error.
    expect(await disk.read(path, 2)).toBe('\uFFFD\nb')
  })

  test('reads a file from its end, without what is appended meanwhile', async () => {
    const path = join(newFolder(), 'a')
    await disk.append(path, 'first\n'.repeat(10_000))
    const parts: string[] = []
    for await (const part of disk.readBackwards(path)) {
      parts.unshift(part)
      await disk.append(path, 'later\n')
    }
    expect(parts.length).toBeGreaterThan(1)
    expect(parts.join('')).toBe('first\n'.repeat(10_000))
    expect(await partsOf(join(newFolder(), 'none'))).toEqual([])
  })

  test.each(['a'.repeat(50_000), 'é'.repeat(50_000), '😀\u0000"\\'])(
    'writes and adds texts whole: %#',
    async (text) => {
      const path = join(newFolder(), 'a')
      await disk.append(path, text)
      await disk.append(path, text)
      expect(await disk.read(path)).toBe(text + text)
    },
  )

  test('never overwrites a file', async () => {
    const path = join(newFolder(), 'a')
    await disk.write(path, 'first')
    await expect(disk.write(path, 'second')).rejects.toMatchObject({ code: 'ledger_unusable' })
    expect(await disk.read(path)).toBe('first')
  })

  test('links a name for one of many contenders only', async () => {
    const folder = newFolder()
    for (const name of ['a', 'b', 'c']) await disk.write(join(folder, name), name)
    const got = await Promise.all(
      ['a', 'b', 'c'].map((name) => disk.link(join(folder, name), join(folder, 'it'))),
    )
    expect(got.filter(Boolean)).toHaveLength(1)
    expect(await disk.read(join(folder, 'it'))).toBe(['a', 'b', 'c'][got.indexOf(true)])
  })

  test('does not follow a symbolic link in place of a file', async () => {
    const folder = newFolder()
    writeFileSync(join(folder, 'theirs'), 'theirs')
    symlinkSync(join(folder, 'theirs'), join(folder, 'a'))
    await expect(disk.write(join(folder, 'a'), 'mine')).rejects.toMatchObject({ code: 'ledger_unusable' })
    expect(readFileSync(join(folder, 'theirs'), 'utf8')).toBe('theirs')
  })

  test('syncs files and folders, and fails when there is nothing to sync', async () => {
    const folder = newFolder()
    await disk.write(join(folder, 'a'), 'x')
    await disk.sync(join(folder, 'a'))
    await disk.sync(folder)
    await realDisk({ canSyncFolders: false }).sync(folder)
    await realDisk({ canSyncFolders: false }).sync(join(folder, 'a'))
    await expect(disk.sync(join(folder, 'none'))).rejects.toMatchObject({ code: 'ledger_unusable' })
  })

  test.each<[string, (folder: string) => Promise<unknown>]>([
    ['a folder read as a file', (folder) => disk.read(folder)],
    ['a folder read from its end', (folder) => partsOf(folder)],
    ['a folder added to', (folder) => disk.append(folder, 'x')],
    ['a file taken for a folder', (folder) => disk.names(join(folder, 'file'))],
    ['a file on the way to a folder', (folder) => disk.makeFolder(join(folder, 'file', 'open'))],
    ['a file on the way to a file', (folder) => disk.write(join(folder, 'file', 'x'), 'x')],
    ['a file in the place of a folder', (folder) => disk.makeFolder(join(folder, 'file'))],
    ['nothing to give another name to', (folder) => disk.rename(join(folder, 'none'), join(folder, 'b'))],
    ['nothing to link', (folder) => disk.link(join(folder, 'none'), join(folder, 'b'))],
    ['a name that is too long', (folder) => disk.write(join(folder, 'x'.repeat(300)), 'x')],
  ])('names the path and what to do: %s', async (_, work) => {
    const folder = newFolder()
    writeFileSync(join(folder, 'file'), '')
    await expect(work(folder)).rejects.toMatchObject({
      code: 'ledger_unusable',
      exitCode: 2,
      message: expect.stringContaining(folder),
      details: { outcome: 'none', hint: expect.stringContaining('PAY_STATE_DIR') },
    })
  })
})

describe.skipIf(isWindows).each([0o000, 0o022, 0o077, 0o777])('with umask %i', (mask) => {
  test('only the owner has access to files and folders', async () => {
    const folder = join(newFolder(), 'state', 'pay', 'ledger')
    withUmask(mask)
    await disk.makeFolder(join(folder, 'open'))
    await disk.write(join(folder, 'open', 'a'), 'x')
    await disk.append(join(folder, 'history'), 'x')
    await disk.link(join(folder, 'open', 'a'), join(folder, 'open', 'b'))
    for (const path of ['', 'open', '..', '../..']) expect(modeOf(join(folder, path)), path).toBe('700')
    for (const path of ['open/a', 'open/b', 'history']) expect(modeOf(join(folder, path)), path).toBe('600')
  })

  test('a write is recorded from intent to outcome', async () => {
    const bench = createLedgerBench()
    withUmask(mask)
    const { ledger } = bench.process()
    await (await ledger.begin(REFUND, ONCE)).settle(DONE)
    await (await ledger.begin(refundOf('p2'), ONCE)).settle(UNKNOWN)
    expect((await ledger.list({})).records).toHaveLength(2)
    for (const name of ['.', 'open']) expect(modeOf(join(bench.folder, name))).toBe('700')
    for (const name of ['history-2026-03.ndjson', `open/${bench.openNames()[0]}`])
      expect(modeOf(join(bench.folder, name))).toBe('600')
  })
})

test.skipIf(isWindows)('files in a world-writable folder are private too', async () => {
  const bench = createLedgerBench()
  mkdirSync(join(bench.folder, 'open'), { recursive: true })
  for (const name of ['.', 'open']) chmodSync(join(bench.folder, name), 0o777)
  const { ledger } = bench.process()
  await (await ledger.begin(REFUND, ONCE)).settle(DONE)
  await ledger.begin(refundOf('p2'), ONCE)
  for (const name of ['history-2026-03.ndjson', `open/${bench.openNames()[0]}`])
    expect(modeOf(join(bench.folder, name))).toBe('600')
})

test('new nested folders are synced, up to the first existing one', async () => {
  const folder = newFolder()
  await disk.makeFolder(join(folder, 'a/b/c/d'))
  await disk.makeFolder(join(folder, 'a/b/c/d'))
  expect(namesIn(join(folder, 'a/b/c'))).toEqual(['d'])
})
