import * as z from 'zod/mini'
import { lazySchema } from '../../api/schema.ts'
import { UsageError } from '../../errors.ts'
import { isRecord } from '../../json/is-record.ts'
import { closest } from '../../text/suggest.ts'
import { apiKeyProblem, keyCommandProblem } from './api-key.ts'
import { guessMode, parseBaseUrl } from './base-url.ts'
import type { Mode } from './base-url.ts'
import { isAccountName, parseLedgerUrl, REQUIRED } from './ledger-choice.ts'
import type { StoredLedger } from './ledger-choice.ts'
import { limitFields } from '../ledger/limit-fields.ts'
import type { LimitsInTime } from '../ledger/port.ts'

/** The limits of a profile. No confirmation overrides them. */
export interface Limits extends LimitsInTime {
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
  /** A command that prints the key, in place of a stored one. */
  readonly apiKeyCommand?: string | undefined
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

const isApiVersion = (text: string): boolean => /^[A-Za-z0-9][A-Za-z0-9.-]{0,31}$/.test(text)

/**
 * Checks an API version. `where` is its source, for the error.
 * @throws {UsageError} `bad_api_version`
 */
export function checkApiVersion(text: string, where: string): string {
  if (isApiVersion(text)) return text
  throw new UsageError(`${where} must be a version such as 2.1`, { code: 'bad_api_version' })
}

/** Throws an error about a field of the file. */
type Fail = (field: string, problem: string) => never

/** An object of the file. A message completes a sentence that begins with the field, and never repeats a value, which may be a key. */
const strict = <Shape extends z.core.$ZodShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? unknownField(issue.keys[0] ?? '', Object.keys(shape))
        : 'must be an object',
  })

/** The problem of an unknown field. Does not repeat a long name: it may be a key in the wrong place. */
function unknownField(field: string, known: readonly string[]): string {
  const suggestion = closest(field, known)
  const shown = /^\w{1,20}$/.test(field) ? `"${field}"` : 'an unknown field'
  return `does not have ${shown}${suggestion === undefined ? '' : `; did you mean "${suggestion}"?`}`
}

const baseUrlField = () =>
  z.pipe(
    z.string('must be a URL'),
    z.transform((text, { issues }) => {
      const verdict = parseBaseUrl(text)
      if ('url' in verdict) return verdict.url
      issues.push({ code: 'custom', message: verdict.problem, input: text })
      return z.NEVER
    }),
  )

const apiKeyField = () =>
  z.string('must be text').check(
    z.refine((key) => apiKeyProblem(key) === undefined, {
      error: ({ input }) => apiKeyProblem(String(input)),
    }),
  )

const apiKeyCommandField = () =>
  z.string('must be text').check(
    z.refine((text) => keyCommandProblem(text) === undefined, {
      error: ({ input }) => keyCommandProblem(String(input)),
    }),
  )

const VERSION = 'must be a version such as "2.1"'
const apiVersionField = () => z.string(VERSION).check(z.refine(isApiVersion, VERSION))

const NAME = 'must be the name of an account in the ledger'
const LEDGER = 'must be the URL of a database, or "required"'
const ledgerField = () =>
  z
    .string(LEDGER)
    .check(z.refine((text) => text === REQUIRED || !('problem' in parseLedgerUrl(text)), LEDGER))

const OPERATIONS = 'must be a list of operations such as "payment.refund"'
const operationsField = () =>
  z.array(z.string(OPERATIONS).check(z.regex(/^[a-z]+\.[a-z]+$/, OPERATIONS)), OPERATIONS)

const MINOR_UNITS = 'must be a whole number of minor units'
const maxAmountField = () =>
  z.record(
    z.string().check(z.regex(/^[A-Z]{3}$/, 'must have currency codes such as "EUR" as its keys')),
    z.int(MINOR_UNITS).check(z.minimum(0, MINOR_UNITS)),
    'must be an object',
  )

