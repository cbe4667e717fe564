import { lazySchema, looseObject, optionalText, z } from '../../api/schema.ts'
import { parseDuration } from '../../text/duration.ts'
import { UsageError } from '../../errors.ts'
import { notOfSession, refuseFurtherFields } from '../domain/checkout/checkout-access.ts'
import type { NewFault } from '../faults/fault.ts'
import { readFault } from '../faults/read-fault.ts'
import { readLogView } from '../log/log-view.ts'
import type { LogView } from '../log/log-view.ts'
import { invalid } from '../problem.ts'
import { asGiven, readFields, required, textField } from '../request/fields.ts'
import { acceptBody } from '../request/validation.ts'
import { isRecord } from '../../json/is-record.ts'
import type { ControlInput } from './control.ts'
import type { ChallengeAnswer, MethodToTokenize } from './customer.ts'

/** Reads the input of the controls over HTTP. Each function throws a problem that names everything wrong. */

const methodToTokenize = lazySchema(() =>
  looseObject({
    card: optionalText(),
    savedMethod: optionalText(),
    method: optionalText(),
    clientToken: optionalText(),
  }),
)

/** `sessionToken` authenticated the request; undefined for API keys. */
export function readMethodToTokenize(given: unknown, sessionToken: string | undefined): MethodToTokenize {
  if (sessionToken !== undefined) refuseOtherSession(given, sessionToken)
  const { card, savedMethod, method, clientToken } = acceptBody({ request: methodToTokenize }, given).body
  const ways = Object.entries({ card, savedMethod, method }).filter(([, value]) => value !== undefined)
  if (ways.length === 0) throw invalid([{ path: '$.card', description: 'is required' }])
  if (ways.length > 1)
    throw invalid(
      ways.map(([name]) => ({ path: `$.${name}`, description: 'cannot be given with another method' })),
    )
  const isCheckout = sessionToken !== undefined
  return { card, savedMethod, method, clientToken: sessionToken ?? clientToken, isCheckout }
}

function refuseOtherSession(given: unknown, sessionToken: string): void {
  if (!isRecord(given)) return
  refuseFurtherFields(given, ['card', 'savedMethod', 'method', 'clientToken'])
  const { clientToken } = given
  if (clientToken !== undefined && clientToken !== sessionToken) throw notOfSession('client session')
}

const outcome = () => z.enum(['pass', 'fail'], 'must be pass or fail')
const answerByToken = lazySchema(() => looseObject({ clientToken: z.string(), outcome: outcome() }))
const answerByPayment = lazySchema(() => looseObject({ paymentId: z.string(), outcome: outcome() }))

/** The client token of a session answers by payment ID only. */
export function readChallenge(given: unknown, sessionToken: string | undefined): ChallengeAnswer {
  if (sessionToken !== undefined && isRecord(given)) refuseFurtherFields(given, ['paymentId', 'outcome'])
  if (sessionToken !== undefined || (isRecord(given) && given['paymentId'] !== undefined)) {
    return { ...acceptBody({ request: answerByPayment }, given).body, sessionToken }
  }
  return acceptBody({ request: answerByToken }, given).body
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
  return readFault(given ?? {}, random)
}

const DEFAULT_LIMIT = 100

export const readLogQuery = (query: ControlInput['query']): LogView => readLogView(query, DEFAULT_LIMIT)

const changesQuery = lazySchema(() => z.strictObject({ after: textField(asGiven) }))
export const readChangesQuery = (query: ControlInput['query']) => readFields(changesQuery, query)

const recordQuery = lazySchema(() => z.strictObject({ id: required(String) }))
export const readRecordId = (query: ControlInput['query']): string => readFields(recordQuery, query).id
