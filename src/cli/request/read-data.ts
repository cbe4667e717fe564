import { messageOf, UsageError } from '../../errors.ts'
import { parseJson } from '../../json/json.ts'
import { shellWord } from '../../files/shell.ts'
import type { Context } from '../command/context.ts'
import { isRecord } from '../../json/is-record.ts'

/** Ten times what the service accepts (1 MB). Refuses a mistaken file before it fills the memory. */
const LARGEST_DATA_BYTES = 10 * 1024 * 1024

/** Reads `--data`: JSON, `@FILE` or `-` for stdin. Must be an object. */
export async function readData(
  context: Context,
  source: string,
  form: NumberForm,
): Promise<Readonly<Record<string, unknown>>> {
  const [text, where] = await readSource(context, source)
  if (text.trim() === '') {
    throw new UsageError(`${where} is empty; a JSON object is required`, {
      code: 'bad_data',
      hint: 'Leave out --data, or write --data "{}"',
    })
  }
  const parsed = parseDocument(text, where, form)
  if (!isRecord(parsed)) {
    throw new UsageError(`${where} contains ${kindOf(parsed)}; a JSON object is required`, {
      code: 'bad_data',
    })
  }
  return parsed
}

/** The text of `--data`, and the name of its source for messages. */
async function readSource(context: Context, source: string): Promise<readonly [string, string]> {
  // Accept curl's notation for stdin too.
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
 * How whole numbers are read. `by-value`: `100.0` becomes 100 and is sent as 100, because limits, previews and the ledger
 * need the amount. `as-written` is for a body that is not checked. Every other number keeps its digits.
 */
type NumberForm = 'by-value' | 'as-written'

/** Parses JSON. `where` names its source in errors. */
export function parseDocument(text: string, where: string, form: NumberForm): unknown {
  try {
    return refuseProto(parseJson(text, { integers: form }), where)
  } catch (error) {
    if (error instanceof UsageError) throw error
    const why = messageOf(error)
    const hint = where === '--data' ? hintForData(text) : undefined
    throw new UsageError(`${where} is not valid JSON: ${why}`, { code: 'bad_data', hint, cause: error })
  }
}

/** What the text was probably meant as. The text itself may have secrets, so only the name of a file is repeated. */
function hintForData(text: string): string {
  if (/^[\w./\\:-]+\.json$/i.test(text)) return `To read a file: --data ${shellWord(`@${text}`)}`
  return /^[\w.]+:?=/.test(text)
    ? 'For one field, use --set FIELD=TEXT, or --set FIELD:=JSON for numbers.'
    : `Quote it for your shell, as in --data '{"amount": 500}', or read a file: --data @FILE`
}

/** Refuses a `__proto__` field: merging it could change the prototype of our objects. */
function refuseProto(value: unknown, where: string): unknown {
  const open: unknown[] = [value]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (isRecord(at) && Object.hasOwn(at, '__proto__'))
      throw new UsageError(`${where} contains a field "__proto__", which no request has`, {
        code: 'bad_data',
      })
    const inner: readonly unknown[] = Array.isArray(at) ? at : isRecord(at) ? Object.values(at) : []
    for (const entry of inner) if (typeof entry === 'object' && entry !== null) open.push(entry)
  }
  return value
}

/** Reads a token or a key from stdin: one line. */
export async function readSecretLine(context: Context, what: string): Promise<string> {
  const text = decode(await context.stdin.read(64 * 1024), 'stdin').replace(/\r?\n?$/, '')
  if (text === '' || /\s/.test(text)) {
    throw new UsageError(
      `${what}: stdin contains ${text === '' ? 'nothing' : 'more than one word'}; it needs the token or key alone, on one line`,
      { code: 'bad_value' },
    )
  }
  return text
}

function decode(bytes: Uint8Array, where: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw new UsageError(`${where} is not UTF-8 text`, {
      code: 'bad_data',
      hint: 'Save it as UTF-8, or convert it: iconv -f latin1 -t utf-8',
      cause: error,
    })
  }
}

const kindOf = (value: unknown): string =>
  Array.isArray(value) ? 'a list' : value === null ? 'null' : `a ${typeof value}`