const APPROVALS = 'must be a whole number of at least 1'
const SIGNERS = 'must be the path of a file'

// Strict: a mistyped limit must not disable the limit.
const limitsField = () =>
  strict({
    readOnly: z._default(z.boolean('must be true or false'), false),
    operations: z.optional(operationsField()),
    maxAmount: z.optional(maxAmountField()),
    ...limitFields(),
    approvals: z.optional(z.int(APPROVALS).check(z.minimum(1, APPROVALS))),
    signers: z.optional(z.string(SIGNERS).check(z.minLength(1, SIGNERS))),
  })

/** One profile of the file. */
const profileEntry = lazySchema(() =>
  strict({
    baseUrl: baseUrlField(),
    mode: z.optional(z.enum(['test', 'live'], 'must be "test" or "live"')),
    apiKey: z.optional(apiKeyField()),
    apiKeyCommand: z.optional(apiKeyCommandField()),
    apiVersion: z.optional(apiVersionField()),
    ledger: z.optional(ledgerField()),
    ledgerAccount: z.optional(z.string(NAME).check(z.refine(isAccountName, NAME))),
    ledgerId: z.optional(z.string('must be text')),
    ledgerSchema: z.optional(z.string('must be text').check(z.minLength(1, 'must be text'))),
    limits: z.optional(limitsField()),
  }),
)

export const FILE_VERSION = 1

/** The whole file. Profile names are checked elsewhere: a zod record skips the key `__proto__`. */
export const profileFile = lazySchema(() =>
  strict({
    version: z.optional(
      z.literal(FILE_VERSION, `must be ${FILE_VERSION}; a newer version of pay may have written the file`),
    ),
    defaultProfile: z.optional(z.string('must be the name of a profile')),
    profiles: z.optional(z.custom<Readonly<Record<string, unknown>>>(isRecord, 'must be an object')),
  }),
)

/** Parses a value; reports the most helpful problem through `fail`. */
export function parseStored<T>(schema: z.ZodMiniType<T>, value: unknown, fail: Fail): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const { issues } = parsed.error
  // A newer version explains all other problems; a mistyped field explains a missing one.
  const issue =
    issues.find(({ path }) => path[0] === 'version') ??
    issues.find(({ code }) => code === 'unrecognized_keys') ??
    issues[0]
  if (issue?.code === 'invalid_key')
    return fail(fieldOf(issue.path.slice(0, -1)), issue.issues[0]?.message ?? issue.message)
  return fail(fieldOf(issue?.path ?? []), issue?.message ?? 'is not valid')
}

/** The path of a field without list indexes. */
const fieldOf = (path: readonly PropertyKey[]): string =>
  path.filter((step) => typeof step === 'string').join('.')

/** Parses one stored profile. Reports a problem through `fail`. */
export function parseProfile(name: string, entry: unknown, fail: Fail): Profile {
  const { mode, limits = NO_LIMITS, ...stored } = parseStored(profileEntry(), entry, fail)
  const { baseUrl } = stored
  return { name, ...stored, mode: mode ?? guessMode(baseUrl), modeIsGuess: mode === undefined, limits }
}

/** The inverse of {@link parseProfile}. */
export function serializeProfile(profile: Profile): Readonly<Record<string, unknown>> {
  const { readOnly, ...others } = profile.limits
  const limits = { ...(readOnly ? { readOnly } : {}), ...others }
  return {
    baseUrl: profile.baseUrl,
    mode: profile.modeIsGuess ? undefined : profile.mode,
    apiKey: profile.apiKey,
    apiKeyCommand: profile.apiKeyCommand,
    apiVersion: profile.apiVersion,
    ledger: profile.ledger,
    ledgerAccount: profile.ledgerAccount,
    ledgerId: profile.ledgerId,
    ledgerSchema: profile.ledgerSchema,
    limits: Object.values(limits).every((limit) => limit === undefined) ? undefined : limits,
  }
}
