import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { CellOptions } from '../rows/map/cell.ts'
import { parseDateFormat } from '../rows/map/date-format.ts'
import type { DateFormat } from '../rows/map/date-format.ts'
import type { FieldSchema } from '../rows/map/field-schema.ts'
import { NO_MAPPING_FILE, parseMappingFile } from '../rows/map/mapping-file.ts'
import type { MappingFile } from '../rows/map/mapping-file.ts'
import { PLACEHOLDER } from '../rows/map/placeholder.ts'
import { namesColumns } from '../rows/map/mapping.ts'
import type { ColumnMapping } from '../rows/map/mapping.ts'
import type { NumberStyle } from '../rows/map/number-style.ts'
import { timeZoneNames, timeZoneOf } from '../rows/map/time-zone.ts'
import type { TimeZone } from '../rows/map/time-zone.ts'
import { encodingLabels, encodingOf } from '../rows/read/encodings.ts'
import type { EncodingName } from '../rows/read/encodings.ts'
import { isDelimiter } from '../rows/read/table.ts'
import { statsOf } from '../rows/read/input.ts'
import type { TableSettings } from '../rows/read/table-settings.ts'
import type { Context } from '../cli/command/context.ts'
import { listFlag, switchFlag, textFlag } from '../cli/command/input.ts'
import type { CommandInput } from '../cli/command/input.ts'
import { UsageError } from '../errors.ts'
import { didYouMean, joinChoices } from '../text/suggest.ts'
import { oneOf } from '../cli/parse/choices.ts'

const LARGEST_MAPPING_BYTES = 1024 * 1024

export interface TableSource {
  /** What a row describes. */
  readonly schema: FieldSchema
  /** The input; `-` for stdin. */
  readonly path: string
  /** How amounts are read unless a flag or the mapping file says; default: in minor units. */
  readonly amounts?: CellOptions['amounts']
  /** Mappings that `--mapping` takes by name, as YAML. */
  readonly ready?: Readonly<Record<string, string>>
  /** Whether fields of the mapping file that the API doesn't require may lack their column. */
  readonly mayLackColumns?: boolean
  /** Whether rows of all kinds are read. Otherwise the mapping's `kinds` leave out what is no payment. */
  readonly takesAllKinds?: boolean
}

/**
 * Reads the flags of `TABLE_FLAGS` and the mapping file. Flags win over the file.
 * @throws {UsageError} if one is malformed or contradicts another
 */
export function readTableSettings(
  context: Pick<Context, 'cwd' | 'readFile' | 'now'>,
  input: CommandInput,
  source: TableSource,
): TableSettings {
  const file = readMappingFile(context, input, source)
  const units = readAmounts(textFlag(input, 'amounts') ?? file.amounts)
  const settings = {
    format: readFormat(context.cwd, source.path, textFlag(input, 'format')),
    mapping: readMapping(input, source.takesAllKinds === true ? file : paymentsIn(file), source),
    ...(source.takesAllKinds === true ? { kinds: file.kinds } : {}),
    cells: {
      amounts: units ?? source.amounts ?? 'minor',
      numbers: readNumbers(input, file),
      dateFormat: settingOf(input, 'date-format', file.dateFormat, readDateFormat),
      ...readZone(input, file),
      timezoneColumn: textFlag(input, 'timezone-column') ?? file.timezoneColumn,
      latest: dayAfterTomorrow(context.now()),
    },
    areUnitsGiven: units !== undefined,
    isoMinor: switchFlag(input, 'iso-minor') || file.isoMinor === true,
    ...readFormatFlags(input, file),
  }
  if (settings.format === 'ndjson') refuseColumns(input, settings)
  return settings
}

/** The same mapping file with the filters that its kinds of rows mean: payments are kept, all others left out. */
function paymentsIn(file: MappingFile): MappingFile {
  const { kinds } = file
  if (kinds === undefined) return file
  const { column, values } = kinds
  if (column === undefined)
    throw badValue('kinds in the mapping file lacks the column that names them', 'Add kinds.column.')
  const others = [...values].flatMap(([kind, cells]) => (kind === 'payment' ? [] : cells))
  return {
    ...file,
    where: new Map([...file.where, [column, new Set(values.get('payment'))]]),
    leaveOut: others.length === 0 ? file.leaveOut : new Map([...file.leaveOut, [column, new Set(others)]]),
  }
}

