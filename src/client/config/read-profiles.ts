import { statSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../../errors.ts'
import { locateJsonError } from '../../json/json-error.ts'
import { checkPrivateFolder } from '../../files/private-folder.ts'
import { decodeUtf8, exposureOf, readAtMost } from './private-file.ts'
import { systemCode } from '../../files/system-code.ts'
import { shellWord } from '../../text/shell-word.ts'
import type { Owner } from './private-file.ts'
import { SANDBOX, parseProfile, profileNameProblem, serializeProfile } from './profile.ts'
import type { Profile } from './profile.ts'
import { FILE_VERSION, profileFile, parseStored } from './profile-schema.ts'

/** The stored profiles. */
export interface ProfileFile {
  readonly path: string
  readonly defaultProfile: string | undefined
  readonly profiles: ReadonlyMap<string, Profile>
  /** Problems that do not stop a command. */
  readonly warnings: readonly string[]
}

const FILE_NAME = 'config.json'
const MAX_BYTES = 1024 * 1024

export const profilePath = (folder: string): string => join(folder, FILE_NAME)

/** For a folder without a profile file. */
export const emptyProfileFile = (folder: string): ProfileFile => ({
  path: profilePath(folder),
  defaultProfile: undefined,
  profiles: new Map(),
  warnings: [],
})

/**
 * Reads the profiles without changing anything. A missing file counts as empty.
 * @throws {UsageError} if the file is damaged or other users can change it
 */
export function readProfiles(folder: string, owner: Owner): ProfileFile {
  const path = profilePath(folder)
  checkPrivateFolder(folder, owner.uid, { corrects: false })
  const content = readFile(path)
  if (content === undefined) return emptyProfileFile(folder)
  const { stats, bytes } = content
  const exposure = exposureOf(stats, owner)
  // Anyone who can write the file decides where the keys are sent.
  if (exposure === 'owned-by-another') {
    throw unsafeFileError(
      path,
      'belongs to another user',
      `Check its content, then: chown "$(id -u)" ${shellWord(path)}`,
    )
  }
  if (exposure === 'written-by-others') {
    throw unsafeFileError(
      path,
      'can be changed by other users',
      `Check its content, then: chmod 600 ${shellWord(path)}`,
    )
  }
  if (bytes === undefined) throw damagedFileError(path, `is larger than ${MAX_BYTES} bytes`)
  const text = decodeUtf8(bytes)
  if (text === undefined) throw damagedFileError(path, 'is not UTF-8')
  const warning = `Other users can read the keys in ${path}: chmod 600 ${shellWord(path)}`
  return { ...parseProfileFile(path, text), warnings: exposure === 'read-by-others' ? [warning] : [] }
}

export function parseProfileFile(path: string, text: string): ProfileFile {
  const stored = parseJson(path, text)
  const failAt =
    (place: string) =>
    (field: string, problem: string): never => {
      throw damagedFileError(
        path,
        `is damaged: ${[place, field].filter((part) => part !== '').join(' ') || 'it'} ${problem}`,
      )
    }
  const fail = failAt('')
  const { defaultProfile, profiles = {} } = parseStored(profileFile(), stored, fail)
  if (defaultProfile !== undefined && !isValidDefault(defaultProfile))
    return fail('defaultProfile', 'must be the name of a profile')
  const parsed = new Map<string, Profile>()
  for (const [name, entry] of Object.entries(profiles)) {
    const problem = profileNameProblem(name)
    if (problem !== undefined) return fail('a profile name', problem)
    parsed.set(name, parseProfile(name, entry, failAt(`profile "${name}"`)))
  }
  return { path, defaultProfile, profiles: parsed, warnings: [] }
}

/** The inverse of {@link parseProfileFile}. */
export function serializeProfiles({ defaultProfile, profiles }: ProfileFile): Record<string, unknown> {
  const entries = [...profiles.values()].map((profile) => [profile.name, serializeProfile(profile)] as const)
  return { version: FILE_VERSION, defaultProfile, profiles: Object.fromEntries(entries) }
}

function readFile(path: string): ReturnType<typeof readAtMost> | undefined {
  try {
    // Checked before opening: opening a pipe would wait for a writer.
    if (!statSync(path).isFile()) throw damagedFileError(path, 'is not a file')
    return readAtMost(path, MAX_BYTES)
  } catch (cause) {
    const code = systemCode(cause)
    if (code === 'ENOENT') return undefined
    if (cause instanceof UsageError) throw cause
    throw new UsageError(`The profile file ${path} cannot be read (${code ?? 'unknown reason'})`, {
      code: 'config_permissions',
      hint: 'Make the file readable, or set PAY_CONFIG_DIR to another folder.',
      cause,
    })
  }
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Drops the parser's message and the cause: both quote the text, including keys.
    const { line } = locateJsonError(text)
    throw damagedFileError(path, `is not JSON (line ${line})`)
  }
}

const isValidDefault = (name: string): boolean => name === SANDBOX || profileNameProblem(name) === undefined

function damagedFileError(path: string, problem: string): UsageError {
  return new UsageError(`The profile file ${path} ${problem}`, {
    code: 'config_damaged',
    hint: `The file was not changed. Repair it, or move it away and add the profiles again: mv ${shellWord(path)} ${shellWord(`${path}.damaged`)}`,
  })
}

function unsafeFileError(path: string, problem: string, hint: string): UsageError {
  return new UsageError(`The profile file ${path} ${problem}, so it may send a key to the wrong place`, {
    code: 'config_permissions',
    hint,
  })
}
