import { UsageError } from '../../errors.ts'
import { checkBaseUrl } from './base-url.ts'
import { checkApiVersion } from './profile.ts'
import type { ProfileFile } from './read-profiles.ts'

/** A value and a description of its source, such as `flag --base-url`. */
export interface Sourced<T> {
  readonly value: T
  readonly source: string
}

/** Everything that decides which account a call uses. */
export interface AccountInput {
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

/** The base URL from a flag or the environment. */
export const readBaseUrlOverride = (input: AccountInput): Sourced<string> | undefined =>
  readOverride(input, input.flags.baseUrl, ['--base-url', 'PAY_BASE_URL'], checkBaseUrl)

/** The API version from a flag or the environment. */
export const readVersionOverride = (input: AccountInput): Sourced<string> | undefined =>
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
export function findKeyVariable(input: AccountInput): 'PAY_API_KEY' | 'PAY_API_KEY_FILE' | undefined {
  const hasKey = readVariable(input, 'PAY_API_KEY') !== undefined
  const hasFile = readVariable(input, 'PAY_API_KEY_FILE') !== undefined
  if (hasKey && hasFile) {
    throw accountConflict('PAY_API_KEY and PAY_API_KEY_FILE are both set.', 'Unset one of them.')
  }
  if (hasKey) return 'PAY_API_KEY'
  return hasFile ? 'PAY_API_KEY_FILE' : undefined
}

/** An empty variable counts as unset. */
export const readVariable = ({ env }: AccountInput, name: string): string | undefined =>
  env[name] || undefined

/** Two settings name different accounts. */
export function accountConflict(message: string, hint: string): UsageError {
  return new UsageError(message, { code: 'account_conflict', hint })
}
