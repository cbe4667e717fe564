/**
 * What a spreadsheet may run as a formula (OWASP, CSV injection): white space and control characters before it don't stop
 * every program. Apostrophes before it count too, so that taking one away gives back what was there.
 */
const FORMULA = /^'*(?:[\t\r\n]|[\s\p{Cc}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/u

/** One line of CSV. A cell that a spreadsheet would run as a formula gets an apostrophe before it. */
export function csvLine(cells: readonly (string | number)[], delimiter = ','): string {
  let line = written(cells[0] ?? '', delimiter)
  for (let index = 1; index < cells.length; index += 1)
    line += delimiter + written(cells[index] ?? '', delimiter)
  return `${line}\n`
}

/** What most cells are, and nobody could misread. */
const PLAIN = /^(?:\w[\w .:/-]*)?$/

const written = (cell: string | number, delimiter: string): string =>
  typeof cell === 'number' ? String(cell) : PLAIN.test(cell) ? cell : quoted(withGuard(cell), delimiter)

const withGuard = (cell: string): string => (FORMULA.test(cell) ? `'${cell}` : cell)

/** Takes away the apostrophe that {@link csvLine} has put there. */
export const withoutGuard = (cell: string): string =>
  cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell

const quoted = (cell: string, delimiter: string): string =>
  cell.includes(delimiter) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
