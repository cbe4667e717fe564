import { renderTable } from '../../output/table.ts'
import type { Column } from '../../output/table.ts'
import type { RenderOptions, View } from '../../output/view.ts'
import { OPERATION_FIELDS, formatOperationAmount, describeState, formatTarget } from './state.ts'
import type { ShownOperation } from './state.ts'
import { formatField } from '../format-fields.ts'
import { formatTimeForTable } from '../format-time.ts'

/** A prefix that almost always identifies an operation. Commands accept longer prefixes too. */
const SHORT_ID = 8

export const operationsView: View<readonly ShownOperation[]> = {
  ids: (operations) => operations.map(({ id }) => id),
  csvColumns: OPERATION_FIELDS,
  render: (operations, options) =>
    operations.length === 0 ? 'No writes found.' : renderTable(columnsFor(options), operations, options),
}

const columnsFor = (options: RenderOptions): readonly Column<ShownOperation>[] => [
  { title: 'ID', text: ({ id }) => formatField(id.slice(0, SHORT_ID)), tone: () => 'strong' },
  { title: 'WHEN', text: ({ createdAt }) => formatTimeForTable(createdAt, options) ?? '', drop: 2 },
  { title: 'OPERATION', text: ({ operation }) => formatField(operation) },
  { title: 'TARGET', text: ({ target }) => (target === null ? '' : formatTarget(target)), shrink: true },
  { title: 'AMOUNT', text: (operation) => formatOperationAmount(operation) ?? '', align: 'right', drop: 1 },
  {
    title: 'STATE',
    text: (operation) => describeState(operation).text,
    tone: (one) => describeState(one).tone,
  },
  { title: 'PROFILE', text: ({ profile }) => formatField(profile ?? ''), drop: 3 },
  { title: 'BY', text: ({ user }) => formatField(user), drop: 4 },
]
