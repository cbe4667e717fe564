import { UsageError } from '../../src/errors.ts'
import type { Disk } from '../../src/ledger/disk/disk.ts'

/** Runs `trip` before each call of a disk; calls are counted from 1. */
export function tripping(
  disk: Disk,
  trip: (call: number, name: keyof Disk, work: () => Promise<unknown>) => void,
): Disk {
  let calls = 0
  const through =
    <Parts extends readonly unknown[], Result>(
      name: keyof Disk,
      work: (...parts: Parts) => Promise<Result>,
    ) =>
    async (...parts: Parts): Promise<Result> => {
      calls += 1
      let result: Promise<Result> | undefined
      trip(calls, name, () => (result ??= work(...parts)))
      return (result ??= work(...parts))
    }
  return {
    makeFolder: through('makeFolder', disk.makeFolder),
    names: through('names', disk.names),
    read: through('read', disk.read),
    readBackwards: async function* (path) {
      yield* await through('readBackwards', async () => disk.readBackwards(path))()
    },
    size: through('size', disk.size),
    modifiedAt: through('modifiedAt', disk.modifiedAt),
    write: through('write', disk.write),
    append: through('append', disk.append),
    sync: through('sync', disk.sync),
    link: through('link', disk.link),
    rename: through('rename', disk.rename),
    remove: through('remove', disk.remove),
  }
}

export const FULL = new UsageError('The ledger cannot be used: full (ENOSPC)', { code: 'ledger_unusable' })
