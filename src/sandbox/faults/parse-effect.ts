import { parseDuration } from '../../duration.ts'
import { UsageError } from '../../errors.ts'
import { closest } from '../../suggest.ts'
import { PLAIN_FAULT_KINDS } from './fault.ts'
import type { FaultEffect } from './fault.ts'
import { quote } from './parse-result.ts'
import type { ParseResult } from './parse-result.ts'

/** No client waits longer than this. */
const MAX_DELAY_MS = 24 * 60 * 60 * 1000
const DEFAULT_RETRY_AFTER = '1'

const KINDS_WITH_VALUE = ['delay', 'status', '429'] as const
const FORMS = [...PLAIN_FAULT_KINDS, 'delay=2s', 'status=503', '429=30'] as const

/** Reads an effect as typed: `drop-after`, `delay=2s`, `status=503`, `429=30`. */
export function parseEffect(given: unknown): ParseResult<FaultEffect> {
  if (given === undefined) return { problem: `is required: one of ${FORMS.join(', ')}` }
  if (typeof given !== 'string') return { problem: `must be one of ${FORMS.join(', ')}` }
  const [name = '', value] = given.split(/=(.*)/s)
  const plain = PLAIN_FAULT_KINDS.find((kind) => kind === name)
  if (plain !== undefined)
    return value === undefined ? { value: { kind: plain } } : { problem: `${plain} takes no value` }
  const kind = KINDS_WITH_VALUE.find((known) => known === name)
  if (kind !== undefined) return PARSERS[kind](value)
  const suggestion = closest(name, [...PLAIN_FAULT_KINDS, ...KINDS_WITH_VALUE])
  return {
    problem: `must be one of ${FORMS.join(', ')}, not ${quote(given)}${
      suggestion === undefined ? '' : `; did you mean ${suggestion}?`
    }`,
  }
}

const PARSERS: Readonly<
  Record<(typeof KINDS_WITH_VALUE)[number], (value: string | undefined) => ParseResult<FaultEffect>>
> = {
  delay: (value) => {
    if (value === undefined) return { problem: 'needs a duration, such as delay=2s or delay=500ms' }
    try {
      const ms = parseDuration(value, 'delay')
      return ms > MAX_DELAY_MS ? { problem: 'can be at most 24h' } : { value: { kind: 'delay', ms } }
    } catch (error) {
      if (error instanceof UsageError) return { problem: `is not valid: ${error.message}` }
      throw error
    }
  },
  status: (value = '') =>
    /^[345]\d\d$/.test(value)
      ? { value: { kind: 'status', status: Number(value) } }
      : { problem: `needs a status from 300 to 599, such as status=503, not ${quote(value)}` },
  429: (value = DEFAULT_RETRY_AFTER) =>
    /^\d{1,9}$/.test(value) || isHttpDate(value)
      ? { value: { kind: '429', retryAfter: value } }
      : {
          problem: `needs seconds or an HTTP date, such as 429=30 or "429=Sun, 01 Mar 2026 12:00:30 GMT", not ${quote(value)}`,
        },
}

/** The one date form that senders may generate (RFC 9110 section 5.6.7). */
const isHttpDate = (text: string): boolean =>
  /^\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT$/.test(text) && new Date(text).toUTCString() === text

/** Reads the effect of a stored fault, which was checked when it was added. */
export function readEffect(text: string): FaultEffect {
  const parsed = parseEffect(text)
  if ('value' in parsed) return parsed.value
  throw new Error(`A stored fault ${parsed.problem}`)
}
