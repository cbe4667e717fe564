import type { Block } from './blocks.ts'
import { CellProblem, readCell } from './cell.ts'
import type { CellOptions } from './cell.ts'
import type { ReadRow } from './import-run.ts'
import type { MappingWords } from './mapping.ts'
import { ndjsonRows } from './ndjson.ts'
import type { JsonRow } from './ndjson.ts'
import { put } from './prepare.ts'
import type { RowProblem } from './prepare.ts'
import { REASON, kindOf, segmentsOf } from './record-fields.ts'
import { UsageError } from '../errors.ts'
import { stringifyJson } from '../json/json.ts'

/** All that is wrong with a record, as `[path, problem]`. */
export type CheckRecord = (
  body: unknown,
) => readonly { readonly path: string; readonly description: string }[]

/** A JSON record on each line: the body as the service takes it, with the constants, and amounts in their units. */
export function readNdjson(words: MappingWords, options: CellOptions, check: CheckRecord) {
  if (words.columns.size > 0)
    throw new UsageError('--map is for columns, and NDJSON has none', {
      code: 'bad_value',
      hint: 'Use --const, or convert it',
    })
  const constants = [...words.constants].map(([path, text]) => constantOf(path, text, options))
  return {
    start: { byte: 0, line: 1 },
    rowsOf: (block: Block): { readonly rows: readonly ReadRow[]; readonly problem: Error | undefined } => {
      const { rows, problem } = ndjsonRows(block)
      return { problem, rows: rows.map((row) => readRow(row)) }
    },
  }

  function readRow({ text, value, problem }: JsonRow): ReadRow {
    if (problem !== undefined)
      return unfit(text, '', [problemOf(undefined, undefined, `is no JSON: ${problem}`)])
    if (!isRecord(value)) return unfit(text, '', [problemOf(undefined, undefined, 'is no JSON object')])
    // The rejects of an earlier run say why there.
    const { [REASON]: _reason, ...body } = value
    for (const { segments, value: constant } of constants) put(body, segments, constant)
    const problems = options.amounts === 'major' ? toMinor(body) : []
    const paymentId = typeof body['paymentId'] === 'string' ? body['paymentId'] : ''
    const all = [
      ...problems,
      ...check(body).map(({ path, description }) =>
        problemOf(path.replace(/^\$\.?/, ''), undefined, description),
      ),
    ]
    return all.length > 0
      ? unfit(text, paymentId, all)
      : { paymentId, prepared: { paymentId, body }, problems: [], cells: [text] }
  }

  function toMinor(body: Record<string, unknown>): readonly RowProblem[] {
    const { amount, currencyCode } = body
    if (amount === undefined || amount === null) return []
    const currency = typeof currencyCode === 'string' ? currencyCode : undefined
    const text = typeof amount === 'string' ? amount : stringifyJson(amount)
    const minor = readCell('amount', text, options, currency)
    if (minor instanceof CellProblem) return [problemOf('amount', text, minor.kind, minor.hint)]
    body['amount'] = minor
    return []
  }
}

function constantOf(path: string, text: string, options: CellOptions) {
  const kind = kindOf(path)
  if (kind === undefined)
    throw new UsageError(`--const ${path} is no field of a record`, { code: 'bad_value' })
  const value = readCell(kind, text, options, undefined)
  if (value instanceof CellProblem)
    throw new UsageError(`--const ${path} ${value.kind}`, { code: 'bad_value', hint: value.hint })
  return { segments: segmentsOf(path), value }
}

const unfit = (text: string, paymentId: string, problems: readonly RowProblem[]): ReadRow => ({
  paymentId,
  prepared: undefined,
  problems,
  cells: [text],
})

const problemOf = (
  column: string | undefined,
  value: string | undefined,
  kind: string,
  hint?: string,
): RowProblem => ({ column, value, kind, hint })

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
