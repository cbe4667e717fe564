import { rmSync } from 'node:fs'

/** Removes a folder, with all that is in it. */
export function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch (error) {
    // Windows removes no file that is open, such as a database that a test leaves open.
    if (process.platform !== 'win32') throw error
  }
}
