import { PayError } from '../errors.ts'
import { findUnrecorded, unrecordedWords } from '../client/calls/unrecorded.ts'
import type { Client, Resolution, ResolveOptions } from '../client/calls/client-port.ts'
import type { WholeLedger } from '../client/ledger/ledger.ts'
import type { Reopened } from '../client/ledger/reopen.ts'
import type { StoredRecord } from '../client/ledger/record.ts'

export type { SendFacts } from '../client/calls/client-port.ts'

interface ResolvedWrite {
  /** The record after the resolution. */
  readonly record: StoredRecord
  readonly resolution: Resolution
}

/**
 * Resolves one open intent: takes it over, finds out its outcome and records that before returning.
 * @throws {PayError} exit 5 if no intent with this ID is open, 6 if another process is working on it
 */
export async function resolveOpen(
  ledger: WholeLedger,
  id: string,
  clientFor: (record: StoredRecord) => Promise<Client>,
  { timeoutMs, ...options }: Omit<ResolveOptions, 'operation'> & { readonly timeoutMs: number },
): Promise<ResolvedWrite> {
  const open = await ledger.reopen(id, { timeoutMs })
  return recordResolution(open, await findOutcome(open, clientFor, options))
}

async function findOutcome(
  open: Reopened,
  clientFor: (record: StoredRecord) => Promise<Client>,
  options: Omit<ResolveOptions, 'operation'>,
): Promise<Resolution> {
  try {
    if (open.damage !== undefined) throw open.damage
    const client = await clientFor(open.record)
    const { OPERATIONS } = await import('../api/table.ts')
    const operation = OPERATIONS.find(({ id }) => id === open.record.operation)
    return await client.resolve(open, { ...options, operation })
  } catch (error) {
    // This process ends, so another one can take it over even if the ledger fails now.
    await open.release().catch(() => undefined)
    throw error
  }
}

async function recordResolution(open: Reopened, resolution: Resolution): Promise<ResolvedWrite> {
  const { kind, words: note } = resolution
  try {
    const record = await open.settle(
      kind === 'in-doubt'
        ? { state: kind, exitCode: undefined, note }
        : {
            state: kind,
            exitCode: resolution.exitCode,
            resource: kind === 'confirmed' ? resolution.resource : undefined,
            effectAt: kind === 'confirmed' ? resolution.effectAt : undefined,
            ...(kind === 'confirmed'
              ? { currencyCode: resolution.currencyCode, orderId: resolution.orderId }
              : {}),
            endedBy: resolution.endedBy,
            note,
          },
    )
    return { record, resolution }
  } catch (error) {
    if (!(error instanceof PayError)) throw error
    const facts = await findUnrecorded(open, error)
    const words = `${note} ${unrecordedWords(facts)}`
    // Without a record in the ledger, nothing is left open.
    if (facts.standing === 'gone')
      return { record: { ...open.record, state: kind }, resolution: { ...resolution, words } }
    // Only this process knows the outcome; the next one has to find out again.
    return {
      record: { ...open.record, state: 'in-doubt' },
      resolution: { kind: 'in-doubt', isAmbiguous: false, words },
    }
  }
}
