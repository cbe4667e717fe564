import { AuthError, UsageError } from '../../errors.ts'
import { closest } from '../../text/suggest.ts'
import { guessMode, checkBaseUrl } from './base-url.ts'
import type { Mode } from './base-url.ts'
import { chooseLedger } from './ledger-choice.ts'
import type { LedgerChoice } from './ledger-choice.ts'
import { NO_LIMITS, SANDBOX, checkApiVersion } from './profile.ts'
import type { Limits, Profile } from './profile.ts'
import type { ProfileFile } from './read-profiles.ts'
import { checkApiKey } from './api-key.ts'
import { sandboxUrl, shownUrl } from './sandbox-url.ts'
import { shellWord } from '../../files/shell.ts'

/** A value and a description of its source, such as `flag --base-url`. */
export interface Sourced<T> {
  readonly value: T
  readonly source: string
}

/** Everything that decides which account a call uses. */
interface AccountInput {
  readonly flags: {
    readonly profile?: string | undefined
    readonly sandbox?: boolean | undefined
    readonly baseUrl?: string | undefined
    readonly apiVersion?: string | undefined
  }
  readonly env: Readonly<Record<string, string | undefined>>
  readonly file: ProfileFile
  readonly readKeyFile: (path: string) => string
  /** False for a command that sends nothing and so needs no key. */
  readonly needsKey?: boolean | undefined
}

/** The account that a call uses. */
export interface Account {
  readonly kind: 'sandbox' | 'service'
  /** Undefined if flags or the environment name the whole account. */
  readonly profile: Sourced<string> | undefined
  readonly mode: Sourced<Mode>
  readonly baseUrl: Sourced<string>
  /** Undefined only if the caller needs no key, or a command prints it. */
  readonly apiKey: Sourced<string> | undefined
  /** The profile's command that prints the key; undefined if the key comes from elsewhere. {@link withKey} runs it. */
  readonly keyCommand?: Sourced<string> | undefined
  readonly apiVersion: Sourced<string>
  readonly limits: Limits
  readonly ledger: LedgerChoice
}

/**
 * What tells accounts apart whose work is resumed. A profile stays the same one when its key is replaced, for example because it
 * expired.
 */
export function identityOf({ profile, apiKey }: Account): readonly (string | undefined)[] {
  const isOfProfile = profile !== undefined && apiKey?.source.endsWith(`profile ${profile.value}`) === true
  return isOfProfile ? ['profile', profile.value] : ['key', apiKey?.value]
}

const DEFAULT_API_VERSION = '2.1'
/** The embedded sandbox accepts this key. It is no secret. */
export const SANDBOX_KEY = 'sandbox_all'
const STORED_DEFAULT = 'stored default'

/**
 * Resolves the account in the order flag, environment, profile, default.
 * @throws {UsageError} `account_conflict` when two settings name different accounts: pay never guesses which is meant
 * @throws {AuthError} when there is no account or no key
 */
export function resolveAccount(input: AccountInput): Account {
  const chosen = chooseProfile(input)
  if (chosen?.value === SANDBOX) return sandboxAccount(chosen, input)
  const profile = chosen === undefined ? undefined : findProfile(chosen, input.file)
  const baseUrl = chooseBaseUrl(input, profile)
  const isProfileUrl = profile !== undefined && baseUrl.value === profile.baseUrl
  const apiKey = chooseKey(input, profile, isProfileUrl)
  const command = apiKey === undefined ? profile?.apiKeyCommand : undefined
  return {
    kind: 'service',
    profile: chosen,
    mode:
      isProfileUrl && !profile.modeIsGuess
        ? { value: profile.mode, source: `profile ${profile.name}` }
        : { value: guessMode(baseUrl.value), source: 'guessed from the base URL' },
    baseUrl,
    apiKey,
    ...(command === undefined || profile === undefined
      ? {}
      : { keyCommand: { value: command, source: `command of profile ${profile.name}` } }),
    apiVersion: chooseVersion(input, profile),
    limits: profile?.limits ?? NO_LIMITS,
    ledger: chooseLedger(input.env, profile),
  }
}

