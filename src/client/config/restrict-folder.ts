import { chmodSync, readdirSync, statSync } from 'node:fs'
import type { Owner } from './private-file.ts'

/** Prefix of the profile file, its lock and its temporary files. */
export const CONFIG_FILE_PREFIX = 'config.'

/** Makes the profile folder private, unless it holds other files. A missing folder is fine. */
export function restrictConfigFolder(folder: string, { uid }: Owner): void {
  if (uid === undefined) return
  try {
    const isOpen = (statSync(folder).mode & 0o077) !== 0
    if (isOpen && readdirSync(folder).every((name) => name.startsWith(CONFIG_FILE_PREFIX)))
      chmodSync(folder, 0o700)
  } catch {
    // Missing, or on a disk that only root may change. If it can't be read, reading the file reports it.
  }
}
