import { stringify } from 'csv-stringify/sync'

/** One line of CSV. A cell that a spreadsheet would run as a formula gets an apostrophe before it (OWASP, CSV injection). */
export const csvLine = (cells: readonly (string | number)[], delimiter = ','): string =>
  cells.every((cell) => isPlain(cell, delimiter))
    ? `${cells.join(delimiter)}\n`
    : stringify([cells], { delimiter, escape_formulas: true, record_delimiter: '\n' })

/** Most cells need neither quotes nor care, and the library takes 20 times as long. */
const isPlain = (cell: string | number, delimiter: string): boolean =>
  typeof cell === 'number' || (/^[\w .:/-]*$/.test(cell) && !/^[-]/.test(cell) && !cell.includes(delimiter))
