import { useSignal } from '@preact/signals'
import type { ComponentChild } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

export interface VirtualColumn<Row> {
  readonly name: string
  readonly isFigure?: boolean
  readonly cell: (row: Row) => ComponentChild
}

interface VirtualTableProps<Row> {
  /** The accessible name. */
  readonly label: string
  readonly columns: readonly VirtualColumn<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
}

/** In pixels; the style sheet has the same. */
const ROW_HEIGHT = 36
/** Rows beyond the edges, so that scrolling doesn't show a gap. */
const MARGIN = 12
/** The part that is drawn moves in steps, so that most scrolling draws nothing anew. */
const STEP = 8

/** A table of any length that draws only the rows in sight. All rows have one height. */
export function VirtualTable<Row>({ label, columns, rows, keyOf }: VirtualTableProps<Row>) {
  const frame = useRef<HTMLDivElement>(null)
  const first = useSignal(0)
  const height = useSignal(40)
  useLayoutEffect(() => {
    const element = frame.current
    if (element === null) return undefined
    const measure = () => {
      height.value = Math.ceil(element.clientHeight / ROW_HEIGHT)
    }
    measure()
    const sizes = new ResizeObserver(measure)
    sizes.observe(element)
    return () => sizes.disconnect()
  }, [])
  const start = Math.max(0, Math.min(first.value - MARGIN, rows.length - 1))
  const end = Math.min(rows.length, first.value + height.value + MARGIN + STEP)
  return (
    <div
      ref={frame}
      class="table-frame virtual"
      role="region"
      aria-label={label}
      tabIndex={0}
      onScroll={({ currentTarget }) => {
        first.value = Math.floor(currentTarget.scrollTop / ROW_HEIGHT / STEP) * STEP
      }}
    >
      <table aria-label={label} aria-rowcount={rows.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map(({ name, isFigure }) => (
              <th key={name} scope="col" class={isFigure === true ? 'figure' : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Gap rows={start} columns={columns.length} />
          {rows.slice(start, end).map((row, index) => (
            <tr key={keyOf(row)} aria-rowindex={start + index + 2}>
              {columns.map(({ name, isFigure, cell }) => (
                <td key={name} class={isFigure === true ? 'figure' : undefined}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
          <Gap rows={rows.length - end} columns={columns.length} />
        </tbody>
      </table>
    </div>
  )
}

const Gap = ({ rows, columns }: { readonly rows: number; readonly columns: number }) =>
  rows <= 0 ? null : (
    <tr aria-hidden="true" class="gap">
      <td colSpan={columns} style={{ height: `${rows * ROW_HEIGHT}px` }} />
    </tr>
  )
