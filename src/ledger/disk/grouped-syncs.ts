import type { Disk } from './disk.ts'

/**
 * Lets many writes of one process share syncs: those that ask for a path while it is being synced wait for one further sync
 * of it. A sync that is already running may have begun before their write, so it doesn't count for them.
 */
export function groupSyncs(disk: Disk): Disk {
  const running = new Map<string, { readonly ended: Promise<void>; next: Promise<void> | undefined }>()

  const start = (path: string): Promise<void> => {
    const ended = disk.sync(path)
    const run = { ended, next: undefined }
    running.set(path, run)
    const forget = () => {
      if (running.get(path) === run) running.delete(path)
    }
    ended.then(forget, forget)
    return ended
  }
  return {
    ...disk,
    sync: (path) => {
      const run = running.get(path)
      if (run === undefined) return start(path)
      const again = () => start(path)
      // Whether the running one fails says nothing about the next.
      run.next ??= run.ended.then(again, again)
      return run.next
    },
  }
}
