import { renderTable } from '../../output/table.ts'
import type { View } from '../../output/view.ts'

/** An operation of the service as listed by `pay schema`. */
export interface ListedOperation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly summary: string
}

export const operationListView: View<readonly ListedOperation[]> = {
  ids: (operations) => operations.map((operation) => operation.id),
  csvColumns: ['id', 'method', 'path', 'summary'],
  render: (operations, options) =>
    renderTable(
      [
        { title: 'OPERATION', text: (operation) => operation.id },
        { title: 'METHOD', text: (operation) => operation.method, drop: 2 },
        { title: 'PATH', text: (operation) => operation.path, drop: 1 },
        { title: 'WHAT IT DOES', text: (operation) => operation.summary, wraps: true },
      ],
      operations,
      options,
    ),
}
