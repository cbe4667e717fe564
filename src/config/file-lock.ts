import { existsSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { UsageError } from '../errors.ts'
import { fallbackOn, systemCode } from '../system-code.ts'
import { shellWord } from '../shell-word.ts'

export interface LockTools {
  /** Must wait the full time. If it throws, waiting for the lock ends with that error. */
  readonly sleep: (ms: number) => Promise<void>
  /** Unique across processes and machines. */
  readonly newId: () => string
}

const POLL_MS = 25
/** Work under the lock takes milliseconds; a lock unchanged for this long has a dead holder. */
const ABANDONED_MS = 5_000
const GIVE_UP_MS = 20_000

/**
 * Runs `work` while no other process runs work under the same lock file.
 * A holder counts as dead when its lock does not change while this process waits. No clocks are compared, so this works on
 * network drives and in containers. `confirm` throws if the lock was lost, for example after the machine was suspended.
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
  let lastHolder: string | undefined
  let unchangedMs = 0
  for (let waitedMs = 0; !claim(path, token); waitedMs += POLL_MS) {
    const holder = readHolder(path)
    unchangedMs = holder === lastHolder ? unchangedMs + POLL_MS : 0
    lastHolder = holder
    if (unchangedMs >= ABANDONED_MS && holder !== undefined) removeAbandoned(path, holder)
    if (waitedMs >= GIVE_UP_MS) throw lockTimeoutError(path)
    await sleep(POLL_MS)
  }
}

/** Only one process can create a file that must not exist. */
function claim(path: string, token: string): boolean {
  try {
    writeFileSync(path, token, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    // Windows reports "access denied" for a file that is being removed.
    if (systemCode(error) === 'EEXIST' || existsSync(path)) return false
    throw error
  }
}

/** Two waiting processes may find the same lock abandoned. Only one may remove it, and only while it is still that lock. */
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

const removeIfThere = (path: string): void => fallbackOn('ENOENT', undefined, () => unlinkSync(path))

const breakingPath = (path: string): string => `${path}.breaking`

function lockTimeoutError(path: string): UsageError {
  return new UsageError(`Another process is changing the profiles: ${path} is still locked`, {
    code: 'config_locked',
    hint: `If no other pay process is running: rm -f ${shellWord(path)} ${shellWord(breakingPath(path))}`,
  })
}

function lockLostError(path: string): UsageError {
  return new UsageError(
    `Nothing was stored: this process was suspended so long that another process took ${path}`,
    {
      code: 'config_locked',
      hint: 'Run the command again.',
    },
  )
}
