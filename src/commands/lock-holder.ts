import { statSync } from 'node:fs'
import type { Holder } from '../bulk/keep/run-lock.ts'
import type { Invocation } from '../cli/command/invocation.ts'
import { isAtWork } from '../ledger/owner.ts'
import type { Owner } from '../ledger/owner.ts'
import { isRecord } from '../is-record.ts'

/** How long a process that can't be seen from here counts as running after its last sign of life. */
const REMOTE_MS = 10 * 60 * 1000

/** This process as the holder of a lock. `activeFiles`: files that it writes all the time, which show other machines that it is running. */
export async function createHolder({
  context,
}: Invocation): Promise<(activeFiles: readonly string[]) => Holder> {
  const processes = await context.program.processes()
  return (activeFiles) => ({
    owner: JSON.stringify(processes.own()),
    id: context.newId(),
    isAtWork: (text, sinceMs) => {
      const owner = parseOwner(text)
      const lastActiveMs = Math.max(sinceMs, ...activeFiles.map((path) => changedMs(path)))
      return (
        owner !== undefined &&
        isAtWork(owner, { untilMs: lastActiveMs + REMOTE_MS, nowMs: context.now().getTime() }, processes)
      )
    },
  })
}

const changedMs = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** undefined if the text isn't one that `owner` above has made. */
function parseOwner(text: string): Owner | undefined {
  try {
    const owner: unknown = JSON.parse(text)
    if (!isRecord(owner)) return undefined
    const { pid, startedAt, machine, namespace } = owner
    if (typeof pid !== 'number' || typeof machine !== 'string') return undefined
    return {
      pid,
      machine,
      startedAt: typeof startedAt === 'string' ? startedAt : undefined,
      ...(typeof namespace === 'string' ? { namespace } : {}),
    }
  } catch {
    return undefined
  }
}
