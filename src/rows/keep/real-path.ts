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
