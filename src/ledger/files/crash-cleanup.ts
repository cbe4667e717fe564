import type { Disk } from '../disk/disk.ts'
import { fileOf } from './open-entry.ts'
import type { OpenFile } from './open-files.ts'
import type { Owner } from './owner.ts'
import { parseOwner } from './record-text.ts'
import { parseRecord } from './record-text.ts'
import { withoutChecksum } from './checksum.ts'

export interface CleanupParts {
  readonly disk: Disk
  /** The folder of the open records. */
  readonly folder: string
  readonly own: () => Owner
  /** Whether a process has ended. */
  readonly isGone: (owner: Owner) => boolean
  readonly all: () => Promise<readonly OpenFile[]>
  readonly isBusy: (file: OpenFile) => boolean
}

/** Removes temporary files of crashed processes. Returns the number of incomplete records, for which nothing was sent. */
export async function cleanUpAfterCrash({
  disk,
  folder,
  own,
  isGone,
  all,
  isBusy,
}: CleanupParts): Promise<number> {
  const at = (entry: string): string => `${folder}/${entry}`
  const left = new Set<string>()
  const names = await disk.names(folder)
  const there = new Set(names)
  for (const entry of names) {
    const [, kind, pid, id] = /^(new|next|turn)-(\d+)-([^.]+)/.exec(entry) ?? []
    if (pid === undefined || id === undefined) {
      await removeOrphanedTakeover(entry)
      continue
    }
    const text = (await disk.read(at(entry))) ?? ''
    const owner = parseRecord(text)?.owner ?? ownerIn(text) ?? unknownOwner(own(), Number(pid))
    if (!isGone(owner)) continue
    await disk.remove(at(entry))
    if (kind === 'new') left.add(id)
  }
  const claims = names.some((name) => name.endsWith('.claim'))
  if (left.size === 0 && !claims) return 0
  for (const file of await all()) {
    if (file.isClaim && file.record !== undefined && !isBusy(file)) {
      await disk.remove(at(file.file))
      left.add(file.name)
    } else left.delete(file.name)
  }
  return left.size

  /** Removes the takeover file of a record that has ended, if its process could not remove it. */
  async function removeOrphanedTakeover(entry: string): Promise<void> {
    const [, target, name] = /^([^.]+)\.([^.]+)\.\d+$/.exec(entry) ?? []
    if (target === undefined || name === undefined) return
    if ((['claim', 'json', 'aside'] as const).some((stage) => there.has(fileOf({ target, name }, stage))))
      return
    const owner = ownerIn((await disk.read(at(entry))) ?? '')
    if (owner === undefined || isGone(owner)) await disk.remove(at(entry))
  }
}

const ownerIn = (text: string): Owner | undefined => parseOwner(withoutChecksum(text) ?? '')

/**
 * The owner of a file that is cut short: only the process number in its name is known. If that is this process's number, an
 * earlier process had it, because this process never leaves such a file.
 */
const unknownOwner = (own: Owner, pid: number): Owner => ({
  ...own,
  pid,
  startedAt: pid === own.pid ? 'before' : undefined,
})
