import { chmodSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { PayError, UsageError } from '../../errors.ts'
import { locateJsonError } from '../../json/json-error.ts'
import { checkPrivateFolder } from '../../files/private-folder.ts'
import { exposureOf } from '../../files/private-file.ts'
import { fallbackOn, systemCode } from '../../files/system-code.ts'
import { shellWord } from '../../files/shell.ts'
import type { Owner } from '../../files/private-file.ts'
import {
  SANDBOX,
  parseProfile,
  profileNameProblem,
  serializeProfile,
  FILE_VERSION,
  profileFile,
  parseStored,
} from './profile.ts'
import type { Profile } from './profile.ts'

/** The stored profiles. */
export interface ProfileFile {
  readonly path: string
  readonly defaultProfile: string | undefined
  readonly profiles: ReadonlyMap<string, Profile>
  /** Problems that do not stop a command. */
  readonly warnings: readonly string[]
}

/** Prefix of the profile file, its lock and its temporary files. */
export const CONFIG_FILE_PREFIX = 'config.'
const FILE_NAME = `${CONFIG_FILE_PREFIX}json`
const MAX_BYTES = 1024 * 1024

export const profilePath = (folder: string): string => join(folder, FILE_NAME)

/** The profiles of a folder without a profile file. */
export const emptyProfileFile = (folder: string): ProfileFile => ({
  path: profilePath(folder),
  defaultProfile: undefined,
  profiles: new Map(),
  warnings: [],
})

/**
 * Reads the profiles without changing anything. A missing file counts as empty. Loads no conf: that takes 11 to 26 ms.
 * @throws {UsageError} if the file is damaged or other users can change it
 */
export function readProfiles(folder: string, owner: Owner): ProfileFile {
  const warnings = checkProfileFile(folder, owner)
  if (warnings === undefined) return emptyProfileFile(folder)
  const path = profilePath(folder)
  return {
    ...parseProfileFile(
      path,
      reading(path, () => readFileSync(path, 'utf8')),
    ),
    warnings,
  }
}

/**
 * Checks who else can reach the profile file, before it is read. Returns warnings; undefined if there is no file.
 * @throws {UsageError} if it is no file, too large, or other users can change it
 */
export function checkProfileFile(folder: string, owner: Owner): readonly string[] | undefined {
  const path = profilePath(folder)
  checkPrivateFolder(folder, owner.uid, { corrects: false })
  const stats = fallbackOn('ENOENT', undefined, () => reading(path, () => statSync(path)))
  if (stats === undefined) return undefined
  // Reading a pipe would wait for a writer.
  if (!stats.isFile()) throw damagedFileError(path, 'is not a file')
  const exposure = exposureOf(stats, owner)
  if (exposure === 'owned-by-another' || exposure === 'written-by-others')
    throw unsafeFileError(path, exposure)
  if (stats.size > MAX_BYTES) throw damagedFileError(path, `is larger than ${MAX_BYTES} bytes`)
  const warning = `Other users can read the keys in ${path}: chmod 600 ${shellWord(path)}`
  return exposure === 'read-by-others' ? [warning] : []
}

/** Makes the profile folder private, unless it holds other files. A missing folder is fine. */
export function restrictConfigFolder(folder: string, { uid }: Owner): void {
  if (uid === undefined) return
  try {
    const isOpen = (statSync(folder).mode & 0o077) !== 0
    if (isOpen && readdirSync(folder).every((name) => name.startsWith(CONFIG_FILE_PREFIX)))
      chmodSync(folder, 0o700)
  } catch {
    // Missing, or on a disk that only root may change. If it can't be read, reading the file reports it.
  }
}

/** Parses the content of a profile file, which Node has decoded. */
export function parseProfileFile(path: string, text: string): ProfileFile {
  // Node decodes other bytes to this character, and keeps a byte order mark.
  if (text.includes('\uFFFD')) throw damagedFileError(path, 'is not UTF-8')
  const stored = parseJson(path, text.replace(/^\uFEFF/, ''))
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

/**
 * The inverse of {@link parseProfileFile}.
 * @throws {UsageError} if that would refuse the result
 */
export function serializeProfiles({ path, defaultProfile, profiles }: ProfileFile): string {
  const entries = [...profiles.values()].map((profile) => [profile.name, serializeProfile(profile)] as const)
  const stored = { version: FILE_VERSION, defaultProfile, profiles: Object.fromEntries(entries) }
  const text = `${JSON.stringify(stored, undefined, 2)}\n`
  parseProfileFile(path, text)
  return text
}

/** What `read` returns of the file at this path, or an error that names the file. */
export function reading<T>(path: string, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    const code = systemCode(cause)
    if (cause instanceof PayError || code === 'ENOENT') throw cause
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

/** Anyone who can write the file decides where the keys are sent. */
function unsafeFileError(path: string, exposure: keyof typeof UNSAFE): UsageError {
  const [problem, remedy] = UNSAFE[exposure]
  return new UsageError(`The profile file ${path} ${problem}, so it may send a key to the wrong place`, {
    code: 'config_permissions',
    hint: `Check its content, then: ${remedy} ${shellWord(path)}`,
  })
}

const UNSAFE = {
  'owned-by-another': ['belongs to another user', 'chown "$(id -u)"'],
  'written-by-others': ['can be changed by other users', 'chmod 600'],
} as const
