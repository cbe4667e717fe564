import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { batchesFolder, readProgress } from '../../../batch/apply/journal.ts'
import { planBegun, planExists } from '../../../batch/file/plan-errors.ts'
import { readPlanHeader } from '../../../batch/file/read-plan.ts'
import type { Invocation } from '../../../cli/command/invocation.ts'
import { PayError } from '../../../errors.ts'

/**
 * Whether there is an earlier plan at `out` that may be replaced: one that was never begun on this machine, or whose ready
 * rows are all done.
 * @throws {UsageError} if the file is another one, or a plan that was begun and isn't done
 */
export async function mayReplace(invocation: Invocation, out: string): Promise<boolean> {
  const { cwd, stateFolder } = invocation.context
  const path = resolve(cwd, out)
  if (!existsSync(path)) return false
  const { planId, createdAt } = headerAt(path, out)
  const progress = readProgress(batchesFolder(stateFolder), planId)
  if (progress !== undefined && progress.done < progress.ready) throw planBegun(out, progress)
  const state = progress === undefined ? 'was not begun on this machine' : 'is done'
  await invocation.note(
    invocation.cleanText(
      `Replaces the plan ${out} of ${createdAt.slice(0, 16).replace('T', ' ')} UTC, which ${state}.`,
    ),
  )
  return true
}

function headerAt(path: string, shown: string) {
  try {
    return readPlanHeader(path, shown)
  } catch (error) {
    // It isn't a plan that pay has made.
    throw error instanceof PayError ? planExists(shown) : error
  }
}
