import { statSync } from 'node:fs'
import type { Holder } from '../bulk/keep/run-lock.ts'
import type { Invocation } from '../cli/command/invocation.ts'
import { isAtWork } from '../ledger/files/owner.ts'
import { parseOwner } from '../ledger/files/record-text.ts'

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
      return owner !== undefined && isAtWork(owner, lastActiveMs, context.now().getTime(), processes)
    },
  })
}

const changedMs = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
