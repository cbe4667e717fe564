import { EXIT, PayError } from '../../errors.ts'
import type { FileLedger } from '../../ledger/ledger.ts'
import type { DamagedFile, Found } from '../../ledger/listing.ts'

/** The record of that id; one that cannot be read has nothing that could be shown or cleared up. */
export async function foundRecord(
  ledger: FileLedger,
  id: string,
): Promise<Extract<Found, { kind: 'record' }>> {
  const found = await ledger.find(id)
  if (found.kind === 'damaged') throw unreadable(found)
  return found
}

export function unreadable(...files: readonly [DamagedFile, ...DamagedFile[]]): PayError {
  const which = files.length === 1 ? 'The record is damaged' : `${files.length} records are damaged`
  const paths = files.map(({ path }) => path).join(', ')
  return new PayError('ledger_damaged', EXIT.conflict, `${which}: ${paths}`, {
    outcome: 'unknown',
    retryable: false,
    hint: 'Its content does not match its checksum, or has none. That write may have been done: look at the service. Then pay ops abandon sets the file aside.',
    next: files.map(({ name }) => `pay ops abandon ${name}`),
  })
}
