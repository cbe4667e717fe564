import { readFileSync, readlinkSync } from 'node:fs'

/**
 * When a process started, from Linux's /proc: the boot id and clock ticks since boot, unique to each process.
 * `ended` for a zombie. undefined when there is no such process, or no /proc.
 */
export function startInProc(pid: number): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').slice(0, 8)
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // proc(5): the second field is the name in brackets, which may hold anything; starttime is the 22nd.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // A zombie has ended, but keeps its number until its parent collects it.
    if (fields[3 - 3] === 'Z' || fields[3 - 3] === 'X') return 'ended'
    const ticks = fields[22 - 3]
    return ticks === undefined ? undefined : `${boot}-${ticks}`
  } catch {
    return undefined
  }
}

/** The namespace of process numbers on Linux; each container has its own. undefined where there is no /proc. */
export function namespaceInProc(): string | undefined {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return undefined
  }
}

/** The boot and the time namespace, on Linux: within both, the time since the boot compares. undefined where there is no /proc. */
export function bootInProc(): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot} ${timeNamespace()}`
  } catch {
    return undefined
  }
}

/** Kernels before 5.6 have one time for all processes. */
function timeNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/time')
  } catch {
    return ''
  }
}
