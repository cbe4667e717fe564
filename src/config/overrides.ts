import { UsageError } from '../errors.ts'
import { checkBaseUrl } from './base-url.ts'
import { checkApiVersion } from './profile.ts'
import type { ProfileFile } from './read-profiles.ts'

/** A value and where it came from, in words for people. */
export interface Sourced<T> {
  readonly value: T
  readonly source: string
}

/** Everything that has a say in which account a call is for. */
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
  /** false for what sends nothing: an account without a key will do. */
  readonly needsKey?: boolean | undefined
}

/** The base URL of a flag or the environment. */
export function readBaseUrlOverride(input: AccountInput): Sourced<string> | undefined {
  const { baseUrl } = input.flags
  if (baseUrl !== undefined) {
    return { value: checkBaseUrl(baseUrl, '--base-url'), source: 'flag --base-url' }
  }
  const named = readVariable(input, 'PAY_BASE_URL')
  if (named === undefined) return undefined
  return { value: checkBaseUrl(named, 'PAY_BASE_URL'), source: 'environment PAY_BASE_URL' }
}

/** The variable that gives the key. */
export function findKeyVariable(input: AccountInput): 'PAY_API_KEY' | 'PAY_API_KEY_FILE' | undefined {
  const hasKey = readVariable(input, 'PAY_API_KEY') !== undefined
  const hasFile = readVariable(input, 'PAY_API_KEY_FILE') !== undefined
  if (hasKey && hasFile) {
    throw accountConflict('PAY_API_KEY and PAY_API_KEY_FILE are both set.', 'Unset one of them.')
  }
  if (hasKey) return 'PAY_API_KEY'
  return hasFile ? 'PAY_API_KEY_FILE' : undefined
}

/** The version of a flag or the environment. */
export function readVersionOverride(input: AccountInput): Sourced<string> | undefined {
  const { apiVersion } = input.flags
  if (apiVersion !== undefined) {
    return { value: checkApiVersion(apiVersion, '--api-version'), source: 'flag --api-version' }
  }
  const named = readVariable(input, 'PAY_API_VERSION')
  if (named === undefined) return undefined
  return { value: checkApiVersion(named, 'PAY_API_VERSION'), source: 'environment PAY_API_VERSION' }
}

/** An empty variable is an unset one. */
export const readVariable = ({ env }: AccountInput, name: string): string | undefined =>
  env[name] || undefined

/** Two answers to one question. */
export function accountConflict(message: string, hint: string): UsageError {
  return new UsageError(message, { code: 'account_conflict', hint })
}
