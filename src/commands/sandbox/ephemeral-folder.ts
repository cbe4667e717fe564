import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { UsageError } from '../../errors.ts'

const PREFIX = 'pay-sandbox-'

/** A fresh one, for its owner alone. */
export function makeEphemeralFolder(): string {
  try {
    return mkdtempSync(join(tmpdir(), PREFIX))
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new UsageError(`There is no room for a fresh sandbox in ${tmpdir()}: ${why}`, {
      code: 'sandbox_not_writable',
      outcome: 'none',
      hint: 'Set TMPDIR to a folder that can be written.',
      cause,
    })
  }
}

/** Asked before a folder is removed that is only known by name. */
export const isEphemeralFolder = (path: string): boolean =>
  dirname(path) === tmpdir() && basename(path).startsWith(PREFIX)
