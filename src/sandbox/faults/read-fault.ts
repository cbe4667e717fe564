import { lazySchema, z } from '../../api/schema.ts'
import { field, readFields, required, BadField, quote } from '../request/fields.ts'
import type { NewFault, FaultEffect } from './fault.ts'
import { EXAMPLE, readPattern } from './pattern.ts'
import { parseDuration } from '../../text/duration.ts'
import { UsageError } from '../../errors.ts'
import { closest } from '../../text/suggest.ts'
import { PLAIN_FAULT_KINDS } from './fault.ts'

/** The largest seed: the random generator uses 32 bits. */
const MAX_SEED = 2 ** 32 - 1
/** The number of generated seeds, which are short enough to type. */
const GENERATED_SEEDS = 1_000_000
const MAX_COUNT = 1_000_000_000

const newFault = lazySchema(() =>
  z.strictObject({
    on: required(readPattern, `: a method and a path, such as ${EXAMPLE}`),
    do: required(effectIn, `: one of ${FORMS.join(', ')}`),
    rate: field(shareIn, 'must be a share of the requests, above 0 and up to 1, such as 0.2'),
    seed: whole(0, MAX_SEED),
    times: whole(1, MAX_COUNT),
    skip: whole(0, MAX_COUNT),
  }),
)

/**
 * Reads a fault, with numbers as numbers.
 * @throws {Problem} that names everything wrong
 */
export function readFault(given: Readonly<Record<string, unknown>>, random: () => number): NewFault {
  const { on, do: effect, rate = 1, seed, times, skip = 0 } = readFields(newFault, given)
  return {
    on,
    do: effect,
    rate,
    seed: seed ?? Math.floor(random() * GENERATED_SEEDS),
    ...(times === undefined ? {} : { times }),
    skip,
  }
}

/** Reads the effect, and keeps it as typed. */
function effectIn(given: unknown): string {
  parseEffect(given)
  return String(given)
}

const shareIn = (value: unknown): number | undefined =>
  typeof value === 'number' && value > 0 && value <= 1 ? value : undefined

const whole = (least: number, most: number) =>
  field(
    (value) =>
      typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
        ? value
        : undefined,
    `must be a whole number from ${least} to ${most}`,
  )

/** The longest delay: no client waits longer. */
const MAX_DELAY_MS = 24 * 60 * 60 * 1000
const DEFAULT_RETRY_AFTER = '1'

const KINDS_WITH_VALUE = ['delay', 'status', '429'] as const
const FORMS = [...PLAIN_FAULT_KINDS, 'delay=2s', 'status=503', '429=30'] as const

/** Reads an effect as typed: `drop-after`, `delay=2s`, `status=503`, `429=30`. @throws {BadField} */
export function parseEffect(given: unknown): FaultEffect {
  if (typeof given !== 'string') throw new BadField(`must be one of ${FORMS.join(', ')}`)
  const [name = '', value] = given.split(/=(.*)/s)
  const plain = PLAIN_FAULT_KINDS.find((kind) => kind === name)
  if (plain !== undefined && value !== undefined) throw new BadField(`${plain} takes no value`)
  if (plain !== undefined) return { kind: plain }
  const kind = KINDS_WITH_VALUE.find((known) => known === name)
  if (kind !== undefined) return PARSERS[kind](value)
  const suggestion = closest(name, [...PLAIN_FAULT_KINDS, ...KINDS_WITH_VALUE])
  throw new BadField(
    `must be one of ${FORMS.join(', ')}, not ${quote(given)}${
      suggestion === undefined ? '' : `; did you mean ${suggestion}?`
    }`,
  )
}

const PARSERS: Readonly<
  Record<(typeof KINDS_WITH_VALUE)[number], (value: string | undefined) => FaultEffect>
> = {
  delay: (value) => {
    if (value === undefined) throw new BadField('needs a duration, such as delay=2s or delay=500ms')
    const ms = durationIn(value)
    if (ms > MAX_DELAY_MS) throw new BadField('can be at most 24h')
    return { kind: 'delay', ms }
  },
  status: (value = '') => {
    if (/^[345]\d\d$/.test(value)) return { kind: 'status', status: Number(value) }
    throw new BadField(`needs a status from 300 to 599, such as status=503, not ${quote(value)}`)
  },
  429: (value = DEFAULT_RETRY_AFTER) => {
    if (/^\d{1,9}$/.test(value) || isHttpDate(value)) return { kind: '429', retryAfter: value }
    throw new BadField(
      `needs seconds or an HTTP date, such as 429=30 or "429=Sun, 01 Mar 2026 12:00:30 GMT", not ${quote(value)}`,
    )
  },
}

function durationIn(text: string): number {
  try {
    return parseDuration(text, 'delay')
  } catch (error) {
    throw error instanceof UsageError ? new BadField(`is not valid: ${error.message}`) : error
  }
}

/** Whether a text is a date in the one form that senders may generate (RFC 9110 section 5.6.7). */
const isHttpDate = (text: string): boolean =>
  /^\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT$/.test(text) && new Date(text).toUTCString() === text