/** The start of it, in UTC. */
const dayAfterTomorrow = (now: Date): string =>
  new Date(now.getTime() + 2 * 86_400_000).toISOString().slice(0, 10)

/** The settings without which the header cannot be read. */
export const readFormatFlags = (
  input: CommandInput,
  file: MappingFile = NO_MAPPING_FILE,
): Pick<TableSettings, 'delimiter' | 'encoding' | 'skipLines'> => ({
  delimiter: settingOf(input, 'delimiter', file.delimiter, readDelimiter),
  encoding: settingOf(input, 'encoding', file.encoding, readEncoding),
  skipLines: settingOf(input, 'skip-lines', file.skipLines, readLines) ?? 0,
})

/** Reads the mapping. A file wins over a ready-made mapping of the same name. */
function readMappingFile(
  { cwd, readFile }: Pick<Context, 'cwd' | 'readFile'>,
  input: CommandInput,
  { schema, ready = {} }: TableSource,
): MappingFile {
  const name = textFlag(input, 'mapping')
  if (name === undefined) return NO_MAPPING_FILE
  if (name === PLACEHOLDER)
    throw badValue(
      `--mapping ${PLACEHOLDER} is a placeholder`,
      'Write the name of your mapping file in its place.',
    )
  const isFile = existsSync(resolve(cwd, name))
  const names = Object.keys(ready)
  const text = Object.hasOwn(ready, name) ? ready[name] : undefined
  if (!isFile && text !== undefined) return parseMappingFile(schema, text, name)
  if (!isFile && names.length > 0 && /^[\w-]+$/.test(name))
    throw new UsageError(`There is neither a file nor a ready-made mapping "${name}"`, {
      code: 'unreadable_file',
      hint: didYouMean(name, names) ?? `Ready-made: ${joinChoices(names)}. For your own, name a YAML file.`,
    })
  return parseMappingFile(schema, new TextDecoder().decode(readFile(name, LARGEST_MAPPING_BYTES)), name)
}

/** The value of a flag, or of the mapping file. `what` names its source in errors. */
function settingOf<T>(
  input: CommandInput,
  flag: string,
  inFile: string | undefined,
  read: (text: string, what: string) => T,
): T | undefined {
  const typed = textFlag(input, flag)
  if (typed !== undefined) return read(typed, `--${flag}`)
  const key = flag.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  return inFile === undefined ? undefined : read(inFile, `${key} in the mapping file`)
}

function readLines(text: string, what: string): number {
  if (/^\d{1,3}$/.test(text)) return Number(text)
  throw badValue(`${what} takes a number of lines up to 999, not "${text}"`)
}

function readDelimiter(text: string, what: string): string {
  const delimiter = text === 'tab' || text === '\\t' ? '\t' : text
  if (isDelimiter(delimiter)) return delimiter
  throw badValue(`${what} takes one character, such as ; or |, or tab, not "${text}"`)
}

function readEncoding(text: string, what: string): EncodingName {
  const encoding = encodingOf(text)
  if (encoding !== undefined) return encoding
  throw badValue(
    `${what} takes a label such as utf-8, windows-1252 or utf-16le, not "${text}"`,
    /^(?:ansi|western|excel|latin-?1)$/i.test(text)
      ? 'Did you mean windows-1252?'
      : didYouMean(text, encodingLabels()),
  )
}

function readDateFormat(text: string, what: string): DateFormat {
  const format = parseDateFormat(text)
  if ('read' in format) return format
  throw badValue(`${what} "${text}" ${format.kind}`, format.hint)
}

function readTimezone(text: string, what: string): TimeZone {
  const timezone = timeZoneOf(text)
  if (timezone !== undefined) return timezone
  throw badValue(
    `${what} takes a name of the IANA database, such as Europe/Berlin, not "${text}"`,
    didYouMean(text, timeZoneNames()),
  )
}

