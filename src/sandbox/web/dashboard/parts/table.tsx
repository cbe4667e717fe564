import type { ComponentChild } from 'preact'

export interface Column<Row> {
  readonly name: string
  /** Figures align at their end. */
  readonly isFigure?: boolean
  readonly cell: (row: Row) => ComponentChild
}

interface TableProps<Row> {
  /** The accessible name. */
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
}

/** A table that scrolls sideways where it is wider than the page. */
export function Table<Row>({ label, columns, rows, keyOf }: TableProps<Row>) {
  return (
    // Focusable, so that the keyboard can scroll it.
    <div class="table-frame" role="region" aria-label={label} tabIndex={0}>
      <table aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ name, isFigure }) => (
              <th key={name} scope="col" class={isFigure === true ? 'figure' : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ name, isFigure, cell }) => (
                <td key={name} class={isFigure === true ? 'figure' : undefined}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
