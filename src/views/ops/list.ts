import { renderTable } from '../../output/table.ts'
import type { Column } from '../../output/table.ts'
import type { RenderOptions, View } from '../../output/view.ts'
import { OPERATION_FIELDS, formatOperationAmount, describeState, formatTarget } from './state.ts'
import type { OperationRecord } from '../../client/ledger/record.ts'
import { renderChoiceTable } from '../choice-table.ts'
import { formatField } from '../format-fields.ts'
import { formatTimeForTable } from '../format-time.ts'

/** A prefix that almost always identifies an operation. Commands accept longer prefixes too. */
const SHORT_ID = 8

export const operationsView: View<readonly OperationRecord[]> = {
  ids: (operations) => operations.map(({ id }) => id),
  csvColumns: OPERATION_FIELDS,
  render: (operations, options) =>
    operations.length === 0 ? 'No writes found.' : renderTable(columnsFor(options), operations, options),
}

/** Writes to choose from, in the short forms, so that each line has its target. */
export function operationChoices(
  operations: readonly OperationRecord[],
  options: Pick<RenderOptions, 'width' | 'timeZone'>,
) {
  const { heading, lines } = renderChoiceTable(
    columnsFor({ ...options, width: 0 }),
    operations,
    options.width,
  )
  return { heading, choices: operations.map(({ id }, at) => ({ value: id, text: lines[at] ?? '' })) }
}

/** Below this width, times have no year and operations on payments no noun. */
const USUAL_WIDTH = 80

function columnsFor(options: Pick<RenderOptions, 'width' | 'timeZone'>): readonly Column<OperationRecord>[] {
  const isNarrow = options.width !== undefined && options.width < USUAL_WIDTH
  const timeOf = ({ createdAt }: OperationRecord) => formatTimeForTable(createdAt, options) ?? ''
  return [
    { title: 'ID', text: ({ id }) => formatField(id.slice(0, SHORT_ID)), tone: () => 'strong' },
    { title: 'WHEN', text: (one) => (isNarrow ? timeOf(one).replace(/^\d{4}-/, '') : timeOf(one)), drop: 2 },
    {
      title: 'OPERATION',
      text: ({ operation }) => formatField(isNarrow ? operation.replace(/^payment\./, '') : operation),
    },
    {
      title: 'TARGET',
      text: ({ target }) => (target === null ? '' : formatTarget(target)),
      shrink: true,
      drop: 3,
    },
    { title: 'AMOUNT', text: (one) => formatOperationAmount(one) ?? '', align: 'right', drop: 1 },
    { title: 'STATE', text: (one) => describeState(one).text, tone: (one) => describeState(one).tone },
    { title: 'PROFILE', text: ({ profile }) => formatField(profile ?? ''), drop: 4 },
    { title: 'BY', text: ({ user }) => formatField(user), drop: 5 },
  ]
}
