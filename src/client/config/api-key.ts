import { basename, isAbsolute, resolve } from 'node:path'
import { UsageError } from '../../errors.ts'
import { decodeUtf8, exposureOf, readAtMost } from '../../files/private-file.ts'
import { systemCode } from '../../files/system-code.ts'
import { shellWord } from '../../files/shell.ts'
import type { Owner } from '../../files/private-file.ts'

const MAX_KEY_BYTES = 4096

/** What is wrong with a key, to complete "The API key …"; undefined for a valid key. Never repeats the key. */
export function apiKeyProblem(apiKey: string): string | undefined {
  if (apiKey === '') return 'is empty'
  if (apiKey.length > MAX_KEY_BYTES) return `is longer than ${MAX_KEY_BYTES} characters`
  if (/[\r\n]/.test(apiKey)) return 'has more than one line'
  if (/\s/.test(apiKey)) return 'contains a space'
  if (!/^[\u0021-\u007e]+$/.test(apiKey)) return 'contains invalid characters'
  return undefined
}

/** What is wrong with a key that was just given, its looks included. A stored key is not judged by its looks. */
export const givenKeyProblem = (apiKey: string): string | undefined =>
  apiKeyProblem(apiKey) ?? NO_KEYS.find(([pattern]) => pattern.test(apiKey))?.[1]

/** What scripts and copying leave in place of a key. */
const NO_KEYS: readonly (readonly [pattern: RegExp, problem: string])[] = [
  [/^["'`]|["'`]$/, 'has quotes around it: leave them out'],
  [/^(?:null|undefined|none|nan)$/i, 'is a word for nothing, not a key'],
  [/^(?:\$\{.*\}|\$\(.*\)|\$\w+|%\w+%|\{\{.*\}\})$/, 'is the name of a variable, not its value'],
  [/^(?:<.*>|\[.*\])$/, 'is a placeholder, not a key'],
  [/^[A-Z_][A-Z0-9_]*=[^=]/, 'has a name and = before it: give only the value'],
]

/**
 * Checks a key and strips one trailing newline, or what Windows leaves of one. The error never repeats the key.
 * @throws {UsageError} `bad_api_key`
 */
export function checkApiKey(text: string, where: string): string {
  const apiKey = text.replace(/\r?\n?$/, '')
  const problem = givenKeyProblem(apiKey)
  if (problem === undefined) return apiKey
  throw new UsageError(`The API key from ${where} ${problem}`, { code: 'bad_api_key' })
}

/** The words of a command: separated by white space, unless quotes group them. Nothing is expanded. Empty if a quote has no end. */
export function commandWords(text: string): readonly string[] {
  const words = text.match(/(?:[^\s'"]|'[^']*'|"[^"]*")+|['"]/g) ?? []
  if (words.some((word) => word === "'" || word === '"')) return []
  return words.map((word) =>
    word.replaceAll(/'([^']*)'|"([^"]*)"/g, (_, single?: string, double?: string) => single ?? double ?? ''),
  )
}

/** What is wrong with a command that prints a key, to complete "The command …"; undefined for a valid one. */
export function keyCommandProblem(text: string): string | undefined {
  if (/[\p{Cc}\p{Cf}]/u.test(text)) return 'contains control characters'
  if (text.length > MAX_KEY_BYTES) return `is longer than ${MAX_KEY_BYTES} characters`
  const [program = ''] = commandWords(text)
  return program === ''
    ? 'must be a program with its arguments, and a quote in it needs its second one'
    : undefined
}

/**
 * Checks a command that prints a key. The path of its program becomes absolute: it must not depend on the folder in use.
 * @throws {UsageError} `bad_value`
 */
export function checkKeyCommand(typed: string, cwd: string): string {
  const text = typed.trim()
  const problem = keyCommandProblem(text)
  if (problem !== undefined)
    throw new UsageError(`The command of --api-key-command ${problem}`, { code: 'bad_value' })
  const [program = ''] = commandWords(text)
  if (basename(program) === program || isAbsolute(program)) return text
  // Its first word may be quoted, or have quotes in it.
  const first = /^(?:[^\s'"]|'[^']*'|"[^"]*")+/.exec(text)?.[0] ?? ''
  const path = resolve(cwd, program)
  const quote = path.includes("'") ? '"' : "'"
  return `${/^[\w./-]+$/.test(path) ? path : `${quote}${path}${quote}`}${text.slice(first.length)}`
}

/** The content of a key file. Print the warnings. */
interface KeyFile {
  readonly apiKey: string
  readonly warnings: readonly string[]
}

/**
 * Reads a key from a file or a pipe.
 * @throws {UsageError} `bad_api_key`
 */
export function readKeyFile(path: string, owner: Owner): KeyFile {
  const { stats, bytes } = read(path)
  if (stats.isDirectory()) throw keyFileError(path, 'is a folder')
  if (bytes === undefined) throw keyFileError(path, `is larger than ${MAX_KEY_BYTES} bytes`)
  const text = decodeUtf8(bytes)
  if (text === undefined) throw keyFileError(path, 'is not text')
  const apiKey = checkApiKey(text, path)
  const isExposed = stats.isFile() && exposureOf(stats, owner) !== 'none'
  const warning = `Other users can read or change the key file ${path}: chmod 600 ${shellWord(path)}`
  return { apiKey, warnings: isExposed ? [warning] : [] }
}

function read(path: string): ReturnType<typeof readAtMost> {
  try {
    // Two bytes more than a key may have, for a trailing newline.
    return readAtMost(path, MAX_KEY_BYTES + 2)
  } catch (cause) {
    const code = systemCode(cause)
    throw keyFileError(
      path,
      code === 'ENOENT' ? 'does not exist' : `cannot be read (${code ?? 'unknown reason'})`,
      cause,
    )
  }
}

function keyFileError(path: string, problem: string, cause?: unknown): UsageError {
  return new UsageError(`The key file ${path} ${problem}`, { code: 'bad_api_key', cause })
}
