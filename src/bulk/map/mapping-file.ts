import { LineCounter, YAMLParseError, parse } from 'yaml'
import { UsageError } from '../../errors.ts'
import type { ValidationProblem } from '../../errors.ts'
import { isRecord } from '../../is-record.ts'
import { kindOf } from './field-schema.ts'
import type { FieldSchema } from './field-schema.ts'
import { didYouMean } from './mapping-error.ts'
import type { ColumnMapping } from './mapping.ts'

/** The content of a mapping file. Every key is optional. */
export interface MappingFile {
  /** Column name by field path. */
  readonly map: ReadonlyMap<string, string>
  /** Constant text by field path. */
  readonly const: ReadonlyMap<string, string>
  /** Names of columns by field path. */
  readonly join: NonNullable<ColumnMapping['joins']>
  readonly values: NonNullable<ColumnMapping['values']>
  readonly where: NonNullable<ColumnMapping['where']>
  readonly leaveOut: NonNullable<ColumnMapping['leaveOut']>
  readonly amounts: 'minor' | 'major' | undefined
  readonly assumeUtc: boolean | undefined
  readonly decimalComma: boolean | undefined
  readonly thousandsComma: boolean | undefined
  /** These four as written; the code that reads the flags of the same names checks them. */
  readonly delimiter: string | undefined
  readonly dateFormat: string | undefined
  readonly timezone: string | undefined
  readonly encoding: string | undefined
}

export const NO_MAPPING_FILE: MappingFile = {
  map: new Map(),
  const: new Map(),
  join: new Map(),
  values: new Map(),
  where: new Map(),
  leaveOut: new Map(),
  amounts: undefined,
  assumeUtc: undefined,
  decimalComma: undefined,
  thousandsComma: undefined,
  delimiter: undefined,
  dateFormat: undefined,
  timezone: undefined,
  encoding: undefined,
}

type Report = (path: string, description: string) => void

const KEYS = Object.keys(NO_MAPPING_FILE)
/** A suggested mapping has these keys too, as information for its reader. */
const IGNORED_KEYS = ['file', 'ready', 'missing', 'notes']
const UNITS = ['minor', 'major'] as const
/** Two settings that contradict each other. */
const CONFLICTS = [
  ['assumeUtc', 'timezone'],
  ['decimalComma', 'thousandsComma'],
] as const

/**
 * Parses YAML such as `map: {amount: total}`, `const: {processor.name: ACME}`, `amounts: major`, `assumeUtc: true`.
 * @param shown the path of the file, for messages
 * @throws {UsageError} listing every problem of the file
 */
export function parseMappingFile(schema: FieldSchema, text: string, shown: string): MappingFile {
  const problems: ValidationProblem[] = []
  const report: Report = (path, description) => problems.push({ path, description })
  const value = parseYaml(text, shown)
  if (!isRecord(value)) throw badMapping(shown, [{ path: '$', description: 'must contain map: or const:' }])
  for (const key of Object.keys(value)) {
    if (!KEYS.includes(key) && !IGNORED_KEYS.includes(key)) report(key, unknownKey(schema, key))
  }
  const flag = (key: string): boolean | undefined => {
    const written = value[key]
    if (written !== undefined && written !== 'true' && written !== 'false')
      report(key, 'must be true or false')
    return written === undefined ? undefined : written === 'true'
  }
  const textOf = (key: string): string | undefined => {
    const written = value[key]
    if (typeof written === 'string' || written === undefined) return written
    report(key, 'must be text')
    return undefined
  }
  const file: MappingFile = {
    map: textsOf(schema, value['map'], 'map', report),
    const: textsOf(schema, value['const'], 'const', report),
    join: joinsOf(schema, value['join'], report),
    values: valuesOf(schema, value['values'], report),
    where: filtersOf(value, 'where', report),
    leaveOut: filtersOf(value, 'leaveOut', report),
    amounts: UNITS.find((unit) => unit === value['amounts']),
    assumeUtc: flag('assumeUtc'),
    decimalComma: flag('decimalComma'),
    thousandsComma: flag('thousandsComma'),
    delimiter: textOf('delimiter'),
    dateFormat: textOf('dateFormat'),
    timezone: textOf('timezone'),
    encoding: textOf('encoding'),
  }
  const sources = [file.map, file.const, file.join]
  for (const field of new Set(sources.flatMap((source) => [...source.keys()]))) {
    const keys = ['map', 'const', 'join'].filter((_, at) => sources[at]?.has(field))
    if (keys.length > 1) report(field, `is in both ${keys.join(' and ')}`)
  }
  for (const [column, kept] of file.where)
    for (const cell of file.leaveOut.get(column) ?? [])
      if (kept.has(cell)) report(`leaveOut.${column}`, `has "${cell}", which where keeps: remove one`)
  for (const [one, other] of CONFLICTS)
    if (isSet(file[one]) && isSet(file[other])) report(other, `contradicts ${one}: remove one`)
  if (value['amounts'] !== undefined && file.amounts === undefined)
    report('amounts', 'must be minor or major')
  if (problems.length > 0) throw badMapping(shown, problems)
  return file
}

