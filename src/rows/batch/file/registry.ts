import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { lazySchema, z } from '../../../api/schema.ts'
import { usingFile } from '../../file-errors.ts'
import { removeFile, replaceFile } from '../../../files/replace-file.ts'
import { textAt } from '../../keep/state-file.ts'
import { checkPrivateFolder, makePrivateFolder, syncPath } from '../../../files/private-folder.ts'
import { fallbackOn } from '../../../files/system-code.ts'
import { BATCH_OPERATIONS } from '../plan.ts'
import type { BatchOperation } from '../plan.ts'
import { readPlanHeader } from './read-plan.ts'

/** A plan that was made on this machine. */
export interface PlannedBatch {
  readonly planId: string
  /** The absolute path of the plan file. */
  readonly plan: string
  readonly operation: BatchOperation
  /** The time of the plan, ISO 8601 in UTC. */
  readonly createdAt: string
  readonly ready: number
}

const SUFFIX = '.planned.json'

/** Records that a plan was made, so that it can be listed instead of the one that it replaces. `uid` is the user's id; undefined on Windows. */
export function registerPlan(folder: string, planned: PlannedBatch, uid: number | undefined): void {
  checkPrivateFolder(folder, uid)
  usingFile(folder, 'written', () => makePrivateFolder(folder))
  const entry = join(folder, `${planned.planId}${SUFFIX}`)
  usingFile(entry, 'written', () => replaceFile(entry, JSON.stringify(planned)))
  // Record it before the file is read: another process may replace the plan at this moment, and then record its own.
  const known = plannedBatches(folder)
  const { planId: current } = readPlanHeader(planned.plan, planned.plan)
  for (const { planId, plan } of known)
    if (plan === planned.plan && planId !== current) removeFile(join(folder, `${planId}${SUFFIX}`))
  syncPath(folder)
}

/** The plans that were made on this machine, in no order. Leaves out entries that can't be read. */
export function plannedBatches(folder: string): readonly PlannedBatch[] {
  return namesIn(folder)
    .filter((name) => name.endsWith(SUFFIX))
    .flatMap((name) => {
      const planned = readEntry(join(folder, name))
      return planned === undefined ? [] : [planned]
    })
}

const entry = lazySchema(() =>
  z.looseObject({
    planId: z.string(),
    plan: z.string(),
    operation: z.enum(BATCH_OPERATIONS),
    createdAt: z.string(),
    ready: z.number(),
  }),
)

function readEntry(path: string): PlannedBatch | undefined {
  try {
    const read = entry().safeParse(JSON.parse(textAt(path)))
    return read.success ? read.data : undefined
  } catch {
    return undefined
  }
}

const namesIn = (folder: string): readonly string[] => fallbackOn('ENOENT', [], () => readdirSync(folder))
