import type { OpenFolder } from './open-folder.ts'
import type { OpenFile, OwnFile } from './open-files.ts'
import type { StoredRecord } from './record.ts'

/**
 * Ensures that only one write at a time has a target. Every claim has its own file, so no step can remove another's:
 * 1. announce the claim, under a name that the others see;
 * 2. look for anything else on this target: another claim, or a record that has not ended;
 * 3. if there is nothing, rename the claim to an open record and sync it: only then may it be sent.
 *
 * Of two simultaneous claims, the later one always sees the earlier, so at most one proceeds. If each sees the other, the
 * one with the greater id withdraws and the other waits for it. The name of a file that a crash leaves before step 3 shows
 * that the write was never sent.
 */

export interface ClaimParts {
  readonly open: OpenFolder
  /** Whether the owner's process is working on it. */
  readonly isBusy: (file: OpenFile) => boolean
  /** Whether its outcome is recorded; removes its file if so. */
  readonly hasEnded: (file: OpenFile, id: string) => Promise<boolean>
  readonly wait: (ms: number) => Promise<void>
}

export type ClaimResult =
  | { readonly kind: 'ours'; readonly file: OwnFile }
  | { readonly kind: 'blocked'; readonly file: OpenFile }
  /** Another process took this one for dead and removed its claim: try again. */
  | { readonly kind: 'retry' }

/** One second in total. That is enough: another claim only reads a file before it withdraws. */
const WAITS_MS = [0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512] as const

/**
 * Claims the target of a record. Leaves no file behind unless it returns `ours`, even when it throws.
 * @throws {PayError} exit 2 if the ledger can't be written
 */
export async function claimTarget(parts: ClaimParts, record: StoredRecord): Promise<ClaimResult> {
  const { open } = parts
  // Check before writing: usually, a blocking file isn't new.
  const [before] = await findBlockers(parts, record)
  if (before !== undefined) return { kind: 'blocked', file: before }
  try {
    await open.announce(record)
    const file = await waitForOtherClaims(parts, record)
    if (file !== undefined) {
      await open.withdraw(record)
      return { kind: 'blocked', file }
    }
    const kept = await open.commit(record)
    return kept === undefined ? { kind: 'retry' } : { kind: 'ours', file: kept }
  } catch (error) {
    await open.withdraw(record).catch(() => undefined)
    await open.discard(record).catch(() => undefined)
    throw error
  }
}

/** With the claim announced: returns what blocks the target for good, or undefined for nothing. */
async function waitForOtherClaims(parts: ClaimParts, record: StoredRecord): Promise<OpenFile | undefined> {
  let others: readonly OpenFile[] = []
  for (const ms of WAITS_MS) {
    if (ms > 0) await parts.wait(ms)
    others = await findBlockers(parts, record)
    // Read the folder twice: while a file is renamed, a listing of a large folder may contain neither of its names.
    if (others.length === 0) others = await findBlockers(parts, record)
    const fixed = others.find((other) => !other.isClaim || other.name < record.id)
    if (fixed !== undefined || others.length === 0) return fixed
  }
  return others[0]
}

/** The other files on the target that still count. */
async function findBlockers(parts: ClaimParts, record: StoredRecord): Promise<readonly OpenFile[]> {
  const left: OpenFile[] = []
  for (const other of await parts.open.others(record)) if (!(await isOver(parts, other))) left.push(other)
  return left
}

/** Whether the file has stopped blocking the target; if so, removes it. */
async function isOver({ open, isBusy, hasEnded }: ClaimParts, file: OpenFile): Promise<boolean> {
  if (file.record === undefined || isBusy(file)) return false
  if (!file.isClaim) return hasEnded(file, file.record.id)
  await open.remove(file)
  return true
}
