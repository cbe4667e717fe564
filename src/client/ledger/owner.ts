/** The process that works on an intent. Its number alone doesn't identify it, because numbers are reused. */
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
  /** When any process started, as in {@link Owner.startedAt}. */
  readonly startOf: (pid: number) => string | undefined
}

/**
 * What this process can find out about the owner: everything, only whether its number exists, or nothing. Containers may
 * share a host name and process numbers.
 */
export function ownerVisibility(owner: Owner, processes: Processes): 'full' | 'pid-only' | 'none' {
  const { machine, namespace } = processes.own()
  if (owner.machine !== machine || owner.namespace !== namespace) return 'none'
  if (!processes.isAlive(owner.pid)) return 'full'
  return owner.startedAt === undefined || processes.startOf(owner.pid) === undefined ? 'pid-only' : 'full'
}

/** Whether the owner is still working; until then at least, if it can't be seen from here. When in doubt, true. */
export function isAtWork(
  owner: Owner,
  { untilMs, nowMs }: { readonly untilMs: number; readonly nowMs: number },
  processes: Processes,
): boolean {
  if (ownerVisibility(owner, processes) === 'none') return nowMs < untilMs
  if (!processes.isAlive(owner.pid)) return false
  const startedAt = processes.startOf(owner.pid)
  return startedAt === undefined || owner.startedAt === undefined || startedAt === owner.startedAt
}

/**
 * The name of this machine. macOS takes its host name from the network that it is in; its local name stays, and another name
 * would make its own writes look like those of another machine.
 */
export function machineName({ platform, hostName, localName }: MachineNames): string {
  return (platform === 'darwin' ? localName() : undefined) ?? hostName()
}

interface MachineNames {
  readonly platform: string
  readonly hostName: () => string
  /** The local name of macOS; undefined if it has none. */
  readonly localName: () => string | undefined
}
