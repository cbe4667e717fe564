import { join, resolve } from 'node:path'
import { batchesFolder } from '../../rows/batch/apply/run-rows.ts'
import { usingFile } from '../../rows/file-errors.ts'
import { lockFile, lockOutputs } from '../../rows/keep/lock-file.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { EXIT, PayError } from '../../errors.ts'
import { checkPrivateFolder, makePrivateFolder } from '../../files/private-folder.ts'

/**
 * Keeps other processes of this machine from applying a plan, or replacing it. Returns what ends that.
 * @throws {PayError} `batch_running` if another process has the plan
 */
export function lockPlan(
  { context: { stateFolder, uid } }: Invocation,
  planId: string,
  shown: string,
): () => void {
  const folder = openFolder(stateFolder, uid)
  return lockFile(join(folder, `${planId}.lock`), () => conflict(`Another process is applying ${shown}`))
}

/**
 * Keeps other processes of this machine from writing results and rejects of a batch. Returns what ends that.
 * @throws {PayError} `batch_running` if another process writes one of them
 */
export function lockBatchFiles(
  { context: { cwd, stateFolder, uid } }: Invocation,
  shown: readonly (string | undefined)[],
): () => void {
  openFolder(stateFolder, uid)
  const paths = shown.map((path) => (path === undefined ? undefined : resolve(cwd, path)))
  return lockOutputs(stateFolder, paths, (path) => conflict(`Another process is writing ${path}`))
}

function openFolder(stateFolder: string, uid: number | undefined): string {
  const folder = batchesFolder(stateFolder)
  for (const path of [stateFolder, folder]) checkPrivateFolder(path, uid)
  usingFile(folder, 'written', () => makePrivateFolder(folder))
  return folder
}

const conflict = (message: string): PayError =>
  new PayError('batch_running', EXIT.conflict, message, {
    outcome: 'none',
    retryable: true,
    hint: 'Wait for it to end, or stop it: the same command continues where it stops.',
  })
