import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { realDisk } from '../../../src/ledger/disk/real-disk.ts'

export const disk = realDisk({ canSyncFolders: true })
export const isWindows = process.platform === 'win32'

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pay-disk-'))
  onTestFinished(() => {
    chmodSync(folder, 0o700)
    rmSync(folder, { recursive: true, force: true })
  })
  return folder
}
