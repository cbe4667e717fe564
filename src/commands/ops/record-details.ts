import { shownUrl } from '../../client/config/sandbox-url.ts'
import type { FoundEntry } from '../../client/ledger/listing.ts'
import { published } from '../../client/ledger/record.ts'
import type { StoredRecord } from '../../client/ledger/record.ts'
import type { ShownStoredRequest, ShownRecord } from '../../views/ops/record.ts'
import { nextCommands } from './next-commands.ts'

/** Everything that may be shown of a record: leaves out the hashes that identify its account and request. */
export async function recordDetails({
  record,
  owner,
}: Pick<Extract<FoundEntry, { kind: 'record' }>, 'record' | 'owner'>): Promise<ShownRecord> {
  return {
    ...published(record),
    baseUrl: shownUrl(record.baseUrl),
    mode: record.mode,
    apiVersion: record.apiVersion,
    resource: record.resource,
    note: record.note,
    request: await storedRequest(record),
    atWork: owner === undefined ? null : { pid: owner.pid, host: owner.machine },
    next: nextCommands(record, { isResolved: false }),
  }
}

/** Loads the table of operations only if the record has a request. */
async function storedRequest({ operation, request }: StoredRecord): Promise<ShownStoredRequest | null> {
  if (request === undefined) return null
  const { OPERATIONS } = await import('../../api/table.ts')
  const row = OPERATIONS.find(({ id }) => id === operation)
  if (row === undefined) return null
  const path = row.path.replaceAll(/\{(\w+)\}/g, (all, name: string) =>
    encodeURIComponent(request.params[name] ?? all),
  )
  return { method: row.method, path, body: request.body ?? null }
}
