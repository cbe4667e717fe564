/** The process that works on an intent: its number alone may be another's by now. */
export interface Owner {
  readonly pid: number
  /** When it started, in the machine's own terms; undefined where the machine does not tell. */
  readonly startedAt: string | undefined
  readonly machine: string
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
 * How long a process on another machine, or in a container that is gone, is taken to be at work: nothing can be asked of
 * it from here. Longer than its attempts take; what is cleared up too early is sent with the same key, or only read.
 */
const FAR_AWAY_MS = 10 * 60 * 1000

/** Whether the process that wrote this is still there. In doubt it is: then a person has to look. */
export function isAtWork(owner: Owner, sinceMs: number, nowMs: number, processes: Processes): boolean {
  const { machine } = processes.own()
  if (owner.machine !== machine) return nowMs - sinceMs < FAR_AWAY_MS
  if (!processes.isAlive(owner.pid)) return false
  const startedAt = processes.startOf(owner.pid)
  return startedAt === undefined || owner.startedAt === undefined || startedAt === owner.startedAt
}
