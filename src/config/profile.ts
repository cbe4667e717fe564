import { UsageError } from '../errors.ts'
import { guessMode } from './base-url.ts'
import type { Mode } from './base-url.ts'
import { isApiVersion, profileEntry, parseStored } from './profile-schema.ts'
import type { Fail } from './profile-schema.ts'

/** What a profile forbids itself, whatever is confirmed. */
export interface Limits {
  readonly readOnly: boolean
  /** Ids of the writes that are allowed; all of them when left out. Reads always are. */
  readonly operations?: readonly string[] | undefined
  /** The most that one operation may move, in minor units per currency. Currencies that are not named may not move at all. */
  readonly maxAmount?: Readonly<Record<string, number>> | undefined
}

export interface Profile {
  readonly name: string
  readonly baseUrl: string
  readonly mode: Mode
  /** The mode was not given but guessed from the URL: it is guessed again when the URL changes. */
  readonly modeIsGuess: boolean
  readonly apiKey?: string | undefined
  readonly apiVersion?: string | undefined
  readonly limits: Limits
}

export const NO_LIMITS: Limits = { readOnly: false }
/** The name of the built-in profile: the embedded sandbox. It is never stored. */
export const SANDBOX = 'sandbox'

export function profileNameProblem(name: string): string | undefined {
  if (!/^[A-Za-z0-9_][\w.-]{0,63}$/.test(name)) {
    return 'must be 1 to 64 letters, digits, dots, underscores and hyphens, and not begin with a dot or a hyphen'
  }
  if (name in Object.prototype) return 'is a reserved word'
  if (name.toLowerCase() === SANDBOX) return 'is the name of the built-in sandbox'
  return undefined
}

/** For a profile that is to be stored. */
export function checkProfileName(name: string): string {
  const problem = profileNameProblem(name)
  if (problem === undefined) return name
  const shown = /^[\w.-]{1,80}$/.test(name) ? ` "${name}"` : ''
  throw new UsageError(`The profile name${shown} ${problem}.`, { code: 'bad_profile_name' })
}

export function checkApiVersion(text: string, where: string): string {
  if (isApiVersion(text)) return text
  throw new UsageError(`${where} must be a version such as 2.1.`, { code: 'bad_api_version' })
}

/** One stored entry. */
export function parseProfile(name: string, entry: unknown, fail: Fail): Profile {
  const { mode, limits = NO_LIMITS, ...stored } = parseStored(profileEntry(), entry, fail)
  const { baseUrl } = stored
  return { name, ...stored, mode: mode ?? guessMode(baseUrl), modeIsGuess: mode === undefined, limits }
}

/** The entry that {@link parseProfile} reads back as the same profile. */
export function serializeProfile(profile: Profile): Readonly<Record<string, unknown>> {
  const { readOnly, operations, maxAmount } = profile.limits
  const limits = { ...(readOnly ? { readOnly } : {}), operations, maxAmount }
  return {
    baseUrl: profile.baseUrl,
    mode: profile.modeIsGuess ? undefined : profile.mode,
    apiKey: profile.apiKey,
    apiVersion: profile.apiVersion,
    limits: Object.values(limits).every((limit) => limit === undefined) ? undefined : limits,
  }
}