const isSet = (value: string | boolean | undefined): boolean => value !== undefined && value !== false

const unknownKey = (schema: FieldSchema, key: string): string =>
  kindOf(schema, key) === undefined
    ? `is not one of ${KEYS.join(', ')}${didYouMean(key, KEYS)}`
    : 'is a field: put it under map: or const:'

/** The failsafe schema reads every scalar as text: 01 stays 01, and NO is not a boolean. */
function parseYaml(text: string, shown: string): unknown {
  const lines = new LineCounter()
  try {
    return parse(text, { schema: 'failsafe', logLevel: 'error', prettyErrors: false, lineCounter: lines })
  } catch (error) {
    const position = error instanceof YAMLParseError ? lines.linePos(error.pos[0]) : undefined
    const at = position === undefined ? '' : ` at line ${position.line}, column ${position.col}`
    const why = error instanceof Error ? error.message : String(error)
    throw badMapping(shown, [{ path: '$', description: `${why}${at}` }])
  }
}

const notAField = (schema: FieldSchema, field: string): string =>
  `is not a field of a ${schema.noun}${didYouMean(field, Object.keys(schema.kinds))}`

function textsOf(
  schema: FieldSchema,
  value: unknown,
  key: 'map' | 'const',
  report: Report,
): ReadonlyMap<string, string> {
  if (value === undefined) return new Map()
  if (!isRecord(value)) {
    report(key, key === 'map' ? 'must contain FIELD: COLUMN' : 'must contain FIELD: TEXT')
    return new Map()
  }
  const texts = new Map<string, string>()
  for (const [field, text] of Object.entries(value)) {
    if (kindOf(schema, field) === undefined) report(`${key}.${field}`, notAField(schema, field))
    else if (typeof text !== 'string')
      report(`${key}.${field}`, 'must be text; write a nested field as one name: order.id')
    else texts.set(field, text)
  }
  return texts
}

function joinsOf(schema: FieldSchema, value: unknown, report: Report): MappingFile['join'] {
  const joins = new Map<string, readonly string[]>()
  for (const [field, columns] of entriesOf(value, 'join', 'FIELD: [COLUMN, COLUMN]', report)) {
    const names = Array.isArray(columns) ? columns.filter((name) => typeof name === 'string') : []
    if (kindOf(schema, field) === undefined) report(`join.${field}`, notAField(schema, field))
    else if (!Array.isArray(columns) || names.length !== columns.length || names.length < 2)
      report(`join.${field}`, 'must be a list of two or more columns: [Date, Time]')
    else joins.set(field, names)
  }
  return joins
}

function valuesOf(schema: FieldSchema, value: unknown, report: Report): MappingFile['values'] {
  const values = new Map<string, ReadonlyMap<string, string>>()
  for (const [field, texts] of entriesOf(value, 'values', 'FIELD: {CELL: VALUE}', report)) {
    if (kindOf(schema, field) === undefined) report(`values.${field}`, notAField(schema, field))
    const pairs = entriesOf(texts, `values.${field}`, 'CELL: VALUE', report).flatMap(([cell, text]) => {
      if (typeof text === 'string') return [[cell, text] as const]
      report(`values.${field}.${cell}`, 'must be text')
      return []
    })
    values.set(field, new Map(pairs))
  }
  return values
}

function filtersOf(
  file: Readonly<Record<string, unknown>>,
  key: 'where' | 'leaveOut',
  report: Report,
): MappingFile['where'] {
  const filters = new Map<string, ReadonlySet<string>>()
  for (const [column, values] of entriesOf(file[key], key, 'COLUMN: [VALUE, VALUE]', report)) {
    const list: readonly unknown[] = Array.isArray(values) ? values : [values]
    const texts = list.filter((text) => typeof text === 'string')
    if (texts.length !== list.length || texts.length === 0)
      report(
        `${key}.${column}`,
        `must be a list of the values to ${key === 'where' ? 'keep' : 'leave out'}: [charge, payment]`,
      )
    else filters.set(column, new Set(texts))
  }
  return filters
}

function entriesOf(
  value: unknown,
  path: string,
  form: string,
  report: Report,
): readonly (readonly [string, unknown])[] {
  if (value === undefined) return []
  if (isRecord(value) && !Array.isArray(value)) return Object.entries(value)
  report(path, `must contain ${form}`)
  return []
}

function badMapping(shown: string, problems: readonly ValidationProblem[]): UsageError {
  const [first] = problems
  const isSingle = problems.length === 1 && first !== undefined
  const what = `The mapping ${shown} cannot be used`
  return new UsageError(
    isSingle ? `${what}: ${first.path}: ${first.description}` : `${what} (${problems.length} problems)`,
    {
      code: 'bad_mapping',
      outcome: 'none',
      validationErrors: problems,
      headline: isSingle ? what : undefined,
    },
  )
}