function chooseProfile(input: AccountInput): Sourced<string> | undefined {
  const { flags, file } = input
  if (flags.sandbox === true) {
    if (flags.profile !== undefined && flags.profile !== SANDBOX) {
      throw accountConflict(
        `--sandbox and --profile ${quoteName(flags.profile)} name two accounts`,
        'Use only one of them.',
      )
    }
    return { value: SANDBOX, source: 'flag --sandbox' }
  }
  if (flags.profile !== undefined) {
    const given = flags.profile === SANDBOX ? undefined : findKeyVariable(input)
    if (given !== undefined) {
      throw accountConflict(
        `--profile ${quoteName(flags.profile)} and ${given} name two accounts`,
        `Omit --profile, or run without the variable: env -u ${given} pay …`,
      )
    }
    return { value: flags.profile, source: 'flag --profile' }
  }
  const named = readVariable(input, 'PAY_PROFILE')
  if (named !== undefined) return { value: named, source: 'environment PAY_PROFILE' }
  if (file.defaultProfile === undefined) return undefined
  return isWholeAccountInEnvironment(input, file.profiles.get(file.defaultProfile))
    ? undefined
    : { value: file.defaultProfile, source: STORED_DEFAULT }
}

/** Whether the environment sets a key and a base URL other than the stored default's. The default profile then does not apply. */
function isWholeAccountInEnvironment(input: AccountInput, stored: Profile | undefined): boolean {
  if (findKeyVariable(input) === undefined) return false
  const baseUrl = readBaseUrlOverride(input)
  return baseUrl !== undefined && baseUrl.value !== stored?.baseUrl
}

function sandboxAccount(chosen: Sourced<string>, input: AccountInput): Account {
  if (input.flags.baseUrl !== undefined) {
    throw accountConflict(
      `The embedded sandbox (${chosen.source}) has a fixed base URL.`,
      'Omit --base-url, or choose a profile of that service with --profile.',
    )
  }
  if (chosen.source === STORED_DEFAULT) refuseIncompleteOverride(input)
  return {
    kind: 'sandbox',
    profile: chosen,
    mode: builtInValue('test'),
    baseUrl: builtInValue(sandboxUrl()),
    apiKey: builtInValue(SANDBOX_KEY),
    apiVersion: chooseVersion(input, undefined),
    limits: NO_LIMITS,
    ledger: { kind: 'local', source: 'built in' },
  }
}

/**
 * Refuses half an account in the environment. A sandbox chosen by name ignores it; as the stored default, it must not take a
 * call meant for a service.
 */
function refuseIncompleteOverride(input: AccountInput): void {
  const url = readVariable(input, 'PAY_BASE_URL') === undefined ? undefined : 'PAY_BASE_URL'
  const given = findKeyVariable(input) ?? url
  if (given === undefined) return
  const missing = given === 'PAY_BASE_URL' ? 'PAY_API_KEY' : 'PAY_BASE_URL'
  throw accountConflict(
    `The default profile is the embedded sandbox, but ${given} is set without ${missing}.`,
    `Set ${missing} too, unset ${given}, or use --sandbox.`,
  )
}

function findProfile({ value, source }: Sourced<string>, file: ProfileFile): Profile {
  const profile = file.profiles.get(value)
  if (profile !== undefined) return profile
  const names = [...file.profiles.keys(), SANDBOX]
  const suggestion = closest(value, names)
  const question = suggestion === undefined ? '' : `Did you mean ${suggestion}? `
  const remedy =
    source === STORED_DEFAULT ? 'Choose one: pay profile use NAME' : 'Add one: pay profile add NAME'
  throw new UsageError(`No profile named ${quoteName(value)} (${source})`, {
    code: 'unknown_profile',
    hint: `${question}Profiles: ${names.join(', ')}. ${remedy}`,
  })
}

function chooseBaseUrl(input: AccountInput, profile: Profile | undefined): Sourced<string> {
  const given = readBaseUrlOverride(input)
  if (given !== undefined) return given
  if (profile !== undefined) return { value: profile.baseUrl, source: `profile ${profile.name}` }
  const key = findKeyVariable(input)
  if (key === undefined) throw noAccountError()
  throw new UsageError(`${key} is set without a base URL`, {
    code: 'base_url_missing',
    hint: 'Set PAY_BASE_URL, use --base-url, or set PAY_PROFILE to a profile.',
  })
}

