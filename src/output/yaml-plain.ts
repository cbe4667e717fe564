/**
 * The fast way for ordinary YAML: block maps and lists of texts whose form is beyond doubt, a hundred times as fast as the
 * library's document of nodes. It is taken only where both come to the same, and everything doubtful is left to the library.
 */

const WORD = /^[A-Za-z](?:[\w./@+-]|[ :](?=\w))*$/
/** What some reader of YAML takes for a truth, for nothing or for a number. */
const MEANS_MORE = /^(?:y|n|yes|no|on|off|true|false|null)$/i
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/
/** Of a program, or an address: more points than a number has. */
const VERSION = /^\d+(?:\.\d+){2,}$/
/** A longer key is written in another way. */
const LONGEST_KEY = 100
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** The lines of a value, those after the first indented; undefined where that is not certain. */
export function plainYaml(value: unknown, indent = ''): string | undefined {
  if (Array.isArray(value)) return value.length === 0 ? '[]' : listText(value, indent)
  if (typeof value === 'object' && value !== null) return mapText(value, indent)
  return scalarText(value)
}

function scalarText(value: unknown): string | undefined {
  if (typeof value === 'string') {
    if (WORD.test(value)) return MEANS_MORE.test(value) ? undefined : value
    if (MOMENT.test(value)) return `"${value}"`
    return UUID.test(value) || VERSION.test(value) ? value : undefined
  }
  if (value === null || typeof value === 'boolean') return String(value)
  return typeof value === 'number' && Number.isSafeInteger(value) && !Object.is(value, -0)
    ? String(value)
    : undefined
}

function listText(entries: readonly unknown[], indent: string): string | undefined {
  const lines: string[] = []
  for (const entry of entries) {
    const text = plainYaml(entry, `${indent}  `)
    if (text === undefined) return undefined
    lines.push(`- ${text}`)
  }
  return lines.join(`\n${indent}`)
}

function mapText(map: object, indent: string): string | undefined {
  const lines: string[] = []
  const values: readonly unknown[] = Object.values(map)
  for (const [at, name] of Object.keys(map).entries()) {
    const field = values[at]
    const key = keyText(name)
    const isBlock = typeof field === 'object' && field !== null && Object.keys(field).length > 0
    const text = plainYaml(field, isBlock ? `${indent}  ` : indent)
    if (key === undefined || text === undefined) return undefined
    lines.push(isBlock ? `${key}:\n${indent}  ${text}` : `${key}: ${text}`)
  }
  return lines.length === 0 ? '{}' : lines.join(`\n${indent}`)
}

/** The same few stand in every entry of a list. */
const known = new Map<string, string>()
const MOST_KNOWN = 1_000

function keyText(name: string): string | undefined {
  const seen = known.get(name)
  if (seen !== undefined) return seen
  const key = name.length > LONGEST_KEY ? undefined : scalarText(name)
  if (key !== undefined && known.size < MOST_KNOWN) known.set(name, key)
  return key
}
