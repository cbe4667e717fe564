import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Who runs the tests; undefined on Windows. */
export const owner = { uid: process.getuid?.() }

/** An empty folder that is gone after the test. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pay-config-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Stores a profile file as it is given: text, bytes or a value. */
export function store(folder: string, content: unknown, mode = 0o600): string {
  const path = join(folder, 'config.json')
  const isRaw = typeof content === 'string' || content instanceof Uint8Array
  writeFileSync(path, isRaw ? content : JSON.stringify(content))
  chmodSync(path, mode)
  return path
}
