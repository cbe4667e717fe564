import { parseMappingFile } from '../bulk/map/mapping-file.ts'
import type { MappingFile } from '../bulk/map/mapping-file.ts'
import type { FieldSchema } from '../bulk/map/field-schema.ts'
import type { ColumnMapping } from '../bulk/map/mapping.ts'
import { listFlag, textFlag } from '../cli/command/input.ts'
import type { CommandInput } from '../cli/command/input.ts'
import type { Invocation } from '../cli/command/invocation.ts'
import { parseCount } from '../cli/parse/count.ts'
import { UsageError } from '../errors.ts'
import { oneOf } from './one-of.ts'

const LARGEST_MAPPING_BYTES = 1024 * 1024

/** The file that `--mapping` names; undefined without the flag. */
export function readMappingFile(
  { context }: Invocation,
  input: CommandInput,
  schema: FieldSchema,
): MappingFile | undefined {
  const path = textFlag(input, 'mapping')
  if (path === undefined) return undefined
  const bytes = context.readFile(path, LARGEST_MAPPING_BYTES)
  return parseMappingFile(schema, new TextDecoder().decode(bytes), path)
}

/** @throws {UsageError} if FILE is missing */
export function readPath(input: CommandInput): string {
  const path = input.args['FILE']
  if (path !== undefined) return path
  throw new UsageError('Missing: FILE', {
    code: 'missing_input',
    hint: 'Name a CSV or NDJSON file, or - for stdin.',
  })
}

/** The format that `--format` names, or else the name of the file. */
export function readFormat(path: string, named: string | undefined): 'csv' | 'ndjson' {
  if (named !== undefined) return oneOf('--format', named, ['csv', 'ndjson'])
  if (/\.(?:csv|tsv|txt)(?:\.gz)?$/i.test(path)) return 'csv'
  if (/\.(?:ndjson|jsonl)(?:\.gz)?$/i.test(path)) return 'ndjson'
  // A spreadsheet: opening it throws an error that explains how to save it as CSV.
  if (/\.(?:xls[xmb]?|ods|numbers)$/i.test(path)) return 'csv'
  throw new UsageError(
    path === '-' ? 'The format of stdin is unknown' : `The format of ${path} is not clear from its name`,
    {
      code: 'missing_input',
      hint: 'Add --format csv or --format ndjson.',
    },
  )
}

/** A field named by --map or --const ignores both sections of the mapping file. */
export function readMapping(input: CommandInput, file: MappingFile): ColumnMapping {
  const problems: string[] = []
  const [map, constants] = [pairsOf(input, 'map', problems), pairsOf(input, 'const', problems)]
  if (problems.length > 0) throw new UsageError(problems.join('; '), { code: 'bad_value' })
  const remaining = (pairs: ReadonlyMap<string, string>) =>
    [...pairs].filter(([field]) => !map.has(field) && !constants.has(field))
  return {
    columns: new Map([...remaining(file.map), ...map]),
    constants: new Map([...remaining(file.const), ...constants]),
  }
}

function pairsOf(
  input: CommandInput,
  flag: 'map' | 'const',
  problems: string[],
): ReadonlyMap<string, string> {
  const pairs = new Map<string, string>()
  for (const text of listFlag(input, flag)) {
    const at = text.indexOf('=')
    const field = text.slice(0, at)
    if (at < 1) problems.push(`--${flag} takes FIELD=${flag === 'map' ? 'COLUMN' : 'VALUE'}, not "${text}"`)
    else if (pairs.has(field)) problems.push(`--${flag} names ${field} twice`)
    else pairs.set(field, text.slice(at + 1))
  }
  return pairs
}

export function readConcurrency(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const count = parseCount(text, '--concurrency')
  if (count >= 1 && count <= 256) return count
  throw new UsageError(`--concurrency takes a number from 1 to 256, not "${text}"`, { code: 'bad_value' })
}

export function readRate(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const rate = /^(\d+(?:\.\d+)?)(?:\/s)?$/.exec(text)?.[1]
  if (rate !== undefined && Number(rate) > 0) return Number(rate)
  throw new UsageError(`--rate takes requests per second, such as 50/s, not "${text}"`, { code: 'bad_value' })
}

/** How many failed rows are too many: a count, or a share from 0 to 1. */
export type MaxFailures = { readonly count: number } | { readonly share: number }

export function readMaxFailures(text: string | undefined): MaxFailures | undefined {
  if (text === undefined) return undefined
  const share = /^(\d+(?:\.\d+)?)%$/.exec(text)?.[1]
  return share === undefined ? { count: parseCount(text, '--max-failures') } : { share: Number(share) / 100 }
}
