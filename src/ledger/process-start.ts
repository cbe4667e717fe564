import { readFileSync, readlinkSync } from 'node:fs'

/**
 * When a process started, as Linux tells it: in ticks since the machine started, with that start's own number, so that
 * it is no other process's on any day; `ended` for one of which only its number is left. undefined where there is no such process, or no /proc.
 */
export function startInProc(pid: number): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').slice(0, 8)
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // proc(5): the second field is the name in brackets, which may hold anything; starttime is the 22nd.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // One that was killed and that nobody asks for is a number and nothing else; it is there as long as its parent is.
    if (fields[3 - 3] === 'Z' || fields[3 - 3] === 'X') return 'ended'
    const ticks = fields[22 - 3]
    return ticks === undefined ? undefined : `${boot}-${ticks}`
  } catch {
    return undefined
  }
}

/** Within which a process number counts on Linux: a container has one of its own. undefined where there is no /proc. */
export function namespaceInProc(): string | undefined {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return undefined
  }
}
