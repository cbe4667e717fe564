import { NO_MAPPING_FILE } from '../../../bulk/map/mapping-file.ts'
import type { MappingFile } from '../../../bulk/map/mapping-file.ts'
import type { ColumnMapping } from '../../../bulk/map/mapping.ts'
import { WHOLE } from '../../../bulk/read/shard.ts'
import type { Shard } from '../../../bulk/read/shard.ts'
import { listFlag, switchFlag, textFlag } from '../../../cli/command/input.ts'
import type { CommandInput } from '../../../cli/command/input.ts'
import { parseCount } from '../../../cli/parse/count.ts'
import { UsageError } from '../../../errors.ts'
import { ON_EXISTS } from '../../../import/record-operation.ts'
import type { ImportSettings } from '../../../import/settings.ts'
import { oneOf } from '../../one-of.ts'

type Env = Readonly<Record<string, string | undefined>>

/**
 * Reads the flags of an import. Flags override the mapping file.
 * @throws {UsageError} if a flag is missing, malformed or in conflict with another
 */
export function readImportSettings(
  input: CommandInput,
  env: Env,
  file: MappingFile = NO_MAPPING_FILE,
): ImportSettings {
  const path = input.args['FILE']
  if (path === undefined)
    throw new UsageError('Missing: FILE', {
      code: 'missing_input',
      hint: 'Name a CSV or NDJSON file, or - for stdin.',
    })
  return {
    path,
    format: readFormat(path, textFlag(input, 'format')),
    mapping: readMapping(input, file),
    amounts: oneOf('--amounts', textFlag(input, 'amounts') ?? file.amounts ?? 'minor', ['minor', 'major']),
    assumesUtc: switchFlag(input, 'assume-utc') || file.assumeUtc === true,
    onExists: oneOf('--on-exists', textFlag(input, 'on-exists') ?? 'update', ON_EXISTS),
    concurrency: readConcurrency(textFlag(input, 'concurrency')),
    rate: readRate(textFlag(input, 'rate')),
    maxFailures: readMaxFailures(textFlag(input, 'max-failures')),
    canary: readCanary(input, path),
    results: textFlag(input, 'results'),
    rejects: textFlag(input, 'rejects'),
    restart: switchFlag(input, 'restart'),
    shard: readShard(textFlag(input, 'shard'), textFlag(input, 'shards'), env),
  }
}

function readFormat(path: string, named: string | undefined): 'csv' | 'ndjson' {
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
function readMapping(input: CommandInput, file: MappingFile): ColumnMapping {
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

const countOf = (input: CommandInput, flag: string): number | undefined => {
  const text = textFlag(input, flag)
  return text === undefined ? undefined : parseCount(text, `--${flag}`)
}

/** --canary sends a first part and reads the input again for the rest, so it needs a file. */
function readCanary(input: CommandInput, path: string): number | undefined {
  const canary = countOf(input, 'canary')
  if (canary === undefined || path !== '-') return canary
  throw new UsageError('--canary needs a file: stdin cannot be read twice', { code: 'bad_value' })
}

function readConcurrency(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const count = parseCount(text, '--concurrency')
  if (count >= 1 && count <= 256) return count
  throw new UsageError(`--concurrency takes a number from 1 to 256, not "${text}"`, { code: 'bad_value' })
}

function readRate(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const rate = /^(\d+(?:\.\d+)?)(?:\/s)?$/.exec(text)?.[1]
  if (rate !== undefined && Number(rate) > 0) return Number(rate)
  throw new UsageError(`--rate takes requests per second, such as 50/s, not "${text}"`, { code: 'bad_value' })
}

function readMaxFailures(text: string | undefined): ImportSettings['maxFailures'] {
  if (text === undefined) return undefined
  const share = /^(\d+(?:\.\d+)?)%$/.exec(text)?.[1]
  return share === undefined ? { count: parseCount(text, '--max-failures') } : { share: Number(share) / 100 }
}

function readShard(shard: string | undefined, shards: string | undefined, env: Env): Shard {
  if (shard !== undefined && shards !== undefined)
    throw new UsageError('--shard and --shards both choose the part: use only one', { code: 'two_sources' })
  if (shard !== undefined) {
    const parts = /^(\d{1,6})\/(\d{1,6})$/.exec(shard)
    const [part, of] = [Number(parts?.[1]), Number(parts?.[2])]
    if (part >= 1 && part <= of) return { part, of }
    throw new UsageError(`--shard takes K/N with K from 1 to N, not "${shard}"`, { code: 'bad_value' })
  }
  if (shards === undefined) return WHOLE
  const of = parseCount(shards, '--shards')
  const index = env['JOB_COMPLETION_INDEX']
  if (of < 1 || index === undefined || !/^\d{1,6}$/.test(index) || Number(index) >= of)
    throw new UsageError(`--shards ${shards} needs JOB_COMPLETION_INDEX from 0 to ${of - 1}`, {
      code: 'bad_value',
      hint: 'An Indexed Job sets it. Elsewhere use --shard K/N.',
    })
  return { part: Number(index) + 1, of }
}
