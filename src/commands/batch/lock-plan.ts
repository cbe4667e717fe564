import { join } from 'node:path'
import { batchesFolder } from '../../batch/apply/run-rows.ts'
import { usingFile } from '../../bulk/file-errors.ts'
import { lockFile } from '../../bulk/keep/lock-file.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { EXIT, PayError } from '../../errors.ts'
import { checkPrivateFolder, makePrivateFolder } from '../../private-folder.ts'

/**
 * Keeps other processes of this machine from applying a plan, or replacing it. Returns what ends that.
 * @throws {PayError} `batch_running` if another process has the plan
 */
export function lockPlan(
  { context: { stateFolder, uid } }: Invocation,
  planId: string,
  shown: string,
): () => void {
  const folder = batchesFolder(stateFolder)
  for (const path of [stateFolder, folder]) checkPrivateFolder(path, uid)
  usingFile(folder, 'written', () => makePrivateFolder(folder))
  return lockFile(join(folder, `${planId}.lock`), () => conflict(shown))
}

const conflict = (shown: string): PayError =>
  new PayError('batch_running', EXIT.conflict, `Another process is applying ${shown}`, {
    outcome: 'none',
    retryable: true,
    hint: 'Wait for it to end, or stop it: the same command continues where it stops.',
  })
