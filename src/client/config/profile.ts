import { UsageError } from '../../errors.ts'
import { guessMode } from './base-url.ts'
import type { Mode } from './base-url.ts'
import type { StoredLedger } from './ledger-choice.ts'
import { isApiVersion, profileEntry, parseStored } from './profile-schema.ts'
import type { Fail } from './profile-schema.ts'

/** The limits of a profile. No confirmation overrides them. */
export interface Limits {
  readonly readOnly: boolean
  /** Ids of allowed writes; all if undefined. Reads are always allowed. */
  readonly operations?: readonly string[] | undefined
  /** Highest amount of one operation, in minor units by currency. Other currencies are refused. */
  readonly maxAmount?: Readonly<Record<string, number>> | undefined
  /** Signatures that a batch plan needs besides the planner's; at least 1. */
  readonly approvals?: number | undefined
  /** Absolute path of the team's `allowed_signers` file. */
  readonly signers?: string | undefined
}

/**
 * The limits of the rows of a batch plan. If the profile requires approvals, the signatures replace the highest
 * amount, which applies to single calls.
 */
export const limitsOfPlans = (limits: Limits): Limits =>
  limits.approvals === undefined ? limits : { ...limits, maxAmount: undefined }

export interface Profile extends StoredLedger {
  readonly name: string
  readonly baseUrl: string
  readonly mode: Mode
  /** Whether the mode was guessed from the URL, and is guessed again when the URL changes. */
  readonly modeIsGuess: boolean
  readonly apiKey?: string | undefined
  readonly apiVersion?: string | undefined
  readonly limits: Limits
}

export const NO_LIMITS: Limits = { readOnly: false }
/** The built-in profile, the embedded sandbox. Never stored. */
export const SANDBOX = 'sandbox'

/** What is wrong with a profile name, to complete "The profile name …"; undefined for a valid name. */
export function profileNameProblem(name: string): string | undefined {
  if (!/^[A-Za-z0-9_][\w.-]{0,63}$/.test(name)) {
    return 'must be 1 to 64 letters, digits, dots, underscores or hyphens, and must not start with a dot or hyphen'
  }
  if (name in Object.prototype) return 'is a reserved word'
  if (name.toLowerCase() === SANDBOX) return 'is the name of the built-in sandbox'
  return undefined
}

/**
 * Checks the name of a profile to store.
 * @throws {UsageError} `bad_profile_name`
 */
export function checkProfileName(name: string): string {
  const problem = profileNameProblem(name)
  if (problem === undefined) return name
  const shown = /^[\w.-]{1,80}$/.test(name) ? ` "${name}"` : ''
  throw new UsageError(`The profile name${shown} ${problem}`, { code: 'bad_profile_name' })
}

/**
 * Checks an API version. `where` is its source, for the error.
 * @throws {UsageError} `bad_api_version`
 */
export function checkApiVersion(text: string, where: string): string {
  if (isApiVersion(text)) return text
  throw new UsageError(`${where} must be a version such as 2.1`, { code: 'bad_api_version' })
}

/** Parses one stored profile. Reports a problem through `fail`. */
export function parseProfile(name: string, entry: unknown, fail: Fail): Profile {
  const { mode, limits = NO_LIMITS, ...stored } = parseStored(profileEntry(), entry, fail)
  const { baseUrl } = stored
  return { name, ...stored, mode: mode ?? guessMode(baseUrl), modeIsGuess: mode === undefined, limits }
}

/** The inverse of {@link parseProfile}. */
export function serializeProfile(profile: Profile): Readonly<Record<string, unknown>> {
  const { readOnly, operations, maxAmount, approvals, signers } = profile.limits
  const limits = { ...(readOnly ? { readOnly } : {}), operations, maxAmount, approvals, signers }
  return {
    baseUrl: profile.baseUrl,
    mode: profile.modeIsGuess ? undefined : profile.mode,
    apiKey: profile.apiKey,
    apiVersion: profile.apiVersion,
    ledger: profile.ledger,
    ledgerAccount: profile.ledgerAccount,
    ledgerId: profile.ledgerId,
    ledgerSchema: profile.ledgerSchema,
    limits: Object.values(limits).every((limit) => limit === undefined) ? undefined : limits,
  }
}
