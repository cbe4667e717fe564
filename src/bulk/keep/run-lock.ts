import { linkSync, readFileSync, readdirSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { EXIT, PayError } from '../../errors.ts'
import { systemCode } from '../../system-code.ts'

/** A process as this machine knows it again. */
export interface Holder {
  /** What it writes of itself. */
  readonly words: string
  /** Whether what was written at that time is of a process that is at work. */
  readonly isAtWork: (words: string, sinceMs: number) => boolean
  /** No other process's. */
  readonly id: string
}

/**
 * One process for each run: the one whose file has the highest turn. Who finds it dead makes the next turn's file, by a
 * link that only one can make, and looks once more: nothing is removed to take the place, so two that try at once
 * cannot both have it. Returns what gives the place back.
 */
export function lockRun(
  folder: string,
  run: string,
  holder: Holder,
  message = 'This import is running already, in another process',
): () => void {
  const prefix = `${run}.lock.`
  const made = `${folder}/${run}.new-${holder.id}`
  writeFileSync(made, holder.words, { mode: 0o600 })
  try {
    for (;;) {
      const before = transactionsIn(folder, prefix)
      if (before.some((turn) => isHeld(`${folder}/${prefix}${turn}`, holder))) throw alreadyRunning(message)
      const mine = Math.max(0, ...before) + 1
      if (!linked(made, `${folder}/${prefix}${mine}`)) continue
      // Another may have looked when a third one was about to leave, and have got another turn.
      const rival = transactionsIn(folder, prefix).find(
        (turn) => turn !== mine && isHeld(`${folder}/${prefix}${turn}`, holder),
      )
      if (rival !== undefined) {
        removeIfThere(`${folder}/${prefix}${mine}`)
        if (rival > mine) throw alreadyRunning(message)
        continue
      }
      for (const turn of before) removeIfThere(`${folder}/${prefix}${turn}`)
      return () => removeIfThere(`${folder}/${prefix}${mine}`)
    }
  } finally {
    removeIfThere(made)
  }
}

const transactionsIn = (folder: string, prefix: string): readonly number[] =>
  readdirSync(folder).flatMap((name) => {
    const turn = name.startsWith(prefix) ? Number(name.slice(prefix.length)) : Number.NaN
    return Number.isSafeInteger(turn) ? [turn] : []
  })

function isHeld(path: string, { isAtWork }: Holder): boolean {
  try {
    return isAtWork(readFileSync(path, 'utf8'), statSync(path).mtimeMs)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false
    throw error
  }
}

function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false
    throw error
  }
}

function removeIfThere(path: string): void {
  try {
    unlinkSync(path)
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
  }
}

const alreadyRunning = (message: string): PayError =>
  new PayError('import_running', EXIT.conflict, message, {
    outcome: 'none',
    retryable: true,
    hint: 'Wait for it to end, or stop it: the same command resumes where it stops.',
  })
