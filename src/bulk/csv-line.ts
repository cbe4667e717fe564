/** What a spreadsheet would run as a formula (OWASP, CSV injection), with or without apostrophes before it. */
const FORMULA = /^'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/

/** One line of CSV. A cell that a spreadsheet would run as a formula gets an apostrophe before it. */
export const csvLine = (cells: readonly (string | number)[], delimiter = ','): string =>
  `${cells.map((cell) => (typeof cell === 'number' ? cell : quoted(withGuard(cell), delimiter))).join(delimiter)}\n`

const withGuard = (cell: string): string => (FORMULA.test(cell) ? `'${cell}` : cell)

/** Takes away the apostrophe that {@link csvLine} has put there. */
export const withoutGuard = (cell: string): string =>
  cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell

const quoted = (cell: string, delimiter: string): string =>
  cell.includes(delimiter) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
