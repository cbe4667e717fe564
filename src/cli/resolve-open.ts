import { PayError } from '../errors.ts'
import type { Client, Resolution, ResolveOptions } from '../calls/client-port.ts'
import type { FileLedger } from '../ledger/ledger.ts'
import type { Reopened } from '../ledger/reopen.ts'
import type { StoredRecord } from '../ledger/files/record.ts'

export type { SendFacts } from '../calls/client-port.ts'

export interface Resolved {
  /** As it is now. */
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
  options: Pick<ResolveOptions, 'maySend'>,
): Promise<Resolved> {
  const open = await ledger.reopen(id)
  return recorded(open, await found(open, clientFor, options))
}

async function found(
  open: Reopened,
  clientFor: (record: StoredRecord) => Promise<Client>,
  options: Pick<ResolveOptions, 'maySend'>,
): Promise<Resolution> {
  const { stoppedBy } = open
  // Sent now, it would do what was refused when it was typed, or would have been.
  if (stoppedBy !== undefined)
    return {
      kind: 'rejected',
      exitCode: stoppedBy.exitCode,
      words: `It was never sent. ${stoppedBy.message}.`,
    }
  try {
    if (open.damage !== undefined) throw open.damage
    const client = await clientFor(open.record)
    const { OPERATIONS } = await import('../api/table.ts')
    const operation = OPERATIONS.find(({ id }) => id === open.record.operation)
    return await client.resolve(open.intent, { ...options, operation })
  } catch (error) {
    await open.release()
    throw error
  }
}

async function recorded(open: Reopened, resolution: Resolution): Promise<Resolved> {
  const { kind, words: note } = resolution
  try {
    const record =
      kind === 'in-doubt'
        ? await open.settle({
            state: kind,
            exitCode: undefined,
            note,
            underWayAt: resolution.underWayAt,
          })
        : await open.settle({
            state: kind,
            exitCode: resolution.exitCode,
            resource: kind === 'confirmed' ? resolution.resource : undefined,
            note,
          })
    return { record, resolution }
  } catch (error) {
    if (!(error instanceof PayError)) throw error
    // What is not written down is not known to anybody but this process: the next one has to find out again.
    const words = `${note} But that could not be recorded, so it stays open: ${error.message}.`
    return {
      record: { ...open.record, state: 'in-doubt' },
      resolution: { kind: 'in-doubt', isAmbiguous: false, words },
    }
  }
}
