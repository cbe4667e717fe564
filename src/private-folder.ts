import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder, and what is missing above it, for its owner alone (0700). Returns whether it was made.
 * One at a time: where a parent takes no folders (/proc), mkdir's own recursion never ends on Node 20.
 */
export function makePrivateFolder(path: string): boolean {
  if (existsSync(path) && statSync(path).isDirectory()) return false
  const parent = dirname(path)
  if (parent !== path && !existsSync(parent)) makePrivateFolder(parent)
  try {
    mkdirSync(path, { mode: 0o700 })
    // A umask may have taken the rights of the owner too.
    chmodSync(path, 0o700)
    return true
  } catch (error) {
    // Another process may have made it just now.
    if (existsSync(path) && statSync(path).isDirectory()) return false
    throw error
  }
}
