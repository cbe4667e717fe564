import { shownUrl } from '../../client/config/sandbox-url.ts'
import type { FoundEntry } from '../../client/ledger/listing.ts'
import { published, paymentOf } from '../../client/ledger/record.ts'
import type { StoredRecord } from '../../client/ledger/record.ts'
import type { ShownStoredRequest, ShownRecord } from '../../views/ops/record.ts'
import { SANDBOX } from '../../client/config/profile.ts'
import { flagWord, lastWords, shellWord } from '../../files/shell.ts'

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

/** Commands to run next, the most useful first. After `resolve` has failed, they start with inspecting the target. */
export function nextCommands(
  record: StoredRecord,
  { isResolved }: { readonly isResolved: boolean },
): readonly string[] {
  const { id, state } = record
  const inspect = inspectCommands(record)
  switch (state) {
    case 'sending':
      return []
    case 'in-doubt':
      return [
        ...(isResolved ? [] : [`pay ops resolve ${shellWord(id)}`]),
        ...inspect,
        `pay ops abandon ${shellWord(id)}`,
      ]
    case 'confirmed':
    case 'rejected':
    case 'abandoned':
      return inspect
  }
}

/** Commands that show what the write acted on. */
export function inspectCommands(record: StoredRecord): readonly string[] {
  const { target, targetKind, profile } = record
  const selector =
    profile === null ? '' : profile === SANDBOX ? ' --sandbox' : ` ${flagWord('profile', profile)}`
  const paymentId = paymentOf(record)
  if (paymentId !== null) return [`pay${selector} payment get ${lastWords(paymentId)}`]
  return targetKind === 'order' && target !== null
    ? [`pay${selector} payment list ${flagWord('order-id', target)}`]
    : []
}
