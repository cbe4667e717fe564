import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { batchesFolder, readProgress } from '../../../batch/apply/journal.ts'
import { planBegun, planExists } from '../../../batch/file/plan-errors.ts'
import { readPlanHeader } from '../../../batch/file/read-plan.ts'
import type { Invocation } from '../../../cli/command/invocation.ts'
import { PayError } from '../../../errors.ts'

/**
 * Describes the earlier plan at `out` that may be replaced: one that this machine never began, or whose ready rows are all
 * done. Undefined if there is no file.
 * @throws {UsageError} if the file is another one, or a plan that was begun and isn't done
 */
export function replacedBy({ context, cleanText }: Invocation, out: string): string | undefined {
  const { cwd, stateFolder } = context
  const path = resolve(cwd, out)
  if (!existsSync(path)) return undefined
  const { planId, createdAt } = headerAt(path, out)
  const progress = readProgress(batchesFolder(stateFolder), planId)
  if (progress !== undefined && progress.done < progress.ready) throw planBegun(out, progress)
  const state = progress === undefined ? 'was not begun on this machine' : 'is done'
  return cleanText(`the plan ${out} of ${createdAt.slice(0, 16).replace('T', ' ')} UTC, which ${state}`)
}

function headerAt(path: string, shown: string) {
  try {
    return readPlanHeader(path, shown)
  } catch (error) {
    // It is not a plan.
    throw error instanceof PayError ? planExists(shown) : error
  }
}
