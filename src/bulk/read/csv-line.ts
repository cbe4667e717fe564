import { stringify } from 'csv-stringify/sync'

/**
 * What a spreadsheet may run as a formula (OWASP, CSV injection): white space and control characters before it don't stop
 * every program. Apostrophes before it count too, so that taking one away gives back what was there.
 */
const FORMULA = /^'*(?:[\t\r\n]|[\s\p{Cc}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/u

/** One line of CSV. A cell that a spreadsheet would run as a formula gets an apostrophe before it. */
export const csvLine = (cells: readonly (string | number)[], delimiter = ','): string =>
  stringify([cells.map(withGuard)], { delimiter, record_delimiter: '\n', quote_record_delimiter: true })

/** The library's own guard cannot be taken away again: it leaves cells that have an apostrophe as they are. */
const withGuard = (cell: string | number): string | number =>
  typeof cell === 'string' && FORMULA.test(cell) ? `'${cell}` : cell

/** Takes away the apostrophe that {@link csvLine} has put there. */
export const withoutGuard = (cell: string): string =>
  cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell
