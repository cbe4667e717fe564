import { UsageError } from '../errors.ts'
import { closest } from '../suggest.ts'
import { guessMode, inspectBaseUrl } from './base-url.ts'
import type { Mode } from './base-url.ts'
import { apiKeyProblem } from './secrets.ts'
import { isRecord } from '../is-record.ts'

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

/** Reports a problem of a stored entry at a field; it throws. */
export type Fail = (field: string, problem: string) => never

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

const isApiVersion = (text: string): boolean => /^[A-Za-z0-9][A-Za-z0-9.-]{0,31}$/.test(text)

/** One stored entry, read by hand: a schema library takes longer to load than all of a read-only command may. */
export function parseProfile(name: string, entry: unknown, fail: Fail): Profile {
  if (!isRecord(entry)) return fail('', 'must be an object')
  refuseUnknown(entry, ['baseUrl', 'mode', 'apiKey', 'apiVersion', 'limits'], '', fail)
  const { mode, apiKey, apiVersion } = entry
  const baseUrl = parseBaseUrl(entry['baseUrl'], fail)
  if (mode !== undefined && mode !== 'test' && mode !== 'live')
    return fail('mode', 'must be "test" or "live"')
  if (apiKey !== undefined) {
    if (typeof apiKey !== 'string') return fail('apiKey', 'must be text')
    const problem = apiKeyProblem(apiKey)
    if (problem !== undefined) return fail('apiKey', problem)
  }
  if (apiVersion !== undefined && (typeof apiVersion !== 'string' || !isApiVersion(apiVersion))) {
    return fail('apiVersion', 'must be a version such as "2.1"')
  }
  return {
    name,
    baseUrl,
    mode: mode ?? guessMode(baseUrl),
    modeIsGuess: mode === undefined,
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(apiVersion === undefined ? {} : { apiVersion }),
    limits: parseLimits(entry['limits'], fail),
  }
}

/** The entry that {@link parseProfile} reads back as the same profile. */
export function storedProfile(profile: Profile): Readonly<Record<string, unknown>> {
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

function parseBaseUrl(baseUrl: unknown, fail: Fail): string {
  if (typeof baseUrl !== 'string') return fail('baseUrl', 'must be a URL')
  const verdict = inspectBaseUrl(baseUrl)
  return 'url' in verdict ? verdict.url : fail('baseUrl', verdict.problem)
}

function parseLimits(limits: unknown, fail: Fail): Limits {
  if (limits === undefined) return NO_LIMITS
  if (!isRecord(limits)) return fail('limits', 'must be an object')
  // A mistyped limit must not be taken for none.
  refuseUnknown(limits, ['readOnly', 'operations', 'maxAmount'], 'limits', fail)
  const { readOnly = false, operations, maxAmount } = limits
  if (typeof readOnly !== 'boolean') return fail('limits.readOnly', 'must be true or false')
  return {
    readOnly,
    ...(operations === undefined ? {} : { operations: parseOperations(operations, fail) }),
    ...(maxAmount === undefined ? {} : { maxAmount: parseMaxAmount(maxAmount, fail) }),
  }
}

function parseOperations(operations: unknown, fail: Fail): readonly string[] {
  if (Array.isArray(operations) && operations.every(isOperationId)) return operations
  return fail('limits.operations', 'must be a list of operations such as "payment.refund"')
}

function parseMaxAmount(maxAmount: unknown, fail: Fail): Readonly<Record<string, number>> {
  if (!isRecord(maxAmount)) return fail('limits.maxAmount', 'must be an object')
  const parsed: Record<string, number> = {}
  for (const [currency, amount] of Object.entries(maxAmount)) {
    if (!/^[A-Z]{3}$/.test(currency))
      return fail('limits.maxAmount', 'must have currency codes such as "EUR" as its keys')
    const isMinor = typeof amount === 'number' && Number.isSafeInteger(amount) && amount >= 0
    if (!isMinor) return fail(`limits.maxAmount.${currency}`, 'must be a whole number of minor units')
    parsed[currency] = amount
  }
  return parsed
}

export function refuseUnknown(
  entry: Readonly<Record<string, unknown>>,
  known: readonly string[],
  prefix: string,
  fail: Fail,
): void {
  const field = Object.keys(entry).find((key) => !known.includes(key))
  if (field === undefined) return
  const meant = closest(field, known)
  const shown = /^\w{1,20}$/.test(field) ? `"${field}"` : 'a field of another name'
  fail(prefix, `does not have ${shown}${meant === undefined ? '' : `; did you mean "${meant}"?`}`)
}

const isOperationId = (id: unknown): id is string => typeof id === 'string' && /^[a-z]+\.[a-z]+$/.test(id)
