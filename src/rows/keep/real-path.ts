import { realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** The path without symbolic links. What doesn't exist keeps its name. */
export function realPathOf(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    const folder = dirname(path)
    return folder === path ? path : join(realPathOf(folder), basename(path))
  }
}

/**
 * The path under one name for all its spellings: on Windows and macOS, names that differ in case or in the normal form of
 * Unicode lead to one file. Elsewhere they count as one too.
 */
export const oneNameOf = (path: string): string => realPathOf(path).normalize('NFC').toUpperCase()
