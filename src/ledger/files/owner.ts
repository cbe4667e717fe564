/** The process that works on an intent. Its number alone is not enough: another process may have it by now. */
export interface Owner {
  readonly pid: number
  /** When it started, in the machine's own format; undefined if the machine does not report it. */
  readonly startedAt: string | undefined
  readonly machine: string
  /** The namespace of its number, since each container has its own; absent if the machine has only one. */
  readonly namespace?: string | undefined
}

/** What the machine reports about processes. */
export interface Processes {
  readonly own: () => Owner
  /** Whether a process with that number exists. */
  readonly isAlive: (pid: number) => boolean
  /** As {@link Owner.startedAt}, for any process. */
  readonly startOf: (pid: number) => string | undefined
}

/**
 * How long a process on another machine or in another container counts as working, since it can't be checked from here.
 * Longer than its attempts take. A write that is resolved too early is sent with the same key, or only read.
 */
const REMOTE_WORK_MS = 10 * 60 * 1000

/**
 * What can be known about a process from here: everything, only whether its number exists, or nothing. Two containers may
 * have the same host name, and each a process with that number.
 */
export function ownerVisibility(owner: Owner, processes: Processes): 'full' | 'pid-only' | 'none' {
  const { machine, namespace } = processes.own()
  if (owner.machine !== machine || owner.namespace !== namespace) return 'none'
  if (!processes.isAlive(owner.pid)) return 'full'
  return owner.startedAt === undefined || processes.startOf(owner.pid) === undefined ? 'pid-only' : 'full'
}

/** Whether the owner is still working. When in doubt, yes: then a person has to check. */
export function isAtWork(owner: Owner, sinceMs: number, nowMs: number, processes: Processes): boolean {
  const visibility = ownerVisibility(owner, processes)
  if (visibility === 'none') return nowMs - sinceMs < REMOTE_WORK_MS
  if (!processes.isAlive(owner.pid)) return false
  const startedAt = processes.startOf(owner.pid)
  return startedAt === undefined || owner.startedAt === undefined || startedAt === owner.startedAt
}

export const isSameOwner = (one: Owner | undefined, other: Owner | undefined): boolean =>
  one?.pid === other?.pid &&
  one?.startedAt === other?.startedAt &&
  one?.machine === other?.machine &&
  one?.namespace === other?.namespace
