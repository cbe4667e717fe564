import type { Client, Resolution, ResolveOptions } from '../http/call.ts'
import type { FileLedger, Reopened } from '../ledger/ledger.ts'
import type { StoredRecord } from '../ledger/record.ts'

export interface Resolved {
  /** As it was before. */
  readonly record: StoredRecord
  readonly resolution: Resolution
}

/**
 * Clears up one open intent: takes it in hand, finds out, records what was found. Recorded before it is told.
 * @throws {PayError} exit 5 when there is none open with that id, 6 when a process is at work on it
 */
export async function resolveOpen(
  ledger: FileLedger,
  id: string,
  clientFor: (record: StoredRecord) => Promise<Client>,
  options: ResolveOptions,
): Promise<Resolved> {
  const open = await ledger.reopen(id)
  const resolution = await findOut(open, clientFor, options).catch(async (error: unknown) => {
    await open.letGo()
    throw error
  })
  const { kind, words: note } = resolution
  if (kind === 'in-doubt') await open.settle({ state: kind, exitCode: undefined, note })
  else {
    const resource = kind === 'confirmed' ? resolution.resource : undefined
    await open.settle({ state: kind, exitCode: resolution.exitCode, resource, note })
  }
  return { record: open.record, resolution }
}

async function findOut(
  { record, kept, stoppedBy }: Reopened,
  clientFor: (record: StoredRecord) => Promise<Client>,
  options: ResolveOptions,
): Promise<Resolution> {
  if (stoppedBy === undefined) return (await clientFor(record)).resolve(kept, options)
  return { kind: 'rejected', exitCode: stoppedBy.exitCode, words: `It was never sent. ${stoppedBy.message}.` }
}