function readNumbers(input: CommandInput, file: MappingFile): NumberStyle {
  if (switchFlag(input, 'decimal-comma') || file.decimalComma === true) return 'decimal-comma'
  return file.thousandsComma === true ? 'thousands-comma' : 'plain'
}

/** Reads the zone of times. Either flag wins over both keys of the file. */
function readZone(
  input: CommandInput,
  file: MappingFile,
): { readonly assumesUtc: boolean; readonly timezone: TimeZone | undefined } {
  const [assumesUtc, named] = [switchFlag(input, 'assume-utc'), textFlag(input, 'timezone')]
  if (assumesUtc && named !== undefined)
    throw new UsageError('--assume-utc and --timezone both name the zone: use only one', {
      code: 'two_sources',
    })
  return {
    assumesUtc: assumesUtc || (named === undefined && file.assumeUtc === true),
    timezone: assumesUtc ? undefined : settingOf(input, 'timezone', file.timezone, readTimezone),
  }
}

const readAmounts = (text: string | undefined): 'minor' | 'major' | undefined =>
  text === undefined ? undefined : oneOf<'minor' | 'major'>('--amounts', text, ['minor', 'major'])

function readFormat(cwd: string, path: string, named: string | undefined): 'csv' | 'ndjson' {
  if (named !== undefined) return oneOf('--format', named, ['csv', 'ndjson'])
  if (/\.(?:csv|tsv|txt)(?:\.gz)?$/i.test(path)) return 'csv'
  if (/\.(?:ndjson|jsonl)(?:\.gz)?$/i.test(path)) return 'ndjson'
  // A spreadsheet: opening it throws an error that explains how to save it as CSV.
  if (/\.(?:xls[xmb]?|ods|numbers)$/i.test(path)) return 'csv'
  if (path !== '-') statsOf(resolve(cwd, path), path)
  throw new UsageError(
    path === '-' ? 'The format of stdin is unknown' : `The format of ${path} is not clear from its name`,
    {
      code: 'missing_input',
      hint: 'Add --format csv or --format ndjson.',
    },
  )
}

/** Reads where each field comes from. One named by --map or --const ignores what the mapping file says about its source. */
function readMapping(
  input: CommandInput,
  file: MappingFile,
  { schema, mayLackColumns = false }: TableSource,
): ColumnMapping {
  const problems: string[] = []
  const [map, constants] = [pairsOf(input, 'map', problems), pairsOf(input, 'const', problems)]
  if (problems.length > 0) throw badValue(problems.join('; '))
  const remaining = <T>(pairs: ReadonlyMap<string, T>): readonly (readonly [string, T])[] =>
    [...pairs].filter(([field]) => !map.has(field) && !constants.has(field))
  return {
    columns: new Map([...remaining(file.map), ...map]),
    constants: new Map([...remaining(file.const), ...constants]),
    joins: new Map(remaining(file.join)),
    values: file.values,
    where: file.where,
    leaveOut: file.leaveOut,
    // A flag with a typo must not go unnoticed.
    optional: new Set(
      mayLackColumns
        ? [...file.map.keys(), ...file.join.keys()].filter(
            (field) => !schema.required.includes(field) && !map.has(field),
          )
        : [],
    ),
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

/** Refuses settings of columns for NDJSON, which has no columns, cells or delimiters. */
function refuseColumns(
  input: CommandInput,
  { mapping, delimiter }: Pick<TableSettings, 'mapping' | 'delimiter'>,
): void {
  const isMapped = namesColumns(mapping) || (mapping.values?.size ?? 0) > 0
  if (!isMapped && delimiter === undefined) return
  const isFlag = listFlag(input, 'map').length > 0 || textFlag(input, 'delimiter') !== undefined
  const what = isMapped
    ? isFlag
      ? '--map names columns'
      : 'The mapping names columns'
    : 'A delimiter separates cells'
  throw badValue(`${what}, and NDJSON has none`, 'Use --const, or convert the file to CSV.')
}

const badValue = (message: string, hint?: string): UsageError =>
  new UsageError(message, { code: 'bad_value', hint })
