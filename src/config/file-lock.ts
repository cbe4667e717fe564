import { existsSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { UsageError } from '../errors.ts'
import { systemCode } from '../system-code.ts'
import { shellWord } from '../shell-word.ts'

export interface LockTools {
  /** Waits for the whole time, or throws: what it throws ends the waiting for the lock. */
  readonly sleep: (ms: number) => Promise<void>
  /** Unique for each holder, across processes and machines. */
  readonly newId: () => string
}

const POLL_MS = 25
/** The work under the lock takes milliseconds: a holder that has not changed for so long has died. */
const ABANDONED_MS = 5_000
const GIVE_UP_MS = 20_000

/**
 * Does the work while no other process does work under the same lock file.
 * A dead holder is noticed by its lock not changing while this process waits: no clocks are compared, so it holds
 * on network drives and in containers too. `confirm` throws when the lock was lost, as after a long suspension.
 */
export async function withLock<T>(
  path: string,
  tools: LockTools,
  work: (confirm: () => void) => T,
): Promise<T> {
  const token = tools.newId()
  await acquire(path, token, tools)
  try {
    return work(() => {
      if (readHolder(path) !== token) throw lockLostError(path)
    })
  } finally {
    release(path, token)
  }
}

async function acquire(path: string, token: string, { sleep }: LockTools): Promise<void> {
  let seen: string | undefined
  let unchangedMs = 0
  for (let waitedMs = 0; !claim(path, token); waitedMs += POLL_MS) {
    const holder = readHolder(path)
    unchangedMs = holder === seen ? unchangedMs + POLL_MS : 0
    seen = holder
    if (unchangedMs >= ABANDONED_MS && holder !== undefined) removeAbandoned(path, holder)
    if (waitedMs >= GIVE_UP_MS) throw lockTimeoutError(path)
    await sleep(POLL_MS)
  }
}

/** Creating a file that must not exist is the one step that only one process can win. */
function claim(path: string, token: string): boolean {
  try {
    writeFileSync(path, token, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    // Windows says "access denied" of a file that is just being removed.
    if (systemCode(error) === 'EEXIST' || existsSync(path)) return false
    throw error
  }
}

/** Two that wait may find the same lock abandoned at once: only one may remove it, and only while it is that lock. */
function removeAbandoned(path: string, holder: string): void {
  const claimPath = breakingPath(path)
  if (!claim(claimPath, holder)) return
  release(path, holder)
  removeIfThere(claimPath)
}

function release(path: string, token: string): void {
  if (readHolder(path) === token) removeIfThere(path)
}

function readHolder(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function removeIfThere(path: string): void {
  try {
    unlinkSync(path)
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
  }
}

const breakingPath = (path: string): string => `${path}.breaking`

function lockTimeoutError(path: string): UsageError {
  return new UsageError(`The profiles are being changed by another process: ${path} stays taken.`, {
    code: 'config_locked',
    hint: `If no other pay is running: rm -f ${shellWord(path)} ${shellWord(breakingPath(path))}`,
  })
}

function lockLostError(path: string): UsageError {
  return new UsageError(`Nothing was stored: this process was held up so long that another took ${path}.`, {
    code: 'config_locked',
    hint: 'Run the command again.',
  })
}
