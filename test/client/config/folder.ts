import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The user who runs the tests; undefined on Windows. */
export const owner = { uid: process.getuid?.() }

/** Writes a profile file: text or bytes unchanged, other values as JSON. */
export function store(folder: string, content: unknown, mode = 0o600): string {
  const path = join(folder, 'config.json')
  const isRaw = typeof content === 'string' || content instanceof Uint8Array
  writeFileSync(path, isRaw ? content : JSON.stringify(content))
  chmodSync(path, mode)
  return path
}
