/** The process that works on an intent: its number alone may be another's by now. */
export interface Owner {
  readonly pid: number
  /** When it started, in the machine's own terms; undefined where the machine does not tell. */
  readonly startedAt: string | undefined
  readonly machine: string
  /** Within which its number counts, as a container has one of its own; absent where the machine has but one. */
  readonly namespace?: string | undefined
}

/** What the machine tells of processes. */
export interface Processes {
  readonly own: () => Owner
  /** Whether there is a process of that number. */
  readonly isAlive: (pid: number) => boolean
  /** As {@link Owner.startedAt}, for any process. */
  readonly startOf: (pid: number) => string | undefined
}

/**
 * How long a process on another machine, or in another container, is taken to be at work: nothing can be asked of it
 * from here. Longer than its attempts take; what is cleared up too early is sent with the same key, or only read.
 */
const REMOTE_WORK_MS = 10 * 60 * 1000

/**
 * What can be known of a process from here: everything, only whether there is one of its number, or nothing.
 * Two containers may have one host name, and each a process of that number.
 */
export function ownerVisibility(owner: Owner, processes: Processes): 'full' | 'pid-only' | 'none' {
  const { machine, namespace } = processes.own()
  if (owner.machine !== machine || owner.namespace !== namespace) return 'none'
  if (!processes.isAlive(owner.pid)) return 'full'
  return owner.startedAt === undefined || processes.startOf(owner.pid) === undefined ? 'pid-only' : 'full'
}

/** Whether the process that wrote this is still there. In doubt it is: then a person has to look. */
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
