import { textFlag } from '../cli/command/input.ts'
import type { CommandInput } from '../cli/command/input.ts'
import type { FlagSpec } from '../cli/command/flags.ts'
import type { Invocation } from '../cli/command/invocation.ts'
import { UsageError } from '../errors.ts'
import { timeFor } from './find/service-clock.ts'
import { isEmptyPeriod, readTime } from '../views/search/times.ts'
import type { Period } from '../views/search/times.ts'

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

/** The time that `--from` and `--to` count from. */
export const timeForPeriod = (invocation: Invocation, input: CommandInput): Promise<Date> =>
  timeFor(invocation, [textFlag(input, 'from'), textFlag(input, 'to')])

export function readPeriod(input: CommandInput, now: Date): Period {
  const [from, to] = [textFlag(input, 'from'), textFlag(input, 'to')]
  const period = {
    from: from === undefined ? undefined : readTime(from, '--from', now).start,
    to: to === undefined ? undefined : readTime(to, '--to', now).end,
  }
  if (isEmptyPeriod(period))
    throw new UsageError('--from is after --to, so nothing can match', { code: 'bad_value' })
  return period
}
