import { targetOf } from '../../src/client/calls/build-intent.ts'
import type { Call } from '../../src/client/calls/call.ts'
import type { Conditions } from './conditions.ts'
import type { Plan } from './plan.ts'
import type { Random } from './random.ts'

/** A request as it left the process. */
export interface Sent {
  readonly key: string | undefined
  readonly body: string | undefined
  readonly method: string
  readonly atMs: number
}

/** What a command reported when it ended. */
export interface Report {
  readonly exitCode: number
  readonly code: string | undefined
  /** The ledger record it named. */
  readonly operationId: string | undefined
  readonly atMs: number
}

/** One intended effect: a command as a person typed it, and everything that became of it. */
export interface Command {
  readonly name: string
  readonly plan: Plan
  readonly call: Call
  /** What the command acts on, such as `payment p1`; undefined if it makes something new. */
  readonly target: string | undefined
  readonly maxRetries: number
  /** The id of its ledger record; the last one if it had to begin again. */
  recordId: string | undefined
  readonly recordIds: string[]
  /** When it began the last one, by true time. */
  begunAtMs: number
  /** The record it was sent under: its own, or the open one of an equal command that is safe to repeat. */
  sentUnderId: string | undefined
  readonly sent: Sent[]
  /** How often the service performed it. */
  applied: number
  /** When that was last, by the service's clock; -Infinity if it never was. */
  appliedAtMs: number
  /** How often that changed the value that it sets. */
  changed: number
  /** An attempt ended without a response from the service. */
  wasInDoubt: boolean
  /** When the last such attempt was sent, by true time. */
  doubtfulAtMs: number
  wasDiskFull: boolean
  /** Its process was killed before it reported anything. */
  wasKilled: boolean
  reported: Report | undefined
}

/** A command for a planned operation, with options drawn at random. */
export function createCommand(
  plan: Plan,
  name: string,
  conditions: Pick<Conditions, 'reusesKeys' | 'usesTickets' | 'mode'>,
  random: Random,
): Command {
  const { operation, params, body } = plan
  const amount = body?.['amount'] ?? body?.['value']
  const takesKey = operation.idempotencyKey
  const call: Call = {
    operation,
    params,
    ...(body === undefined ? {} : { body: { value: body, text: JSON.stringify(body) } }),
    amount: typeof amount === 'number' ? amount : undefined,
    currencyCode: typeof amount === 'number' ? 'EUR' : undefined,
    mayRepeat: random.chance(0.6),
    idempotencyKey: takesKey && conditions.reusesKeys && random.chance(0.6) ? 'key-by-hand' : undefined,
    ticket: takesKey && conditions.usesTickets && random.chance(0.6) ? 'ticket-1' : undefined,
  }
  const isLooked = operation.effect === 'refunded' && conditions.mode === 'live' && call.mayRepeat !== true
  const target = targetOf(call)
  return {
    name,
    plan,
    call: {
      ...call,
      ...(isLooked ? { countsOthers: { agreedTo: 0 } } : {}),
      ...(call.ticket === undefined ? {} : { idempotencyKey: undefined }),
    },
    target: target === undefined ? undefined : `${target.kind} ${target.name}`,
    maxRetries: random.below(4),
    recordId: undefined,
    recordIds: [],
    begunAtMs: Number.NEGATIVE_INFINITY,
    sentUnderId: undefined,
    sent: [],
    applied: 0,
    appliedAtMs: Number.NEGATIVE_INFINITY,
    changed: 0,
    wasInDoubt: false,
    doubtfulAtMs: Number.NEGATIVE_INFINITY,
    wasDiskFull: false,
    wasKilled: false,
    reported: undefined,
  }
}

/** The command as it would be typed: `payment.refund p1 {"amount":100} --again --max-retries 2`. */
export function commandLine({ call, maxRetries }: Command): string {
  const { operation, params, body, idempotencyKey, ticket, mayRepeat } = call
  return [
    operation.id,
    ...Object.values(params),
    body?.text,
    idempotencyKey === undefined ? undefined : `--idempotency-key ${idempotencyKey}`,
    ticket === undefined ? undefined : `--once ${ticket}`,
    mayRepeat === true ? '--again' : undefined,
    `--max-retries ${maxRetries}`,
  ]
    .filter((word) => word !== undefined)
    .join(' ')
}

/** Whether a report says that a colleague has taken the write over, and may have ended it differently. */
export const isOverruled = (code: string | undefined): boolean =>
  /^lease_lapsed|could not be recorded: Another/.test(code ?? '')

/** Exit codes that promise that nothing was done. */
export const NOTHING_DONE: readonly number[] = [2, 3, 4, 5, 6, 7, 9, 11, 12, 130, 143]

/** Exit codes of a write that was done: done, customer action pending, declined. */
export const DONE: readonly number[] = [0, 8, 13]

/**
 * Whether a full disk kept the end of a command that did nothing out of the ledger. The command reports that, unless it was
 * killed first.
 */
export const endedUnrecorded = ({ wasDiskFull, applied, reported }: Command): boolean =>
  wasDiskFull && applied === 0 && (reported === undefined || NOTHING_DONE.includes(reported.exitCode))

/** Whether two commands ask for the same effect. */
export const isEqual = (a: Command, b: Command): boolean =>
  a.plan.operation.id === b.plan.operation.id &&
  a.target === b.target &&
  a.call.body?.text === b.call.body?.text
