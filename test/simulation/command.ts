import { targetOf } from '../../src/calls/target.ts'
import type { Call } from '../../src/calls/call.ts'
import type { Chance } from './random.ts'
import type { Habits } from './conditions.ts'
import type { Plan } from './workloads.ts'

/** A request as it left. */
export interface Sent {
  readonly key: string | undefined
  readonly body: string | undefined
  readonly method: string
  readonly atMs: number
}

/** What a process said when it ended. */
export interface Told {
  readonly exitCode: number
  readonly code: string | undefined
  /** The record that it named. */
  readonly operationId: string | undefined
  readonly atMs: number
}

/** One intended effect: a command as it was typed, and all that has become of it. */
export interface Command {
  readonly name: string
  readonly plan: Plan
  readonly call: Call
  /** The same for all commands on what it acts on; undefined for what makes something new. */
  readonly target: string | undefined
  readonly maxRetries: number
  /** What the ledger calls it, once it was there: the last of several, where it had to begin anew. */
  recordId: string | undefined
  readonly recordIds: string[]
  /** The record under which it was sent: its own, or that of an equal harmless one. */
  handOf: string | undefined
  readonly sent: Sent[]
  /** How often the service did it. */
  applied: number
  /** How often that changed what it sets. */
  changed: number
  /** Whether an attempt of it ended without a word of the service. */
  wasInDoubt: boolean
  wasDiskFull: boolean
  /** Its own process was killed. */
  wasKilled: boolean
  told: Told | undefined
}

export function commandOf(
  plan: Plan,
  name: string,
  habits: Pick<Habits, 'reusesKeys' | 'usesTickets'>,
  chance: Chance,
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
    mayRepeat: chance.happens(0.6),
    idempotencyKey: takesKey && habits.reusesKeys && chance.happens(0.6) ? 'key-by-hand' : undefined,
    ticket: takesKey && habits.usesTickets && chance.happens(0.6) ? 'ticket-1' : undefined,
  }
  const target = targetOf(call)
  return {
    name,
    plan,
    call: call.ticket === undefined ? call : { ...call, idempotencyKey: undefined },
    target: target === undefined ? undefined : `${target.kind} ${target.name}`,
    maxRetries: chance.below(4),
    recordId: undefined,
    recordIds: [],
    handOf: undefined,
    sent: [],
    applied: 0,
    changed: 0,
    wasInDoubt: false,
    wasDiskFull: false,
    wasKilled: false,
    told: undefined,
  }
}

export function wordsOf({ call, maxRetries }: Command): string {
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

/** Codes that promise that nothing was done. */
export const NOTHING_DONE: readonly number[] = [2, 3, 4, 5, 6, 7, 9, 11, 12, 130, 143]

/** What was not done, and could not be written down: that is told, unless there is nobody left to tell it. */
export const wasDropped = ({ wasDiskFull, applied, told }: Command): boolean =>
  wasDiskFull && applied === 0 && (told === undefined || NOTHING_DONE.includes(told.exitCode))

/** Whether two commands want the same done. */
export const isEqual = (a: Command, b: Command): boolean =>
  a.plan.operation.id === b.plan.operation.id &&
  a.target === b.target &&
  a.call.body?.text === b.call.body?.text
