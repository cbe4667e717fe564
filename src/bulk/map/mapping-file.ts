import { LineCounter, YAMLParseError, parse } from 'yaml'
import { UsageError } from '../../errors.ts'
import type { ValidationProblem } from '../../errors.ts'
import { isRecord } from '../../is-record.ts'
import { kindOf } from './field-schema.ts'
import type { FieldSchema } from './field-schema.ts'
import { didYouMean } from './mapping.ts'

/** The content of a mapping file. Every key is optional. */
export interface MappingFile {
  /** Column name by field path. */
  readonly map: ReadonlyMap<string, string>
  /** Constant text by field path. */
  readonly const: ReadonlyMap<string, string>
  readonly amounts: 'minor' | 'major' | undefined
  readonly assumeUtc: boolean | undefined
}

export const NO_MAPPING_FILE: MappingFile = {
  map: new Map(),
  const: new Map(),
  amounts: undefined,
  assumeUtc: undefined,
}

type Report = (path: string, description: string) => void

const KEYS = ['map', 'const', 'amounts', 'assumeUtc']
/** A suggested mapping has these keys too, as information for its reader. */
const IGNORED_KEYS = ['file', 'missing', 'notes']
const UNITS = ['minor', 'major'] as const

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
  const file = {
    map: textsOf(schema, value['map'], 'map', report),
    const: textsOf(schema, value['const'], 'const', report),
    amounts: UNITS.find((unit) => unit === value['amounts']),
    assumeUtc: value['assumeUtc'] === undefined ? undefined : value['assumeUtc'] === 'true',
  }
  for (const field of file.map.keys()) if (file.const.has(field)) report(field, 'is in both map and const')
  if (value['amounts'] !== undefined && file.amounts === undefined)
    report('amounts', 'must be minor or major')
  if (![undefined, 'true', 'false'].some((one) => one === value['assumeUtc']))
    report('assumeUtc', 'must be true or false')
  if (problems.length > 0) throw badMapping(shown, problems)
  return file
}

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
    if (kindOf(schema, field) === undefined)
      report(
        `${key}.${field}`,
        `is not a field of a ${schema.noun}${didYouMean(field, Object.keys(schema.kinds))}`,
      )
    else if (typeof text !== 'string')
      report(`${key}.${field}`, 'must be text; write a nested field as one name: order.id')
    else texts.set(field, text)
  }
  return texts
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
