/** One moment as several clocks show it, and how much time lies between two moments. Each clock alone may be wrong. */

/** What the clocks of one machine show. */
export interface Clocks {
  /** The wall clock, which anyone may set. Milliseconds since 1970. */
  readonly wallMs: number
  /** The machine's name. */
  readonly machine: string
  /** The boot and the time namespace; undefined where the system names none. */
  readonly boot?: string | undefined
  /** Milliseconds since that boot, sleep included; undefined where the system doesn't tell. */
  readonly upMs?: number | undefined
}

/** A moment by several clocks. One that wasn't seen is undefined. Records of earlier versions have the wall clock alone. */
export interface Moment extends Partial<Clocks> {
  /** The clock of a team's database. */
  readonly databaseMs?: number | undefined
  /** The service's clock: the `Date` of an answer, plus the time since. At most a second ahead. */
  readonly serviceMs?: number | undefined
}

/** The time from one moment to the other, in milliseconds, by each clock that knows both. Negative for a clock that was set back. */
export function agesBetween(then: Moment, now: Moment): readonly number[] {
  const isSameBoot = then.boot !== undefined && then.boot === now.boot
  const isSameMachine = isSameBoot || (then.machine !== undefined && then.machine === now.machine)
  return [
    isSameBoot ? between(then.upMs, now.upMs) : undefined,
    between(then.databaseMs, now.databaseMs),
    between(then.serviceMs, now.serviceMs),
    isSameMachine ? between(then.wallMs, now.wallMs) : undefined,
  ].filter((age) => age !== undefined)
}

const between = (then: number | undefined, now: number | undefined): number | undefined =>
  then === undefined || now === undefined ? undefined : now - then

/** The least time that has passed; undefined if no clock knows. A clock that was set back says nothing and gives 0. */
export function youngestAgeMs(then: Moment, now: Moment): number | undefined {
  const ages = agesBetween(then, now)
  return ages.length === 0 ? undefined : Math.max(0, Math.min(...ages))
}

/** The most time that has passed; undefined if no clock knows. */
export function oldestAgeMs(then: Moment, now: Moment): number | undefined {
  const ages = agesBetween(then, now).filter((age) => age >= 0)
  return ages.length === 0 ? undefined : Math.max(...ages)
}

/** The usual difference between two clocks, and the time that passes between reading them. */
export const SKEW_MS = 60_000

/** Whether the clocks that know both moments agree on the time between them. */
export function doClocksAgree(then: Moment, now: Moment): boolean {
  const ages = agesBetween(then, now)
  return ages.length > 0 && Math.max(...ages) - Math.min(...ages) <= SKEW_MS && Math.min(...ages) > -SKEW_MS
}
