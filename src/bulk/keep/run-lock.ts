import { linkSync, readdirSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import type { PayError } from '../../errors.ts'
import { fallbackOn } from '../../system-code.ts'
import { usingFile } from './file-errors.ts'
import { textAt } from './state-file.ts'

/** The process that holds a lock, in a form that other processes can check. */
export interface Holder {
  /** Identifies the process; written to the lock file. */
  readonly owner: string
  /** Whether the process that wrote `owner` at `sinceMs` (epoch milliseconds) is still running. */
  readonly isAtWork: (owner: string, sinceMs: number) => boolean
  /** Unique to this process. */
  readonly id: string
}

/**
 * Locks a run for one process. The lock files are numbered, and the process with the highest number holds the lock. A
 * process that finds the holder dead links the next number, which only one process can do, and checks again. Taking the
 * lock removes nothing, so two processes that try at the same time can't both get it. Returns a function that releases the lock.
 * @throws what `conflict` returns if another process holds the lock
 */
export function lockRun(folder: string, run: string, holder: Holder, conflict: () => PayError): () => void {
  const prefix = `${run}.lock.`
  const made = `${folder}/${run}.new-${holder.id}`
  removeIfThere(made)
  try {
    usingFile(made, 'written', () => writeFileSync(made, holder.owner, { mode: 0o600, flag: 'wx' }))
    for (;;) {
      const before = numbersIn(folder, prefix)
      if (before.some((number) => isHeld(`${folder}/${prefix}${number}`, holder))) throw conflict()
      const mine = Math.max(0, ...before) + 1
      if (!linked(made, `${folder}/${prefix}${mine}`)) continue
      // Another process may have checked while a third one was releasing the lock, and have linked another number.
      const rival = numbersIn(folder, prefix).find(
        (number) => number !== mine && isHeld(`${folder}/${prefix}${number}`, holder),
      )
      if (rival !== undefined) {
        removeIfThere(`${folder}/${prefix}${mine}`)
        if (rival > mine) throw conflict()
        continue
      }
      for (const number of before) removeIfThere(`${folder}/${prefix}${number}`)
      return () => removeIfThere(`${folder}/${prefix}${mine}`)
    }
  } finally {
    removeIfThere(made)
  }
}

const numbersIn = (folder: string, prefix: string): readonly number[] =>
  readdirSync(folder).flatMap((name) => {
    const number = name.startsWith(prefix) ? Number(name.slice(prefix.length)) : Number.NaN
    return Number.isSafeInteger(number) ? [number] : []
  })

const isHeld = (path: string, { isAtWork }: Holder): boolean =>
  fallbackOn('ENOENT', false, () => isAtWork(textAt(path), statSync(path).mtimeMs))

const linked = (from: string, to: string): boolean =>
  usingFile(to, 'written', () =>
    fallbackOn('EEXIST', false, () => {
      linkSync(from, to)
      return true
    }),
  )

const removeIfThere = (path: string): void => fallbackOn('ENOENT', undefined, () => unlinkSync(path))
