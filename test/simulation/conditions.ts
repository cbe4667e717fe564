import type { IdempotencyStyle } from '../../src/sandbox/perform.ts'
import type { Chance } from './random.ts'

/** What one history is like: most have few kinds of trouble, so that each kind is met without all the others too. */
export interface Habits {
  readonly startMs: number
  /** Of a live profile longer is waited for what may arrive late. */
  readonly mode: 'test' | 'live'
  readonly terminals: number
  readonly commands: number
  /** How often a request goes wrong. */
  readonly mishaps: number
  /** How often, at each thing that a process does, it is killed. */
  readonly kills: number
  /** The same for a power cut. */
  readonly powerCuts: number
  /** For an interruption signal. */
  readonly signals: number
  /** How often a disk has no space left for what is written. */
  readonly fullness: number
  /** Process numbers soon come again. */
  readonly reusesPids: boolean
  readonly reusesKeys: boolean
  readonly usesTickets: boolean
  /** Somebody else works on the same payments, past us. */
  readonly hasMeddler: boolean
  /** Hours may pass between commands, and waits may take them. */
  readonly isSlow: boolean
  /** What the service's clock is ahead of the machine's. */
  readonly skewMs: number
  readonly keyLifeMs: number | undefined
  readonly idempotency: IdempotencyStyle
}

const MINUTE_MS = 60 * 1000
const DAY_MS = 24 * 60 * MINUTE_MS

export const habitsOf = (chance: Chance): Habits => {
  const isSlow = chance.happens(0.2)
  return {
    // At times the month ends in the middle.
    startMs: chance.happens(0.2) ? Date.parse('2026-03-31T23:59:30Z') : Date.parse('2026-03-10T12:00:00Z'),
    mode: chance.pick(['test', 'live']),
    terminals: chance.pick([1, 2, 2, 3]),
    commands: 2 + chance.below(5),
    mishaps: chance.pick([0, 0.15, 0.5]),
    kills: chance.pick([0, 0.01, 0.03, 0.06]),
    powerCuts: chance.pick([0, 0, 0.01, 0.03]),
    signals: chance.pick([0, 0, 0.03]),
    fullness: chance.pick([0, 0, 0, 0, 0.05]),
    reusesPids: chance.happens(0.3),
    reusesKeys: chance.happens(0.2),
    usesTickets: chance.happens(0.15),
    hasMeddler: chance.happens(0.15),
    isSlow,
    skewMs: chance.pick([0, 0, -4, 4, -11, 11, -600]) * MINUTE_MS,
    keyLifeMs: isSlow ? DAY_MS : undefined,
    idempotency: chance.pick(['reject', 'reject', 'replay']),
  }
}
