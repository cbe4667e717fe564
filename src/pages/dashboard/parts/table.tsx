import type { ComponentChild } from 'preact'
import { Breakable } from './breakable.tsx'

export interface Column<Row> {
  readonly name: string
  /** Figures align at their end. */
  readonly isFigure?: boolean
  /** The width of the column in a list; columns without one share the rest. */
  readonly width?: string
  /** Shown only where the page is wide enough. */
  readonly from?: 'medium'
  /** On a phone, a row is a card: its cells at the left, at the right, or each on a line with its name. */
  readonly phone?: 'left' | 'right' | 'none'
  readonly cell: (row: Row) => ComponentChild
}

export interface TableProps<Row> {
  /** The accessible name. */
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  /** Whether it fits the page at any width, with a link that covers each row. Other tables scroll sideways. */
  readonly isList?: boolean
}

/** A table. Its roles are explicit, because the layout on a phone removes them. */
export function Table<Row>({ label, columns, rows, keyOf, isList = false }: TableProps<Row>) {
  return (
    // Focusable, so that the keyboard can scroll it.
    <div
      class={isList ? 'table-frame list' : 'table-frame'}
      {...(isList ? {} : { role: 'region', 'aria-label': label, tabIndex: 0 })}
    >
      <table role="table" aria-label={label}>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <th
                key={column.name}
                role="columnheader"
                scope="col"
                class={classOf(column)}
                style={{ width: column.width }}
              >
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={keyOf(row)} role="row">
              {columns.map((column) => {
                const content = column.cell(row)
                return (
                  <td
                    key={column.name}
                    role="cell"
                    class={classOf(column)}
                    data-name={column.name}
                    title={isList && typeof content === 'string' ? content : undefined}
                  >
                    {typeof content === 'string' ? <Breakable text={content} /> : content}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const classOf = <Row,>({ isFigure, from, phone }: Column<Row>): string =>
  [isFigure === true ? 'figure' : '', from ?? '', phone === undefined ? 'phone-line' : `phone-${phone}`]
    .filter((name) => name !== '')
    .join(' ')
