import type { Block } from './blocks.ts'
import { recordsOf } from './blocks.ts'
import { csvRows, delimiterOf } from './csv.ts'
import type { Delimiter } from './csv.ts'
import type { ReadRow } from './import-run.ts'
import { planOf } from './mapping.ts'
import type { MappingWords, Plan } from './mapping.ts'
import { rowReader } from './prepare.ts'
import type { CellOptions } from './cell.ts'
import { unusableFile } from './unusable-file.ts'

/** A CSV file whose header has been read. */
export interface Table {
  readonly plan: Plan
  readonly delimiter: Delimiter
  /** Where the rows begin. */
  readonly start: { readonly byte: number; readonly line: number }
  readonly rowsOf: (block: Block) => {
    readonly rows: readonly ReadRow[]
    readonly problem: Error | undefined
  }
}

export function readTable(
  head: Buffer,
  words: MappingWords,
  options: CellOptions & { readonly delimiter: Delimiter | undefined },
): Table {
  const [first] = recordsOf({ bytes: head, startByte: 0, startLine: 1 }, true)
  if (first === undefined)
    throw unusableFile('The file is empty', 'It has to begin with a header: pay observability template')
  const delimiter = options.delimiter ?? delimiterOf(first.bytes.toString().replace(/^\uFEFF/, ''))
  const { rows, problem } = csvRows(first, delimiter)
  if (problem !== undefined) throw problem
  const [header] = rows
  if (header === undefined) throw unusableFile('The first line is empty: it has to be the header')
  const plan = planOf(
    header.map((name) => name.trim()),
    words,
  )
  const read = rowReader(plan, options)
  const idColumn = plan.fields.find(({ path }) => path === 'paymentId')?.column
  return {
    plan,
    delimiter,
    start: { byte: first.bytes.length, line: 1 + first.bytes.toString('latin1').split('\n').length - 1 },
    rowsOf: (block) => {
      const parsed = csvRows(block, delimiter)
      return {
        problem: parsed.problem,
        rows: parsed.rows.map((cells) => {
          const made = read(cells)
          const paymentId = idColumn === undefined ? '' : (cells[idColumn] ?? '')
          return 'body' in made
            ? { paymentId, prepared: made, problems: [], cells }
            : { paymentId, prepared: undefined, problems: made, cells }
        }),
      }
    },
  }
}
