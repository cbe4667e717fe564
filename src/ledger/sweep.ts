import type { Disk } from './disk.ts'
import { moveBeside } from './move-beside.ts'
import type { OpenFile } from './open-folder.ts'
import type { Owner } from './owner.ts'
import { parseOwner, parseRecord } from './record.ts'

export interface SweepParts {
  readonly disk: Disk
  /** Where the open intents are. */
  readonly folder: string
  readonly own: () => Owner
  /** Whether the process that left something unfinished is there no longer. */
  readonly isGone: (owner: Owner) => boolean
  readonly all: () => Promise<readonly OpenFile[]>
}

/** Removes what crashes have left. Returns how many records were not complete: nothing was sent for those. */
export async function sweep({ disk, folder, own, isGone, all }: SweepParts): Promise<number> {
  const at = (entry: string): string => `${folder}/${entry}`
  const left: string[] = []
  for (const entry of await disk.names(folder)) {
    const [, kind, pid, id] = /^(new|next|turn)-(\d+)-([^.]+)/.exec(entry) ?? []
    if (pid === undefined || id === undefined) {
      await sweepTurn(entry)
      await sweepAside(entry)
      continue
    }
    const text = (await disk.read(at(entry))) ?? ''
    const owner = parseRecord(text)?.owner ?? parseOwner(text) ?? unknownOwner(own(), Number(pid))
    if (!isGone(owner)) continue
    await disk.remove(at(entry))
    if (kind === 'new') left.push(id)
  }
  if (left.length === 0) return 0
  // One that had got its name was complete: only its first name was left.
  const open = new Set((await all()).map(({ record }) => record?.id))
  return left.filter((id) => !open.has(id)).length

  /** A turn at a record that has ended, by a process that could not clear it away. */
  async function sweepTurn(entry: string): Promise<void> {
    const [, name, id] = /^([^.]+)\.([^.]+)\.\d+$/.exec(entry) ?? []
    if (name === undefined || id === undefined) return
    const text = await disk.read(at(`${name}.json`))
    if (text !== undefined && [undefined, id].includes(parseRecord(text)?.id)) return
    const owner = parseOwner((await disk.read(at(entry))) ?? '')
    // Its maker had written it before it got its name: without words in it, a power cut has taken them.
    if (owner === undefined || isGone(owner)) await disk.remove(at(entry))
  }

  /** One that was about to be set aside gets its name again, or one beside it. */
  async function sweepAside(entry: string): Promise<void> {
    const [, pid, name] = /^aside-(\d+)-(.+)\.[\da-f]{8}$/.exec(entry) ?? []
    if (pid === undefined || name === undefined || !isGone(unknownOwner(own(), Number(pid)))) return
    await moveBeside(disk, at(entry), (suffix) => at(`${name}${suffix}.json`))
  }
}

/** Cut short, so that only the number is known. One of this process is whole whenever it can be seen. */
const unknownOwner = (own: Owner, pid: number): Owner => ({
  ...own,
  pid,
  startedAt: pid === own.pid ? 'before' : undefined,
})
