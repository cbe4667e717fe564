import { lazySchema, looseObject, optionalText, z } from '../../api/schema.ts'
import { parseDuration } from '../../duration.ts'
import { UsageError } from '../../errors.ts'
import type { NewFault } from '../faults/fault.ts'
import { readFault } from '../faults/read-fault.ts'
import type { FieldProblem } from '../faults/read-fault.ts'
import { readLogView } from '../log/log-view.ts'
import type { LogView } from '../log/log-view.ts'
import { invalid } from '../problem.ts'
import { acceptBody, acceptQuery } from '../request/validation.ts'
import { formatPath } from '../request/describe-problems.ts'
import { isRecord } from '../../is-record.ts'

/** Reads the input of the controls over HTTP. Each function throws a problem that names everything wrong. */

const cardToTokenize = lazySchema(() => looseObject({ card: z.string(), clientToken: optionalText() }))

export const readCard = (body: unknown) => acceptBody({ request: cardToTokenize }, body).body

const challengeAnswer = lazySchema(() =>
  looseObject({
    clientToken: z.string(),
    outcome: z.string().check(z.refine((outcome) => /^(?:pass|fail)$/.test(outcome), 'must be pass or fail')),
  }),
)

export function readChallenge(given: unknown): { clientToken: string; outcome: 'pass' | 'fail' } {
  const { clientToken, outcome } = acceptBody({ request: challengeAnswer }, given).body
  return { clientToken, outcome: outcome === 'pass' ? 'pass' : 'fail' }
}

const clockAdvance = lazySchema(() =>
  looseObject({ duration: optionalText(), ms: z.optional(z.int().check(z.minimum(0))) }).check(
    z.refine(
      ({ duration, ms }) => (duration === undefined) !== (ms === undefined),
      'needs either a duration such as "2h" or ms, not both',
    ),
  ),
)

/** Milliseconds. */
export function readAdvance(given: unknown): number {
  const { duration, ms = 0 } = acceptBody({ request: clockAdvance }, given).body
  if (duration === undefined) return ms
  try {
    return parseDuration(duration, 'It')
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    throw invalid([{ path: '$.duration', description: 'must be a duration such as 90m, 2h or 1h30m' }])
  }
}

export function readNewFault(given: unknown, random: () => number): NewFault {
  if (given !== undefined && !isRecord(given))
    throw invalid([{ path: '$', description: 'must be an object' }])
  const read = readFault(given ?? {}, random)
  if ('problems' in read) throw invalidFields(read.problems)
  return read.fault
}

const DEFAULT_LIMIT = 100
const logQuery = lazySchema(() =>
  looseObject({ limit: optionalText(), on: optionalText(), payment: optionalText() }),
)

export function readLogQuery(query: unknown): LogView {
  const { limit, on, payment } = acceptQuery(logQuery, query)
  const read = readLogView({ limit, on, payment }, DEFAULT_LIMIT)
  if ('problems' in read) throw invalidFields(read.problems)
  return read.view
}

const invalidFields = (problems: readonly FieldProblem[]) =>
  invalid(problems.map(({ field, description }) => ({ path: formatPath([field]), description })))
