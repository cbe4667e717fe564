import { parseDuration } from '../../text/duration.ts'
import { UsageError } from '../../errors.ts'
import { closest } from '../../text/suggest.ts'
import { BadField, quote } from '../request/fields.ts'
import { PLAIN_FAULT_KINDS } from './fault.ts'
import type { FaultEffect } from './fault.ts'

/** No client waits longer than this. */
const MAX_DELAY_MS = 24 * 60 * 60 * 1000
const DEFAULT_RETRY_AFTER = '1'

const KINDS_WITH_VALUE = ['delay', 'status', '429'] as const
export const FORMS = [...PLAIN_FAULT_KINDS, 'delay=2s', 'status=503', '429=30'] as const

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

/** The one date form that senders may generate (RFC 9110 section 5.6.7). */
const isHttpDate = (text: string): boolean =>
  /^\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT$/.test(text) && new Date(text).toUTCString() === text
