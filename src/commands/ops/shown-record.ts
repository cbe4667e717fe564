import type { Found } from '../../ledger/listing.ts'
import { published } from '../../ledger/files/record.ts'
import type { StoredRecord } from '../../ledger/files/record.ts'
import type { ShownStoredRequest, ShownRecord } from '../../views/ops/record.ts'
import { nextFor } from './next.ts'

/** All that may be shown of a record: not what only tells accounts and equal writes apart. */
export async function shownRecord({
  record,
  owner,
}: Pick<Extract<Found, { kind: 'record' }>, 'record' | 'owner'>): Promise<ShownRecord> {
  return {
    ...published(record),
    baseUrl: record.baseUrl,
    mode: record.mode,
    apiVersion: record.apiVersion,
    resource: record.resource,
    note: record.note,
    request: await keptRequest(record),
    atWork: owner === undefined ? null : { pid: owner.pid, host: owner.machine },
    next: nextFor(record, { isResolved: false }),
  }
}

/** The table is loaded only where there is a request to be shown by it. */
async function keptRequest({ operation, request }: StoredRecord): Promise<ShownStoredRequest | null> {
  if (request === undefined) return null
  const { OPERATIONS } = await import('../../api/table.ts')
  const row = OPERATIONS.find(({ id }) => id === operation)
  if (row === undefined) return null
  const path = row.path.replaceAll(/\{(\w+)\}/g, (all, name: string) =>
    encodeURIComponent(request.params[name] ?? all),
  )
  return { method: row.method, path, body: request.body ?? null }
}
