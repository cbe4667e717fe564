import { textFlag } from '../cli/command/input.ts'
import type { CommandInput } from '../cli/command/input.ts'
import type { FlagSpec } from '../cli/command/flags.ts'
import { isRealDay, parseMoment } from '../cli/parse/flag-values.ts'
import { parseDuration } from '../duration.ts'
import { UsageError } from '../errors.ts'

/** The flags `--from` and `--to` of everything that lists or counts. `happened` begins their help: "Created". */
export const periodFlags = (happened: string) =>
  ({
    from: {
      kind: 'text',
      value: 'TIME',
      help: `${happened} at this time or later: a day (2026-01-31), a span back from now (7d, 24h), today, yesterday, or a time with its zone. Days are UTC`,
    },
    to: {
      kind: 'text',
      value: 'TIME',
      help: `${happened} at this time or earlier, in the same forms; a day counts to its end`,
    },
  }) as const satisfies Record<string, FlagSpec>

/** Both ends in ISO 8601, in UTC. */
export interface Period {
  readonly from: string | undefined
  readonly to: string | undefined
}

export function readPeriod(input: CommandInput, now: Date): Period {
  const [from, to] = [readEnd(input, 'from', now), readEnd(input, 'to', now)]
  if (from !== undefined && to !== undefined && Date.parse(from) > Date.parse(to))
    throw new UsageError('--from is after --to, so nothing can match', { code: 'bad_value' })
  return { from, to }
}

const DAY_MS = 86_400_000
const TIME_OF_DAY = { from: '00:00:00.000', to: '23:59:59.999' } as const

function readEnd(input: CommandInput, flag: 'from' | 'to', now: Date): string | undefined {
  const text = textFlag(input, flag)
  if (text === undefined) return undefined
  const edgeOf = (day: string) => `${day}T${TIME_OF_DAY[flag]}Z`
  if (text === 'today' || text === 'yesterday') {
    const at = new Date(now.getTime() - (text === 'today' ? 0 : DAY_MS))
    return edgeOf(at.toISOString().slice(0, 10))
  }
  if (/^\d+(?:ms|s|m|h|d)/.test(text))
    return new Date(now.getTime() - parseDuration(text, `--${flag}`)).toISOString()
  if (/^\d{4}-\d\d-\d\dT/.test(text)) return parseMoment(text, `--${flag}`)
  if (!/^\d{4}-\d\d-\d\d$/.test(text))
    throw new UsageError(
      `--${flag} takes a day (2026-01-31), a time (2026-01-31T09:30:00Z), a span back from now (7d, 90m), today or yesterday, not "${text}"`,
      { code: 'bad_value' },
    )
  if (!isRealDay(text)) throw new UsageError(`--${flag}: there is no day ${text}`, { code: 'bad_value' })
  return edgeOf(text)
}
