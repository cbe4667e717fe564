import { UsageError } from '../../errors.ts'
import { OUTPUT_FORMATS } from '../../output/output-format.ts'
import type { OutputFormat } from '../../output/output-format.ts'
import { parseDuration } from '../../text/duration.ts'
import { oneOf } from './choices.ts'
import { parseCount } from './count.ts'
import type { ScannedLine } from './scan-line.ts'
import { switchFlag, textFlag } from '../command/input.ts'
import type { CommandInput } from '../command/input.ts'
import type { Settings } from '../command/settings.ts'

type Env = Readonly<Record<string, string | undefined>>

/**
 * Reads the settings of a run from its flags and the environment. Flags come first.
 * @throws {UsageError} for an invalid value, and for flags that exclude each other
 */
export function readSettings(input: CommandInput, env: Env): Settings {
  const dryRun = switchFlag(input, 'dry-run')
  const curl = switchFlag(input, 'curl')
  if (dryRun && curl) throw new UsageError('--dry-run and --curl cannot be used together: choose one')
  const once = textFlag(input, 'once')
  if (once !== undefined && textFlag(input, 'idempotency-key') !== undefined)
    throw new UsageError('--once sets the idempotency key, and so does --idempotency-key: choose one', {
      code: 'two_sources',
    })
  const timeout = textFlag(input, 'timeout')
  const retries = textFlag(input, 'max-retries')
  const isDebug = switchFlag(input, 'debug') || isOn(env['PAY_DEBUG'])
  return {
    format: readFormat(input, env),
    query: textFlag(input, 'query'),
    isQuiet: switchFlag(input, 'quiet'),
    isVerbose: switchFlag(input, 'verbose') || isDebug,
    isDebug,
    color: oneOf('--color', textFlag(input, 'color') ?? 'auto', ['auto', 'always', 'never']),
    assumesYes: switchFlag(input, 'yes'),
    // Commander stores --no-input as input: false.
    neverAsks: input.flags['input'] === false || isOn(env['PAY_NO_INPUT']),
    mayPage: input.flags['pager'] !== false && !isOn(env['PAY_NO_PAGER']),
    mode: dryRun ? 'dry-run' : curl ? 'curl' : 'send',
    reason: readReason(textFlag(input, 'reason')),
    idempotencyKey: readIdempotencyKey(textFlag(input, 'idempotency-key')),
    ticket: once === undefined ? undefined : readTicket(once),
    allowsRepeat: switchFlag(input, 'again'),
    wantsReceipt: switchFlag(input, 'receipt'),
    timeoutMs: parseDuration(
      timeout ?? (env['PAY_TIMEOUT'] || '30s'),
      timeout === undefined ? 'PAY_TIMEOUT' : '--timeout',
    ),
    maxRetries: parseCount(
      retries ?? (env['PAY_MAX_RETRIES'] || '3'),
      retries === undefined ? 'PAY_MAX_RETRIES' : '--max-retries',
    ),
  }
}

function readFormat(input: CommandInput, env: Env): OutputFormat {
  const named = textFlag(input, 'output')
  const wantsJson = switchFlag(input, 'json')
  if (wantsJson && named !== undefined && named !== 'json') {
    throw new UsageError(`--json and --output ${named} contradict each other`, { code: 'given_twice' })
  }
  const fromEnv = env['PAY_OUTPUT'] || undefined
  const format = wantsJson ? 'json' : (named ?? fromEnv)
  const checked =
    format === undefined
      ? 'table'
      : oneOf(named === undefined && !wantsJson ? 'PAY_OUTPUT' : '--output', format, OUTPUT_FORMATS)
  // A query's result can have any shape, so no table has columns for it.
  return textFlag(input, 'query') !== undefined && checked === 'table' ? 'json' : checked
}

function readIdempotencyKey(key: string | undefined): string | undefined {
  if (key === undefined || /^[\x21-\x7e]{1,255}$/.test(key)) return key
  throw new UsageError('--idempotency-key takes 1 to 255 visible ASCII characters without spaces', {
    code: 'bad_value',
  })
}

/** Whether an environment variable turns a switch on. */
export const isOn = (value: string | undefined): boolean =>
  value !== undefined && value !== '' && value !== '0' && value !== 'false'

/** The format of an error in the line itself. */
export function formatOfError({ given }: ScannedLine, env: Env): OutputFormat {
  const named = given.has('json') ? 'json' : given.get('output') || env['PAY_OUTPUT']
  return OUTPUT_FORMATS.find((known) => known === named) ?? (given.has('query') ? 'json' : 'table')
}

const LONGEST_REASON = 500

/** Reads a reason in a person's own words, on one line or several. `what` names the reason in errors. */
export function readReason(typed: string | undefined, what = '--reason'): string | undefined {
  if (typed === undefined) return undefined
  // oxlint-disable-next-line no-control-regex -- it searches for control characters
  const hasControlCharacter = /[\0-\x08\v\f\x0E-\x1F\x7F-\x9F]/.test(typed) || !typed.isWellFormed()
  if (!hasControlCharacter && typed.length <= LONGEST_REASON) return typed
  throw new UsageError(
    hasControlCharacter
      ? `${what} contains a control character`
      : `${what} is longer than ${LONGEST_REASON} characters`,
    {
      code: 'bad_value',
      hint: hasControlCharacter
        ? 'Type it again: a pasted text can hold characters that you cannot see.'
        : 'Write one sentence and name a ticket for the rest.',
    },
  )
}

const LONGEST_TICKET = 200

/**
 * Normalizes a ticket, so that invisible differences don't make another ticket of it: surrounding spaces, the width of
 * spaces, and the encoding of accented letters. `what` names the ticket in errors.
 */
export function readTicket(typed: string | undefined, what = 'The ticket of --once'): string | undefined {
  if (typed === undefined) return undefined
  const ticket = typed
    .normalize('NFC')
    .replaceAll(/[\p{Zs}\t]+/gu, ' ')
    .trim()
  if (ticket === '') throw refusedTicket('--once takes the name of a ticket, not an empty one')
  // Refuse zero-width characters rather than remove them: in some scripts they belong to the word.
  if (/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(ticket))
    throw refusedTicket(`${what} contains a line break or an invisible character`)
  if (ticket.length > LONGEST_TICKET)
    throw refusedTicket(`${what} is longer than ${LONGEST_TICKET} characters`)
  return ticket
}

const refusedTicket = (message: string): UsageError =>
  new UsageError(message, {
    code: 'bad_value',
    hint: 'Give its name in your ticket system, such as --once SUP-1042',
  })
