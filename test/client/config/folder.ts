import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** The user who runs the tests; undefined on Windows. */
export const owner = { uid: process.getuid?.() }

/** An empty folder that is removed after the test. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pay-config-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Writes a profile file: text or bytes unchanged, other values as JSON. */
export function store(folder: string, content: unknown, mode = 0o600): string {
  const path = join(folder, 'config.json')
  const isRaw = typeof content === 'string' || content instanceof Uint8Array
  writeFileSync(path, isRaw ? content : JSON.stringify(content))
  chmodSync(path, mode)
  return path
}
