import { existsSync } from 'node:fs'
import { begunPlans, batchesFolder, readProgress } from '../../rows/batch/apply/run-rows.ts'
import type { BatchProgress } from '../../rows/batch/apply/run-rows.ts'
import { isExpired } from '../../rows/batch/apply/gates.ts'
import { plannedBatches } from '../../rows/batch/file/registry.ts'
import type { PlannedBatch } from '../../rows/batch/file/registry.ts'
import { PayError } from '../../errors.ts'
import { longListOf } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { batchListView } from '../../views/batch/list.ts'
import type { ListedBatch } from '../../views/batch/list.ts'

export const command: CommandSpec = {
  path: ['batch', 'list'],
  summary: 'List the plans made on this machine and their progress, newest first',
  details:
    'Lists the plans that were made or begun on this machine; needs no account and no network. A plan that was never begun expires after 24 hours, and disappears from the list with its file.',
  examples: [
    { purpose: 'list all plans', line: 'pay batch list' },
    {
      purpose: 'find plans that are not finished',
      line: 'pay batch list --query "[?state==\'running\'].plan"',
    },
  ],
  run: async (invocation) => {
    const { context } = invocation
    const folder = batchesFolder(context.stateFolder)
    const now = context.now()
    const planned = new Map(plannedBatches(folder).map((one) => [one.planId, one]))
    const begun: BatchProgress[] = []
    for (const planId of begunPlans(folder)) {
      try {
        const progress = readProgress(folder, planId)
        if (progress !== undefined) begun.push(progress)
      } catch (error) {
        if (!(error instanceof PayError)) throw error
        await invocation.warn(`Left out: ${error.message}`)
      }
    }
    const listed = [
      ...begun.map(fromProgress),
      ...[...planned.values()]
        .filter(({ planId, plan }) => !begun.some((one) => one.planId === planId) && existsSync(plan))
        .map((one) => notBegun(one, now)),
    ].toSorted((one, other) => (one.createdAt < other.createdAt ? 1 : -1))
    return longListOf(
      listed.map((one) => JSON.stringify(one)),
      batchListView,
    )
  },
  related: ['batch show', 'batch apply'],
}

const fromProgress = ({ plan, planId, operation, createdAt, ready, done }: BatchProgress): ListedBatch => ({
  plan,
  planId,
  operation,
  createdAt,
  ready,
  done,
  left: ready - done,
  state: done >= ready ? 'done' : 'running',
})

const notBegun = ({ plan, planId, operation, createdAt, ready }: PlannedBatch, now: Date): ListedBatch => ({
  plan,
  planId,
  operation,
  createdAt,
  ready,
  done: 0,
  left: ready,
  state: isExpired(createdAt, now) ? 'expired' : 'planned',
})
