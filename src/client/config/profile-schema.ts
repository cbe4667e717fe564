import { isRecord } from '../../json/is-record.ts'
import * as z from 'zod/mini'
import { closest } from '../../text/suggest.ts'
import { parseBaseUrl } from './base-url.ts'
import { apiKeyProblem } from './api-key.ts'
import { isAccountName, parseLedgerUrl, REQUIRED } from './ledger-choice.ts'

/** The schema of the profile file. A message completes a sentence that begins with the field. It never repeats a value, which may be a key. */

/** Throws an error about a field of the file. */
export type Fail = (field: string, problem: string) => never

export const isApiVersion = (text: string): boolean => /^[A-Za-z0-9][A-Za-z0-9.-]{0,31}$/.test(text)

const strict = <Shape extends z.core.$ZodShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? unknownField(issue.keys[0] ?? '', Object.keys(shape))
        : 'must be an object',
  })

/** Does not repeat a long name: it may be a key in the wrong place. */
function unknownField(field: string, known: readonly string[]): string {
  const suggestion = closest(field, known)
  const shown = /^\w{1,20}$/.test(field) ? `"${field}"` : 'an unknown field'
  return `does not have ${shown}${suggestion === undefined ? '' : `; did you mean "${suggestion}"?`}`
}

const baseUrl = () =>
  z.pipe(
    z.string('must be a URL'),
    z.transform((text, { issues }) => {
      const verdict = parseBaseUrl(text)
      if ('url' in verdict) return verdict.url
      issues.push({ code: 'custom', message: verdict.problem, input: text })
      return z.NEVER
    }),
  )

const apiKey = () =>
  z.string('must be text').check(
    z.refine((key) => apiKeyProblem(key) === undefined, {
      error: ({ input }) => apiKeyProblem(String(input)),
    }),
  )

const VERSION = 'must be a version such as "2.1"'
const apiVersion = () => z.string(VERSION).check(z.refine(isApiVersion, VERSION))

const NAME = 'must be the name of an account in the ledger'
const LEDGER = 'must be the URL of a database, or "required"'
const ledger = () =>
  z
    .string(LEDGER)
    .check(z.refine((text) => text === REQUIRED || !('problem' in parseLedgerUrl(text)), LEDGER))

const OPERATIONS = 'must be a list of operations such as "payment.refund"'
const operations = () =>
  z.array(z.string(OPERATIONS).check(z.regex(/^[a-z]+\.[a-z]+$/, OPERATIONS)), OPERATIONS)

const MINOR_UNITS = 'must be a whole number of minor units'
const maxAmount = () =>
  z.record(
    z.string().check(z.regex(/^[A-Z]{3}$/, 'must have currency codes such as "EUR" as its keys')),
    z.int(MINOR_UNITS).check(z.minimum(0, MINOR_UNITS)),
    'must be an object',
  )

const APPROVALS = 'must be a whole number of at least 1'
const SIGNERS = 'must be the path of a file'

// Strict: a mistyped limit must not disable the limit.
const limits = () =>
  strict({
    readOnly: z._default(z.boolean('must be true or false'), false),
    operations: z.optional(operations()),
    maxAmount: z.optional(maxAmount()),
    approvals: z.optional(z.int(APPROVALS).check(z.minimum(1, APPROVALS))),
    signers: z.optional(z.string(SIGNERS).check(z.minLength(1, SIGNERS))),
  })

/** One profile of the file. */
export const profileEntry = once(() =>
  strict({
    baseUrl: baseUrl(),
    mode: z.optional(z.enum(['test', 'live'], 'must be "test" or "live"')),
    apiKey: z.optional(apiKey()),
    apiVersion: z.optional(apiVersion()),
    ledger: z.optional(ledger()),
    ledgerAccount: z.optional(z.string(NAME).check(z.refine(isAccountName, NAME))),
    ledgerId: z.optional(z.string('must be text')),
    ledgerSchema: z.optional(z.string('must be text').check(z.minLength(1, 'must be text'))),
    limits: z.optional(limits()),
  }),
)

export const FILE_VERSION = 1

/** The whole file. Profile names are checked elsewhere: a zod record skips the key `__proto__`. */
export const profileFile = once(() =>
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

/** Builds at first use: most commands find no profile file to parse. */
function once<T>(build: () => T): () => T {
  let built: T | undefined
  return () => (built ??= build())
}
