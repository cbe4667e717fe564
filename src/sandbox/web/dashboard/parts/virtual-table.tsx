import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Column } from './table.tsx'
import { listHeight, scrollToRow, visibleRange } from './virtual-range.ts'

interface VirtualTableProps<Row> {
  /** The accessible name; also the class that sets the widths of the columns. */
  readonly label: string
  readonly class: string
  readonly columns: readonly Column<Row>[]
  readonly total: number
  /** In pixels; the style sheet must agree. */
  readonly rowHeight: number
  /** Undefined while the row is loading. */
  readonly rowAt: (index: number) => Row | undefined
  /** Changes when rows arrive: a component with the same properties isn't drawn again. */
  readonly arrivals?: number
  /** The rows in view; called whenever they change. */
  readonly onView: (first: number, end: number) => void
}

const OVERSCAN = 8
const STEP_KEYS: Readonly<Record<string, (row: number, page: number, last: number) => number>> = {
  ArrowDown: (row) => row + 1,
  ArrowUp: (row) => row - 1,
  PageDown: (row, page) => row + page,
  PageUp: (row, page) => row - page,
  Home: () => 0,
  End: (_, __, last) => last,
}

/**
 * A table of any length that scrolls with the page, and draws only the rows in view. The arrow keys, Page Up, Page Down,
 * Home and End move from row to row once a link in it has the focus.
 */
export function VirtualTable<Row>(props: VirtualTableProps<Row>) {
  const { label, columns, total, rowHeight, rowAt, onView } = props
  const body = useRef<HTMLTableSectionElement>(null)
  const list = { total, rowHeight }
  const scrolled = useSignal(0)
  const viewHeight = useSignal(window.innerHeight)
  // The row to focus once it is drawn.
  const wanted = useRef<number | undefined>(undefined)
  const range = visibleRange(list, scrolled.value, viewHeight.value, OVERSCAN)

  useLayoutEffect(() => {
    const read = () => {
      const top = body.current?.getBoundingClientRect().top ?? 0
      // In whole steps: a list is drawn once for several rows of scrolling.
      scrolled.value =
        listHeight(list) === total * rowHeight ? Math.round(-top / rowHeight / 4) * rowHeight * 4 : -top
      viewHeight.value = window.innerHeight
    }
    read()
    window.addEventListener('scroll', read, { passive: true })
    window.addEventListener('resize', read, { passive: true })
    return () => {
      window.removeEventListener('scroll', read)
      window.removeEventListener('resize', read)
    }
  }, [total, rowHeight])

  useLayoutEffect(() => onView(range.first, range.end), [range.first, range.end, onView])
  useLayoutEffect(() => {
    if (wanted.current === undefined) return
    const link = body.current?.querySelector(`[aria-rowindex="${wanted.current + 2}"] a`)
    if (!(link instanceof HTMLElement)) return
    link.focus({ preventScroll: true })
    wanted.current = undefined
  })

  function move(event: KeyboardEvent): void {
    const row = event.target instanceof Element ? event.target.closest('tbody tr') : null
    const step = Object.hasOwn(STEP_KEYS, event.key) ? STEP_KEYS[event.key] : undefined
    if (row === null || step === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    const current = Number(row.getAttribute('aria-rowindex')) - 2
    const page = Math.max(1, Math.floor(window.innerHeight / rowHeight) - 3)
    const next = Math.min(Math.max(0, step(current, page, total - 1)), total - 1)
    wanted.current = next
    const top = body.current?.getBoundingClientRect().top ?? 0
    const to = scrollToRow(list, next, -top, window.innerHeight, rowHeight + 8)
    if (to !== undefined) window.scrollTo(0, to + top + window.scrollY)
    const link = body.current?.querySelector(`[aria-rowindex="${next + 2}"] a`)
    if (link instanceof HTMLElement) {
      link.focus({ preventScroll: true })
      wanted.current = undefined
    }
  }

  return (
    // Explicit roles: a table that is laid out as a grid loses its own.
    <table role="table" class={`page-long ${props.class}`} aria-label={label} aria-rowcount={total + 1}>
      <thead role="rowgroup">
        <tr role="row" aria-rowindex={1}>
          {columns.map(({ name, isFigure }) => (
            <th key={name} role="columnheader" scope="col" class={cellClass(name, isFigure)}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup" ref={body} style={{ height: `${listHeight(list)}px` }} onKeyDown={move}>
        {Array.from({ length: Math.max(0, range.end - range.first) }, (_, at) => {
          const index = range.first + at
          const row = rowAt(index)
          return (
            <tr
              key={index}
              role="row"
              aria-rowindex={index + 2}
              class={row === undefined ? 'loading' : undefined}
              style={{ transform: `translateY(${range.top + at * rowHeight}px)` }}
            >
              {columns.map(({ name, isFigure, cell }) => (
                <td key={name} role="cell" class={cellClass(name, isFigure)}>
                  {row === undefined ? null : cell(row)}
                </td>
              ))}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

const cellClass = (name: string, isFigure = false): string =>
  `cell-${name.toLowerCase()}${isFigure ? ' figure' : ''}`
