import * as fc from 'fast-check'

/** A table as CSV, with the expected result of reading it. */
export interface WrittenTable {
  readonly bytes: Buffer
  readonly rows: readonly (readonly string[])[]
  /** The line where each row begins, from 1. */
  readonly lines: readonly number[]
}

const CHARACTERS = [
  'a',
  '7',
  ' ',
  '"',
  ',',
  ';',
  '\t',
  '\n',
  '\r',
  '\r\n',
  'é',
  '€',
  '😀',
  "'",
  '=',
  '\u0000',
  '\uFEFF',
]
const cell = fc
  .array(fc.constantFrom(...CHARACTERS), { maxLength: 6 })
  .map((characters) => characters.join(''))

interface WrittenCell {
  readonly text: string
  readonly isQuoted: boolean
}

const writtenCell: fc.Arbitrary<WrittenCell> = fc
  .tuple(cell, fc.boolean())
  .map(([text, isQuoted]) => ({ text, isQuoted: isQuoted || /[",;\t\r\n]/.test(text) }))

const writtenRow = fc.record({
  cells: fc.array(writtenCell, { minLength: 1, maxLength: 5 }),
  end: fc.constantFrom('\n', '\n', '\r\n', '\r'),
  /** Empty lines after the row. */
  empty: fc.constantFrom('', '', '', '\n', '\r\n\r\n', '\n\n'),
})

const inCsv = ({ text, isQuoted }: WrittenCell): string =>
  isQuoted ? `"${text.replaceAll('"', '""')}"` : text

const linesIn = (text: string): number => text.split(/\r\n|\n|\r/).length - 1

/** Random tables with random quoting and line ends, some without a final line end. */
export const tables = (delimiter: ',' | ';' | '\t'): fc.Arbitrary<WrittenTable> =>
  fc.tuple(fc.array(writtenRow, { maxLength: 12 }), fc.boolean()).map(([written, endsOpen]) => {
    const rows: string[][] = []
    const lines: number[] = []
    let text = ''
    for (const [index, { cells, end, empty }] of written.entries()) {
      const line = cells.map(inCsv).join(delimiter)
      // An empty line is not a row.
      if (line === '') continue
      rows.push(cells.map((one) => one.text))
      lines.push(linesIn(text) + 1)
      // A line feed after a carriage return would be part of the same line end.
      const emptyLines = end === '\r' ? '' : empty
      text += endsOpen && index === written.length - 1 ? line : `${line}${end}${emptyLines}`
    }
    return { bytes: Buffer.from(text), rows, lines }
  })
