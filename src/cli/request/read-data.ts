import { UsageError } from '../../errors.ts'
import { parseJson } from '../../json/json.ts'
import type { Context } from '../command/context.ts'
import { isRecord } from '../../is-record.ts'

/** The service takes one megabyte; ten times that is surely a mistake, and is found out before it fills the memory. */
export const LARGEST_DATA_BYTES = 10 * 1024 * 1024

/** `--data`: JSON, `@FILE` or `-` for stdin. Always an object. */
export async function readData(
  context: Context,
  source: string,
  form: NumberForm,
): Promise<Readonly<Record<string, unknown>>> {
  const [text, where] = await readSource(context, source)
  const parsed = parseDocument(text, where, form)
  if (!isRecord(parsed)) {
    throw new UsageError(`${where} holds ${kindOf(parsed)}, where a JSON object is needed`, {
      code: 'bad_data',
    })
  }
  return parsed
}

/** The text of `--data` and where it came from, in words. */
export async function readSource(context: Context, source: string): Promise<readonly [string, string]> {
  // curl's way to say stdin is understood too.
  if (source === '-' || source === '@-')
    return [decode(await context.stdin.read(LARGEST_DATA_BYTES), 'stdin'), 'stdin']
  if (source.startsWith('@')) {
    const path = source.slice(1)
    if (path === '')
      throw new UsageError('--data @ names no file', {
        code: 'bad_data',
        hint: 'Write it like --data @body.json',
      })
    return [decode(context.readFile(path, LARGEST_DATA_BYTES), path), path]
  }
  return [source, '--data']
}

/**
 * How whole numbers are read. `by-value`: `100.0` is 100 and is sent so, since limits, previews and the ledger all have to
 * see the amount. `as-written` for what isn't checked. Every other number keeps its digits.
 */
export type NumberForm = 'by-value' | 'as-written'

export function parseDocument(text: string, where: string, form: NumberForm): unknown {
  if (text.trim() === '') {
    throw new UsageError(`${where} is empty, where a JSON object is needed`, {
      code: 'bad_data',
      hint: "Leave --data out, or write --data '{}'",
    })
  }
  try {
    return refuseProto(parseJson(text, { integers: form }), where)
  } catch (error) {
    if (error instanceof UsageError) throw error
    const why = error instanceof Error ? error.message : String(error)
    throw new UsageError(`${where} is not valid JSON: ${why}`, { code: 'bad_data', cause: error })
  }
}

/** No field is called that, and merging it would reach past the body. */
function refuseProto(value: unknown, where: string): unknown {
  const open: unknown[] = [value]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (isRecord(at) && Object.hasOwn(at, '__proto__'))
      throw new UsageError(`${where} holds a field "__proto__", which no request has`, { code: 'bad_data' })
    const inner: readonly unknown[] = Array.isArray(at) ? at : isRecord(at) ? Object.values(at) : []
    for (const entry of inner) if (typeof entry === 'object' && entry !== null) open.push(entry)
  }
  return value
}

/** A token or a key from stdin: one line. */
export async function readSecretLine(context: Context, what: string): Promise<string> {
  const text = decode(await context.stdin.read(64 * 1024), 'stdin').replace(/\r?\n$/, '')
  if (text === '' || /\s/.test(text)) {
    throw new UsageError(
      `${what}: stdin holds ${text === '' ? 'nothing' : 'more than one word'}, where one token is needed`,
      { code: 'bad_value' },
    )
  }
  return text
}

function decode(bytes: Uint8Array, where: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw new UsageError(`${where} is not UTF-8 text (first bad byte near ${firstBadByte(bytes)})`, {
      code: 'bad_data',
      hint: 'Save it as UTF-8, or convert it: iconv -f latin1 -t utf-8',
      cause: error,
    })
  }
}

/** The longest prefix that decodes ends where the damage is. */
function firstBadByte(bytes: Uint8Array): number {
  let [good, bad] = [0, bytes.length]
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2)
    const isGood = isUtf8(bytes.subarray(0, middle))
    if (isGood) good = middle
    else bad = middle
  }
  return good
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}

const kindOf = (value: unknown): string =>
  Array.isArray(value) ? 'a list' : value === null ? 'null' : `a ${typeof value}`
