import { existsSync, readFileSync } from 'node:fs'
import { usingFile } from '../../file-errors.ts'
import { UsageError } from '../../../errors.ts'
import { NAMESPACE } from './ssh-keygen.ts'

/** The team's file of signers, in OpenSSH's `allowed_signers` format: names, options and a public key on each line. */

/**
 * Checks that the team's file can be read and lists someone.
 * @throws {UsageError} `unreadable_file`
 */
export function checkSignersFile(path: string): void {
  const text = existsSync(path) ? usingFile(path, 'read', () => readFileSync(path, 'utf8')) : undefined
  if (text !== undefined && text.split('\n').some((line) => /^\s*[^#\s]+\s+\S+/.test(line))) return
  throw new UsageError(text === undefined ? `${path} does not exist` : `${path} lists no signer`, {
    code: 'unreadable_file',
    outcome: 'none',
    hint: 'Write one line for each person: their name and public key, as in: anna@example.com ssh-ed25519 AAAA…',
  })
}

/**
 * The only person whom an `allowed_signers` file lists with the public key of `keyFile`; undefined if that isn't clear. Finds
 * the name without a signature, so that a key on hardware is touched only once.
 */
export function listedPrincipal(signersFile: string, keyFile: string): string | undefined {
  const publicKey = keyIn(textAt(keyFile.endsWith('.pub') ? keyFile : `${keyFile}.pub`))
  if (publicKey === undefined) return undefined
  const listed = textAt(signersFile)
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('#') && line.split(/\s+/).includes(publicKey))
    .map((line) => line.trim().split(/\s+/)[0] ?? '')
  const [only, ...others] = new Set(listed)
  return only === undefined || others.length > 0 || !/^[\w@+][\w.@+-]*$/.test(only) ? undefined : only
}

/** The encoded key in `ssh-ed25519 AAAA… comment`. */
const keyIn = (text: string): string | undefined => /^\S+\s+([\w+/]{40,}=*)/.exec(text.trim())?.[1]

/** The lines of the file that let one person with two keys count as planner and as approver, in sentences. */
export function doubtsAbout(signersFile: string): readonly string[] {
  const entries = entriesIn(textAt(signersFile))
  if (new Set(entries.map(({ key }) => key)).size < 2) return []
  const patterns = new Set(entries.flatMap(({ names }) => names.filter((name) => /[*?]/.test(name))))
  const keysOf = new Map<string, Set<string>>()
  for (const { names, key } of entries)
    for (const name of names) keysOf.set(name, new Set([...(keysOf.get(name) ?? []), key]))
  const names = [...keysOf.keys()]
  return [
    ...[...patterns].map(
      (pattern) =>
        `${signersFile} lists a key for every name that fits ${pattern}: one person may count as planner and as approver. List each person by name.`,
    ),
    ...names.flatMap((one, at) => {
      const isSame = (name: string) => name.toLowerCase() === one.toLowerCase()
      const other = names.slice(at + 1).find((name) => isSame(name))
      const keys = [one, other ?? one].flatMap((name) => [...(keysOf.get(name) ?? [])])
      if (other === undefined || new Set(keys).size < 2) return []
      return `${signersFile} lists ${one} and ${other} with different keys: one person may count as planner and as approver. List both keys under one name.`
    }),
  ]
}

interface Entry {
  readonly names: readonly string[]
  readonly key: string
}

/** The keys that may sign plans. A certificate authority names each person itself. */
function entriesIn(text: string): readonly Entry[] {
  return text.split('\n').flatMap((line) => {
    const [, quoted, plain, rest = ''] = NAMES.exec(line.trim()) ?? []
    const words = rest.split(/\s+/)
    const at = words.findIndex((word) => KEY_TYPE.test(word))
    const options = words.slice(0, at).join(' ')
    const key = at < 0 ? '' : (words[at + 1] ?? '')
    const names = (quoted ?? plain ?? '').split(',').filter((name) => name !== '' && !name.startsWith('!'))
    const namespaces = /namespaces="([^"]*)"/i.exec(options)?.[1]?.split(',') ?? [NAMESPACE]
    const isForPlans = namespaces.some((one) => one === NAMESPACE || /[*?]/.test(one))
    return key === '' || !isForPlans || /\bcert-authority\b/i.test(options) ? [] : { names, key }
  })
}

/** The names of `NAMES [OPTIONS] TYPE KEY [COMMENT]`, which may be in double quotes, and what follows them. */
const NAMES = /^(?:"([^"]*)"|([^#"\s]\S*))\s+(.*)/
const KEY_TYPE = /^(?:ssh|ecdsa|sk)-/

function textAt(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
