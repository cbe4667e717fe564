import { safeText } from '../../output/safe-text.ts'
import { renderTable } from '../../output/table.ts'
import type { Column } from '../../output/table.ts'
import type { View } from '../../output/view.ts'
import { pluralize } from '../../text/words.ts'

export interface Difference {
  readonly step: string
  readonly operation: string
  readonly what: 'call' | 'status' | 'errorId' | 'shape'
  /** Of the value in the body whose type differs. */
  readonly path?: string
  readonly account: string
  readonly sandbox: string
}

export interface Comparison {
  readonly apiVersion: string
  /** How many calls were compared. */
  readonly calls: number
  readonly differences: readonly Difference[]
}

export const comparisonView: View<Comparison> = {
  ids: () => [],
  itemsKey: 'differences',
  csvColumns: ['step', 'operation', 'what', 'path', 'account', 'sandbox'],
  render: ({ calls, differences }, options) => {
    const { paint } = options
    const count = differences.length
    if (count === 0) return paint(`No differences in ${calls} calls.`, 'good')
    const summary = `${pluralize(count, 'difference')} in ${calls} calls.`
    return `${renderTable(COLUMNS, differences, options)}\n\n${paint(summary, 'bad')}`
  },
}

const COLUMNS: readonly Column<Difference>[] = [
  { title: 'OPERATION', text: ({ operation }) => safeText(operation) },
  { title: 'WHAT', text: ({ what, path }) => safeText(path ?? what), tone: () => 'strong', shrink: true },
  { title: 'ACCOUNT', text: ({ account }) => safeText(account) },
  { title: 'SANDBOX', text: ({ sandbox }) => safeText(sandbox) },
  { title: 'STEP', text: ({ step }) => safeText(step), drop: 1, shrink: true },
]
