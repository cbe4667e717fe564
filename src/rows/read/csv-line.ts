import { stringify } from 'csv-stringify/sync'

/**
 * Text that a spreadsheet may run as a formula (OWASP, CSV injection). Some programs ignore white space and control
 * characters before it. Leading apostrophes match, too, so that removing the guard restores the original text.
 */
const FORMULA = /^'*(?:[\t\r\n]|[\s\p{Cc}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/u

/** A negative number, which a spreadsheet computes to itself: `-5` stays as it came. */
const NEGATIVE_NUMBER = /^-\d[\d.,]*$/

type Cells = readonly (string | number)[]

/** Writes lines of CSV. Guards cells that a spreadsheet would run as formulas with an apostrophe. */
export const csvLines = (rows: readonly Cells[], delimiter = ','): string =>
  stringify(
    rows.map((cells) => cells.map(withGuard)),
    { delimiter, record_delimiter: '\n', quote_record_delimiter: true },
  )

export const csvLine = (cells: Cells, delimiter?: string): string => csvLines([cells], delimiter)

/** Guards a cell. The library's own guard is not reversible: it skips cells that start with an apostrophe. */
const withGuard = (cell: string | number): string | number =>
  typeof cell === 'string' && FORMULA.test(cell) && !NEGATIVE_NUMBER.test(cell) ? `'${cell}` : cell

/** Removes the apostrophe that {@link csvLines} added. */
export const withoutGuard = (cell: string): string =>
  cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell
