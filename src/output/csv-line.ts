/** What a cell of CSV is made of: text is quoted where it must be, and never run as a formula. */
export type CsvCell = string | number | bigint

/** Nothing in it means anything to a reader of CSV, nor its first sign to a spreadsheet. */
const PLAIN = /^(?![=+\-@\t\uFF1D\uFF0B\uFF0D\uFF20])[^",\r\n]*$/
const NEEDS_QUOTES = /[",\r\n]/
/** With one of these a formula begins, also in the wide form of East Asia. */
const BEGINS_FORMULA = /^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/

/** Cells as RFC 4180 has them in a line, without its end. */
export const csvLine = (cells: readonly CsvCell[]): string => cells.map(cellText).join(',')

function cellText(cell: CsvCell): string {
  // The minus of a number begins no formula.
  if (typeof cell !== 'string') return String(cell)
  if (PLAIN.test(cell)) return cell
  const text = BEGINS_FORMULA.test(cell) ? `'${cell}` : cell
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
