import { existsSync } from 'node:fs'
import { begunPlans, batchesFolder, readProgress } from '../../rows/batch/apply/run-rows.ts'
import type { BatchProgress } from '../../rows/batch/apply/run-rows.ts'
import { isExpired } from '../../rows/batch/apply/gates.ts'
import { plannedBatches } from '../../rows/batch/file/registry.ts'
import type { PlannedBatch } from '../../rows/batch/file/registry.ts'
import { PayError } from '../../errors.ts'
import { longListOf } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import type { BatchOperation } from '../../rows/batch/plan.ts'
import type { Tone } from '../../output/paint.ts'
import { safeText } from '../../output/safe-text.ts'
import { renderTable } from '../../output/table.ts'
import type { Column } from '../../output/table.ts'
import type { RenderOptions, View } from '../../output/view.ts'
import { groupThousands } from '../../text/words.ts'
import { formatTimeForTable } from '../../views/format-time.ts'

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

const fromProgress = (batch: BatchProgress): ListedBatch =>
  listed(batch, batch.done, batch.done >= batch.ready ? 'done' : 'running')

const notBegun = (batch: PlannedBatch, now: Date): ListedBatch =>
  listed(batch, 0, isExpired(batch.createdAt, now) ? 'expired' : 'planned')

const listed = (
  { plan, planId, operation, createdAt, ready }: PlannedBatch,
  done: number,
  state: ListedBatch['state'],
): ListedBatch => ({ plan, planId, operation, createdAt, ready, done, left: ready - done, state })

/** A plan of this machine. */
interface ListedBatch {
  /** Absolute path. */
  readonly plan: string
  readonly planId: string
  readonly operation: BatchOperation
  readonly createdAt: string
  readonly ready: number
  readonly done: number
  /** Ready rows that are not done. */
  readonly left: number
  readonly state: 'planned' | 'running' | 'done' | 'expired'
}

const batchListView: View<readonly ListedBatch[]> = {
  ids: (batches) => batches.map(({ planId }) => planId),
  csvColumns: ['plan', 'planId', 'operation', 'createdAt', 'ready', 'done', 'left', 'state'],
  render: (batches, options) =>
    batches.length === 0
      ? 'No plans on this machine. pay batch plan makes one.'
      : renderTable(columnsFor(options), batches, options),
}

const TONES: Readonly<Record<ListedBatch['state'], Tone>> = {
  planned: 'accent',
  running: 'warn',
  done: 'good',
  expired: 'dim',
}

const columnsFor = (options: RenderOptions): readonly Column<ListedBatch>[] => [
  { title: 'PLAN', text: ({ plan }) => safeText(plan) },
  { title: 'OPERATION', text: ({ operation }) => operation, drop: 2 },
  { title: 'PLANNED', text: ({ createdAt }) => formatTimeForTable(createdAt, options) ?? '', drop: 1 },
  { title: 'READY', text: ({ ready }) => groupThousands(ready), align: 'right' },
  { title: 'DONE', text: ({ done }) => groupThousands(done), align: 'right' },
  { title: 'LEFT', text: ({ left }) => groupThousands(left), align: 'right' },
  { title: 'STATE', text: ({ state }) => state, tone: ({ state }) => TONES[state] },
]
