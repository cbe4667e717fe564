import { linkSync, readFileSync, readdirSync, unlinkSync, writeFileSync } from 'node:fs'
import { EXIT, PayError } from '../errors.ts'

/** A process as this machine knows it again. */
export interface Holder<Owner> {
  readonly own: () => Owner
  /** Whether the text names a process that is at work. */
  readonly isAtWork: (text: string) => boolean
  readonly pid: number
}

/**
 * One process for each run: the one with the highest turn. Who finds it dead makes the next turn's file, by a link that
 * only one can make; nothing is removed to take the place, so two that try at once cannot both have it.
 */
export function lockRun<Owner>(folder: string, run: string, holder: Holder<Owner>): () => void {
  const prefix = `${run}.lock.`
  const made = `${folder}/${run}.new-${holder.pid}`
  writeFileSync(made, JSON.stringify(holder.own()), { mode: 0o600 })
  try {
    for (;;) {
      const turns = turnsIn(folder, prefix)
      const last = Math.max(0, ...turns)
      if (last > 0 && isHeld(`${folder}/${prefix}${last}`, holder)) throw alreadyRunning()
      if (!linked(made, `${folder}/${prefix}${last + 1}`)) continue
      for (const turn of turns) removeIfThere(`${folder}/${prefix}${turn}`)
      return () => removeIfThere(`${folder}/${prefix}${last + 1}`)
    }
  } finally {
    removeIfThere(made)
  }
}

const turnsIn = (folder: string, prefix: string): readonly number[] =>
  readdirSync(folder).flatMap((name) => {
    const turn = name.startsWith(prefix) ? Number(name.slice(prefix.length)) : Number.NaN
    return Number.isSafeInteger(turn) ? [turn] : []
  })

function isHeld<Owner>(path: string, { isAtWork }: Holder<Owner>): boolean {
  try {
    return isAtWork(readFileSync(path, 'utf8'))
  } catch {
    // Gone meanwhile: whoever had it has ended.
    return false
  }
}

function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

function removeIfThere(path: string): void {
  try {
    unlinkSync(path)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
}

const alreadyRunning = (): PayError =>
  new PayError('import_running', EXIT.conflict, 'This import is running already, in another process', {
    outcome: 'none',
    retryable: true,
    hint: 'Wait until it has ended, or end it: it can be taken up where it stops',
  })
