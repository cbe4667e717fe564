import type { LimitsInTime } from '../../src/client/ledger/port.ts'
import type { IdempotencyStyle } from '../../src/sandbox/pipeline/process-request.ts'
import type { Random } from './random.ts'

/**
 * The conditions of one history. A rate is a probability: of a fault for each request or write, of a kill, a signal or a
 * power cut before each step. Most histories have few kinds of fault, so that each kind also occurs without the others.
 */
export interface Conditions {
  readonly startMs: number
  /** On a live profile the program waits longer for a request that may still arrive. */
  readonly mode: 'test' | 'live'
  /** How many terminals run commands at the same time. */
  readonly terminals: number
  readonly commands: number
  readonly deliveryFaultRate: number
  readonly killRate: number
  readonly powerCutRate: number
  readonly signalRate: number
  readonly diskFullRate: number
  /** New processes get the ids of ended ones. */
  readonly reusesPids: boolean
  /** Several commands are given the same --idempotency-key. */
  readonly reusesKeys: boolean
  /** Several commands are given the same --once ticket. */
  readonly usesTickets: boolean
  /** Another client changes the same payments without pay. */
  readonly hasOtherClient: boolean
  /** Hours pass between commands, and the machine sleeps through waits. */
  readonly isSlow: boolean
  /** The probability that the machine's wall clock is set before a step. */
  readonly clockStepRate: number
  /** How much faster than time the machine's wall clock goes. */
  readonly clockDrift: number
  /** How old the payments are that a read shows, from a replica of the service. */
  readonly lagMs: number
  /** How long after it was sent a request may be applied, whatever became of its connection. */
  readonly latestMs: number
  /** Whether some resolve with another API key of the same merchant. */
  readonly hasOtherKey: boolean
  /** How far the service's clock is ahead of the machine's. */
  readonly skewMs: number
  /** The probability that the service's clock is set before a step. */
  readonly serviceStepRate: number
  /** How long the service remembers an idempotency key; undefined for ever. */
  readonly keyLifeMs: number | undefined
  readonly idempotency: IdempotencyStyle
  /** Limits over time, of the profile or the team's account. */
  readonly limits?: LimitsInTime
  /** The profile's key is replaced meanwhile: refunds and captures have one or the other. */
  readonly rotatesKey?: boolean
  /** The ledger is a team's, on a database with a clock of its own. Its commits may be done late, and leases decide. */
  readonly isTeam: boolean
}

const MINUTE_MS = 60 * 1000
const DAY_MS = 24 * 60 * MINUTE_MS

/** How far the clock that dates the records is ahead of the machine's: a team's database has its own. */
export const ledgerAheadMs = ({ isTeam }: Pick<Conditions, 'isTeam'>): number => (isTeam ? 3 * MINUTE_MS : 0)

/** How long after its timeout a write may still arrive and show: pay waits as long before it calls one not done. */
export const ARRIVAL_MS = { test: 30_000, live: 5 * MINUTE_MS } as const
/** The timeout of every command. */
export const TIMEOUT_MS = 30_000

interface Lateness {
  readonly lagMs: number
  readonly latestMs: number
}

/** What together has to fit into the time that pay waits: how late a request is applied, and how late that shows. */
const LATENESS: Readonly<Record<'test' | 'live', readonly [Lateness, ...Lateness[]]>> = {
  test: [
    { lagMs: 0, latestMs: 55_000 },
    { lagMs: 25_000, latestMs: 30_000 },
  ],
  live: [
    { lagMs: 0, latestMs: 2 * MINUTE_MS },
    { lagMs: 0, latestMs: 5 * MINUTE_MS },
    { lagMs: 4 * MINUTE_MS, latestMs: 80_000 },
  ],
}

export const drawConditions = (random: Random): Conditions => {
  const isSlow = random.chance(0.2)
  const mode = random.pick<'test' | 'live'>(['test', 'live'])
  const { lagMs, latestMs } = random.chance(0.6) ? LATENESS[mode][0] : random.pick<Lateness>(LATENESS[mode])
  return {
    startMs: random.chance(0.2) ? Date.parse('2026-03-31T23:59:30Z') : Date.parse('2026-03-10T12:00:00Z'),
    mode,
    lagMs,
    latestMs,
    clockStepRate: random.pick([0, 0, 0, 0.01, 0.05]),
    clockDrift: random.pick([0, 0, 0.05, -0.05]),
    hasOtherKey: random.chance(0.3),
    terminals: random.pick([1, 2, 2, 3]),
    commands: 2 + random.below(5),
    deliveryFaultRate: random.pick([0, 0.15, 0.5]),
    killRate: random.pick([0, 0.01, 0.03, 0.06]),
    powerCutRate: random.pick([0, 0, 0.01, 0.03]),
    signalRate: random.pick([0, 0, 0.03]),
    diskFullRate: random.pick([0, 0, 0, 0, 0.05]),
    reusesPids: random.chance(0.3),
    reusesKeys: random.chance(0.2),
    usesTickets: random.chance(0.15),
    hasOtherClient: random.chance(0.3),
    isSlow,
    skewMs: random.pick([0, 0, -4, 4, -11, 11, -600]) * MINUTE_MS,
    // The simulated replica is behind by the service's clock.
    serviceStepRate: lagMs === 0 ? random.pick([0, 0, 0, 0.01]) : 0,
    keyLifeMs: isSlow ? DAY_MS : undefined,
    idempotency: random.pick(['reject', 'reject', 'replay']),
    isTeam: random.chance(0.2),
  }
}

/** Limits over time, in some histories: few writes reach them. */
export const drawLimits = (random: Random): Pick<Conditions, 'limits' | 'rotatesKey'> => {
  const limits = random.weighted<LimitsInTime | undefined>([
    [6, undefined],
    [2, { maxTotal: { EUR: { amount: random.pick([300, 500, 800]), spanMs: DAY_MS } } }],
    [2, { maxCount: { count: random.pick([1, 2, 3]), spanMs: DAY_MS } }],
  ])
  return limits === undefined ? {} : { limits, rotatesKey: random.chance(0.3) }
}

/** The same conditions without faults. */
export const withoutFaults = (conditions: Conditions): Conditions => ({
  ...conditions,
  deliveryFaultRate: 0,
  killRate: 0,
  powerCutRate: 0,
  signalRate: 0,
  diskFullRate: 0,
  clockStepRate: 0,
  serviceStepRate: 0,
  isSlow: false,
})
