import { factsOf } from '../../api/facts.ts'
import { renderTable } from '../../output/table.ts'
import type { Column } from '../../output/table.ts'
import type { RenderOptions, View } from '../../output/view.ts'
import {
  OPERATION_FIELDS,
  formatOperationAmount,
  describeState,
  formatTarget,
  isNarrow,
  nameOperation,
  withKnownPayments,
} from './state.ts'
import type { OperationRecord } from '../../client/ledger/record.ts'
import { renderChoiceTable } from '../choice-table.ts'
import { formatField, formatFreeText } from '../format-fields.ts'
import { formatTimeForTable } from '../format-time.ts'

/** A prefix that almost always identifies an operation. Commands accept longer prefixes too. */
const SHORT_ID = 8

export const operationsView: View<readonly OperationRecord[]> = {
  ids: (operations) => operations.map(({ id }) => id),
  csvColumns: OPERATION_FIELDS,
  render: (operations, options) =>
    operations.length === 0
      ? 'No writes found.'
      : renderTable(
          columnsFor(options),
          withKnownPayments(operations, ({ target }) => target),
          options,
        ),
}

/** With every column and the reasons. */
export const wideOperationsView: View<readonly OperationRecord[]> = {
  ...operationsView,
  render: (operations, options) =>
    operations.length === 0
      ? 'No writes found.'
      : renderTable(
          [
            ...columnsFor({ ...options, width: undefined }).map(({ drop: _drop, ...column }) => column),
            { title: 'REASON', text: ({ reason }) => formatFreeText(reason ?? undefined) ?? '', wraps: true },
          ],
          withKnownPayments(operations, ({ target }) => target),
          options,
        ),
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

/** A refund or a capture without an amount takes what is left. */
const allOf = ({ operation }: OperationRecord): string => (factsOf(operation)?.amount === 'rest' ? 'all' : '')

function columnsFor(options: Pick<RenderOptions, 'width' | 'timeZone'>): readonly Column<OperationRecord>[] {
  const isShort = isNarrow(options)
  const timeOf = ({ createdAt }: OperationRecord) =>
    formatTimeForTable(createdAt, { ...options, width: isShort ? 0 : options.width }) ?? ''
  return [
    { title: 'ID', text: ({ id }) => formatField(id.slice(0, SHORT_ID)), tone: () => 'strong', drop: 3 },
    { title: 'WHEN', text: (one) => (isShort ? timeOf(one).replace(/^\d{4}-/, '') : timeOf(one)) },
    { title: 'OPERATION', text: (one) => nameOperation(one, options) },
    { title: 'TARGET', text: ({ target }) => (target === null ? '' : formatTarget(target)), shrink: true },
    { title: 'ORDER', text: ({ orderId }) => formatField(orderId ?? ''), drop: 2 },
    { title: 'AMOUNT', text: (one) => formatOperationAmount(one) ?? allOf(one), align: 'right', drop: 1 },
    { title: 'STATE', text: (one) => describeState(one).text, tone: (one) => describeState(one).tone },
    { title: 'PROFILE', text: ({ profile }) => formatField(profile ?? ''), drop: 4 },
    { title: 'BY', text: ({ user }) => formatField(user), drop: 5 },
  ]
}
