import { parse } from 'yaml'
import { UsageError } from '../errors.ts'

/** What a mapping file says; each may be left out. */
export interface MappingFile {
  readonly map: ReadonlyMap<string, string>
  readonly const: ReadonlyMap<string, string>
  readonly amounts: string | undefined
  readonly assumeUtc: boolean | undefined
}

const KEYS = ['map', 'const', 'amounts', 'assumeUtc']

/**
 * `map: {amount: total}`, `const: {processor.name: ACME}`, `amounts: major`, `assumeUtc: true`.
 * @throws {UsageError} naming the file and the place
 */
export function parseMappingFile(text: string, shown: string): MappingFile {
  const value = read(text, shown)
  if (!isRecord(value)) throw wrong(shown, 'it has to hold map: and const:')
  const unknown = Object.keys(value).filter((key) => !KEYS.includes(key))
  if (unknown.length > 0) throw wrong(shown, `${unknown.join(', ')} is not one of ${KEYS.join(', ')}`)
  const { amounts, assumeUtc } = value
  if (amounts !== undefined && typeof amounts !== 'string') throw wrong(shown, 'amounts is minor or major')
  if (assumeUtc !== undefined && typeof assumeUtc !== 'boolean')
    throw wrong(shown, 'assumeUtc is true or false')
  return {
    map: textsOf(value['map'], 'map', shown),
    const: textsOf(value['const'], 'const', shown),
    amounts,
    assumeUtc,
  }
}

function read(text: string, shown: string): unknown {
  try {
    // Words as they stand: 01 is no number here, and NO no boolean.
    const parsed: unknown = parse(text, { schema: 'failsafe' })
    return withTypes(parsed)
  } catch (error) {
    throw wrong(shown, error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error))
  }
}

/** In the plainest schema everything is text; the one switch there is becomes one again. */
const withTypes = (value: unknown): unknown =>
  isRecord(value) && (value['assumeUtc'] === 'true' || value['assumeUtc'] === 'false')
    ? { ...value, assumeUtc: value['assumeUtc'] === 'true' }
    : value

function textsOf(value: unknown, key: string, shown: string): ReadonlyMap<string, string> {
  if (value === undefined) return new Map()
  if (!isRecord(value)) throw wrong(shown, `${key} has to hold FIELD: TEXT`)
  return new Map(
    Object.entries(value).map(([field, text]) => {
      if (typeof text !== 'string') throw wrong(shown, `${key}.${field} has to be text`)
      return [field, text] as const
    }),
  )
}

const wrong = (shown: string, why: string): UsageError =>
  new UsageError(`The mapping ${shown} cannot be used: ${why}`, { code: 'bad_mapping', outcome: 'none' })

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
