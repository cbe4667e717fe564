import { LineCounter, YAMLParseError, parse } from 'yaml'
import { UsageError } from '../../errors.ts'
import type { ValidationProblem } from '../../errors.ts'
import { closest } from '../../suggest.ts'
import { RECORD_FIELDS, kindOf } from '../../import/record-fields.ts'
import { isRecord } from '../../is-record.ts'

/** What a mapping file says; each may be left out. */
export interface MappingFile {
  readonly map: ReadonlyMap<string, string>
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

type Tell = (path: string, description: string) => void

const KEYS = ['map', 'const', 'amounts', 'assumeUtc']
/** What a suggested mapping says beside them, for its reader alone. */
const REMARKS = ['file', 'missing', 'notes']
const UNITS = ['minor', 'major'] as const
const FIELDS = Object.keys(RECORD_FIELDS)

/**
 * `map: {amount: total}`, `const: {processor.name: ACME}`, `amounts: major`, `assumeUtc: true`.
 * @throws {UsageError} naming the file and everything that is wrong in it
 */
export function parseMappingFile(text: string, shown: string): MappingFile {
  const problems: ValidationProblem[] = []
  const tell: Tell = (path, description) => problems.push({ path, description })
  const value = read(text, shown)
  if (!isRecord(value)) throw wrong(shown, [{ path: '$', description: 'must contain map: or const:' }])
  for (const key of Object.keys(value)) {
    if (!KEYS.includes(key) && !REMARKS.includes(key)) tell(key, noKey(key))
  }
  const file = {
    map: textsOf(value['map'], 'map', tell),
    const: textsOf(value['const'], 'const', tell),
    amounts: UNITS.find((unit) => unit === value['amounts']),
    assumeUtc: value['assumeUtc'] === undefined ? undefined : value['assumeUtc'] === 'true',
  }
  for (const field of file.map.keys()) if (file.const.has(field)) tell(field, 'is in both map and const')
  if (value['amounts'] !== undefined && file.amounts === undefined) tell('amounts', 'must be minor or major')
  if (![undefined, 'true', 'false'].some((one) => one === value['assumeUtc']))
    tell('assumeUtc', 'must be true or false')
  if (problems.length > 0) throw wrong(shown, problems)
  return file
}

const noKey = (key: string): string =>
  kindOf(key) === undefined
    ? `is not one of ${KEYS.join(', ')}${didYouMean(key, KEYS)}`
    : 'is a field: put it under map: or const:'

/** In the plainest schema everything is text: 01 is no number there, and NO no boolean. */
function read(text: string, shown: string): unknown {
  const lines = new LineCounter()
  try {
    return parse(text, { schema: 'failsafe', logLevel: 'error', prettyErrors: false, lineCounter: lines })
  } catch (error) {
    const place = error instanceof YAMLParseError ? lines.linePos(error.pos[0]) : undefined
    const at = place === undefined ? '' : ` at line ${place.line}, column ${place.col}`
    const why = error instanceof Error ? error.message : String(error)
    throw wrong(shown, [{ path: '$', description: `${why}${at}` }])
  }
}

function textsOf(value: unknown, key: string, tell: Tell): ReadonlyMap<string, string> {
  if (value === undefined) return new Map()
  if (!isRecord(value)) {
    tell(key, key === 'map' ? 'must contain FIELD: COLUMN' : 'must contain FIELD: TEXT')
    return new Map()
  }
  const texts = new Map<string, string>()
  for (const [field, text] of Object.entries(value)) {
    if (kindOf(field) === undefined)
      tell(`${key}.${field}`, `is not a field of a record${didYouMean(field, FIELDS)}`)
    else if (typeof text !== 'string')
      tell(`${key}.${field}`, 'must be text; write a nested field as one name: order.id')
    else texts.set(field, text)
  }
  return texts
}

const didYouMean = (name: string, known: readonly string[]): string => {
  const suggestion = closest(name, known)
  return suggestion === undefined ? '' : `; did you mean "${suggestion}"?`
}

function wrong(shown: string, problems: readonly ValidationProblem[]): UsageError {
  const [first] = problems
  const what = `The mapping ${shown} cannot be used`
  return new UsageError(
    problems.length === 1 && first !== undefined
      ? `${what}: ${first.path}: ${first.description}`
      : `${what} (${problems.length} problems)`,
    {
      code: 'bad_mapping',
      outcome: 'none',
      validationErrors: problems,
      headline: problems.length === 1 ? what : undefined,
    },
  )
}
