import { chmodSync, readdirSync, statSync } from 'node:fs'
import type { Owner } from './private-file.ts'

/** Beside the profile file: what is not yet complete, and who writes it. Each begins with this, and so does the file. */
export const CONFIG_FILE_PREFIX = 'config.'

/** Closes the folder of the profiles to other users, unless other things are kept in it. A missing one is fine. */
export function restrictConfigFolder(folder: string, { uid }: Owner): void {
  if (uid === undefined) return
  try {
    const isOpen = (statSync(folder).mode & 0o077) !== 0
    if (isOpen && readdirSync(folder).every((name) => name.startsWith(CONFIG_FILE_PREFIX)))
      chmodSync(folder, 0o700)
  } catch {
    // Not there, or on a disk that only root may change. What can't be read, the read itself reports.
  }
}
