import type { OpenFolder } from './open-folder.ts'
import type { OpenFile, OwnFile } from './open-files.ts'
import type { StoredRecord } from './record.ts'

/**
 * How one write at a time gets a target. Every claim has a file of its own, so no step can take away another's:
 * 1. announce the claim, under a name that the others see;
 * 2. look whether anything else of this target is there: another claim, or a record that has not ended;
 * 3. where there is nothing, rename the claim to an open record and sync that: only now may it be sent.
 *
 * Of two claims, the one that was announced later always sees the other, so never both go on. Both may see each other:
 * then the one with the greater id withdraws, and the other waits until it has. What is left by a crash before step 3
 * was never sent, and its name says so.
 */

export interface ClaimParts {
  readonly open: OpenFolder
  /** Whether the process that has it is at work. */
  readonly isBusy: (file: OpenFile) => boolean
  /** Whether its end is recorded; then nothing is left of it. */
  readonly hasEnded: (file: OpenFile, id: string) => Promise<boolean>
  readonly wait: (ms: number) => Promise<void>
}

export type Claimed =
  | { readonly kind: 'ours'; readonly file: OwnFile }
  | { readonly kind: 'in-the-way'; readonly file: OpenFile }
  /** A process that took this one for dead has cleared its claim away. */
  | { readonly kind: 'again' }

/** A second in all: what another claim still has to do before it withdraws is to read one file. */
const WAITS_MS = [0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512] as const

/** Where it does not answer `ours`, or fails, nothing is left of the claim. */
export async function claimTarget(parts: ClaimParts, record: StoredRecord): Promise<Claimed> {
  const { open } = parts
  // In most cases what is in the way has been there for a while: nothing is written for that.
  const [before] = await inTheWay(parts, record)
  if (before !== undefined) return { kind: 'in-the-way', file: before }
  try {
    await open.announce(record)
    const file = await waitForOtherClaims(parts, record)
    if (file !== undefined) {
      await open.withdraw(record)
      return { kind: 'in-the-way', file }
    }
    const kept = await open.commit(record)
    return kept === undefined ? { kind: 'again' } : { kind: 'ours', file: kept }
  } catch (error) {
    await open.withdraw(record).catch(() => undefined)
    await open.discard(record).catch(() => undefined)
    throw error
  }
}

/** With its claim announced: what is in the way for good; undefined for nothing. */
async function waitForOtherClaims(parts: ClaimParts, record: StoredRecord): Promise<OpenFile | undefined> {
  let others: readonly OpenFile[] = []
  for (const ms of WAITS_MS) {
    if (ms > 0) await parts.wait(ms)
    others = await inTheWay(parts, record)
    // A claim is renamed once, and a process that reads a large folder meanwhile may see neither of its names.
    if (others.length === 0) others = await inTheWay(parts, record)
    const fixed = others.find((other) => !other.isClaim || other.name < record.id)
    if (fixed !== undefined || others.length === 0) return fixed
  }
  return others[0]
}

async function inTheWay(parts: ClaimParts, record: StoredRecord): Promise<readonly OpenFile[]> {
  const left: OpenFile[] = []
  for (const other of await parts.open.others(record)) if (!(await isOver(parts, other))) left.push(other)
  return left
}

/** Clears away what is. */
async function isOver({ open, isBusy, hasEnded }: ClaimParts, file: OpenFile): Promise<boolean> {
  if (file.record === undefined || isBusy(file)) return false
  if (!file.isClaim) return hasEnded(file, file.record.id)
  await open.remove(file)
  return true
}