function chooseKey(
  input: AccountInput,
  profile: Profile | undefined,
  isProfileUrl: boolean,
): Sourced<string> | undefined {
  const given = findKeyVariable(input)
  if (given !== undefined) {
    const value = readVariable(input, given) ?? ''
    const text = given === 'PAY_API_KEY_FILE' ? input.readKeyFile(value) : value
    return { value: checkApiKey(text, given), source: `environment ${given}` }
  }
  if (profile !== undefined && !isProfileUrl) {
    throw new UsageError(
      `The key of profile ${profile.name} is sent only to its own base URL, ${profile.baseUrl}, but ${readBaseUrlOverride(input)?.source} names another`,
      {
        code: 'base_url_mismatch',
        hint: 'Omit the other URL, or add a profile for it: pay profile add NAME --base-url URL --api-key-stdin',
      },
    )
  }
  if (profile?.apiKeyCommand !== undefined) return undefined
  if (profile?.apiKey !== undefined) return { value: profile.apiKey, source: `profile ${profile.name}` }
  if (input.needsKey === false) return undefined
  if (profile === undefined) throw noAccountError()
  throw new AuthError(`Profile ${profile.name} has no API key`, {
    hint: `Store one: pay profile set ${shellWord(profile.name)} --api-key-stdin. Or set PAY_API_KEY with PAY_PROFILE=${shellWord(profile.name)}.`,
  })
}

function chooseVersion(input: AccountInput, profile: Profile | undefined): Sourced<string> {
  const given = readVersionOverride(input)
  if (given !== undefined) return given
  return profile?.apiVersion === undefined
    ? { value: DEFAULT_API_VERSION, source: 'default' }
    : { value: profile.apiVersion, source: `profile ${profile.name}` }
}

const builtInValue = <T>(value: T): Sourced<T> => ({ value, source: 'built in' })

/** Repeats only a valid profile name: other text may be a key in the wrong place. */
const quoteName = (name: string): string =>
  /^[\w.-]{0,64}$/.test(name) ? `"${name}"` : '(not repeated: it may be a key)'

/** The message if nothing names an account. */
export const NO_ACCOUNT = 'No account: no profile is selected and no API key is set'

function noAccountError(): AuthError {
  return new AuthError(NO_ACCOUNT, {
    hint: 'Add a profile (pay profile add NAME), set PAY_API_KEY and PAY_BASE_URL, or try the embedded sandbox (--sandbox).',
  })
}

/** The base URL from a flag or the environment. */
const readBaseUrlOverride = (input: AccountInput): Sourced<string> | undefined =>
  readOverride(input, input.flags.baseUrl, ['--base-url', 'PAY_BASE_URL'], checkBaseUrl)

/** The API version from a flag or the environment. */
const readVersionOverride = (input: AccountInput): Sourced<string> | undefined =>
  readOverride(input, input.flags.apiVersion, ['--api-version', 'PAY_API_VERSION'], checkApiVersion)

function readOverride(
  input: AccountInput,
  given: string | undefined,
  [flag, variable]: readonly [flag: string, variable: string],
  check: (text: string, where: string) => string,
): Sourced<string> | undefined {
  if (given !== undefined) return { value: check(given, flag), source: `flag ${flag}` }
  const named = readVariable(input, variable)
  return named === undefined
    ? undefined
    : { value: check(named, variable), source: `environment ${variable}` }
}

/** The environment variable that holds the key. */
function findKeyVariable(input: AccountInput): 'PAY_API_KEY' | 'PAY_API_KEY_FILE' | undefined {
  const hasKey = readVariable(input, 'PAY_API_KEY') !== undefined
  const hasFile = readVariable(input, 'PAY_API_KEY_FILE') !== undefined
  if (hasKey && hasFile) {
    throw accountConflict('PAY_API_KEY and PAY_API_KEY_FILE are both set.', 'Unset one of them.')
  }
  if (hasKey) return 'PAY_API_KEY'
  return hasFile ? 'PAY_API_KEY_FILE' : undefined
}

/** A variable of the environment. An empty one counts as unset. */
const readVariable = ({ env }: AccountInput, name: string): string | undefined => env[name] || undefined

/** The error for two settings that name different accounts. */
function accountConflict(message: string, hint: string): UsageError {
  return new UsageError(message, { code: 'account_conflict', hint })
}

/** An account in words: `profile shop (live, https://api.example)`. */
export const describeAccount = ({ profile, mode, baseUrl }: Account): string =>
  profile === undefined
    ? shownUrl(baseUrl.value)
    : `profile ${profile.value} (${mode.value}, ${shownUrl(baseUrl.value)})`
