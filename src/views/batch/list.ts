import type { BatchOperation } from '../../rows/batch/plan.ts'
import type { Tone } from '../../output/paint.ts'
import { safeText } from '../../output/safe-text.ts'
import { renderTable } from '../../output/table.ts'
import type { Column } from '../../output/table.ts'
import type { RenderOptions, View } from '../../output/view.ts'
import { groupThousands } from '../../text/words.ts'
import { formatTimeForTable } from '../format-time.ts'

/** A plan of this machine. */
export interface ListedBatch {
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

export const batchListView: View<readonly ListedBatch[]> = {
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
