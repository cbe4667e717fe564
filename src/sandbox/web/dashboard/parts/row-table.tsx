import type { Column } from './table.tsx'

interface RowTableProps<Row> {
  /** The accessible name; also the class that sets the widths of the columns. */
  readonly label: string
  readonly class: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
}

const STEPS: Readonly<Record<string, (row: Element) => Element | null | undefined>> = {
  ArrowDown: (row) => row.nextElementSibling,
  ArrowUp: (row) => row.previousElementSibling,
  Home: (row) => row.parentElement?.firstElementChild,
  End: (row) => row.parentElement?.lastElementChild,
}

/**
 * A table whose rows fit the page at any width. The arrow keys, Home and End move from row to row once a link in it has
 * the focus.
 */
export function RowTable<Row>({ label, columns, rows, keyOf, class: name }: RowTableProps<Row>) {
  return (
    // Explicit roles: a table that is laid out as a grid loses its own.
    <table role="table" class={`row-table ${name}`} aria-label={label}>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map((column) => (
            <th key={column.name} role="columnheader" scope="col" class={cellClass(column)}>
              {column.name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup" onKeyDown={move}>
        {rows.map((row) => (
          <tr key={keyOf(row)} role="row">
            {columns.map((column) => (
              <td key={column.name} role="cell" class={cellClass(column)}>
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function move(event: KeyboardEvent): void {
  const row = event.target instanceof Element ? event.target.closest('tbody tr') : null
  const step = Object.hasOwn(STEPS, event.key) ? STEPS[event.key] : undefined
  if (row === null || step === undefined || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  const link = step(row)?.querySelector('a')
  link?.focus()
}

function cellClass<Row>({ name, isFigure }: Column<Row>): string {
  const own = `cell-${name.toLowerCase()}`
  return isFigure === true ? `${own} figure` : own
}
