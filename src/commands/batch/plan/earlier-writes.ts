import type { EarlierWrites } from '../../../rows/batch/plan/earlier-writes.ts'
import type { BatchOperation } from '../../../rows/batch/plan.ts'
import { OPERATIONS } from '../../../rows/batch/apply/ready-row.ts'
import { ticketKey } from '../../../client/calls/build-intent.ts'
import { targetOf } from '../../../cli/command/request-target.ts'
import type { Invocation } from '../../../cli/command/invocation.ts'
import { warnAboutDamage } from '../../../cli/report/ledger-damage.ts'
import { EXIT } from '../../../errors.ts'
import { OPEN_STATES } from '../../../client/ledger/record.ts'
import type { StoredRecord } from '../../../client/ledger/record.ts'
import { KEY_LIFETIME_MS } from '../../../client/ledger/port.ts'
import { formatMoney } from '../../../money/format.ts'

interface Write {
  readonly amount: number | null
  readonly currencyCode: string | null
  readonly createdAt: string
}

/** Reads this machine's ledger once and keeps the records of the operation. */
export async function readEarlierWrites(
  invocation: Invocation,
  operation: BatchOperation,
): Promise<EarlierWrites> {
  const used = await invocation.account()
  const account = targetOf(used, invocation.context)
  const now = invocation.context.now()
  const ledger = await invocation.context.ledger(used)
  const isHere = (record: StoredRecord) =>
    record.targetKind === 'payment' && record.baseUrl === account.baseUrl
  const listing = await ledger.list({ states: OPEN_STATES })
  await warnAboutDamage(invocation, listing)
  const open = new Map(listing.records.filter(isHere).map((record) => [record.target, openWords(record)]))
  const { id } = OPERATIONS[operation]
  const done = new Map<string, Write[]>()
  const usedKeys = new Map<string, string>()
  const { records } = await ledger.list({ operations: [id], holding: id })
  for (const record of records.filter(isHere)) {
    const { idempotencyKey: key, target } = record
    const use = useOf(record, now)
    if (key !== null && use !== undefined) usedKeys.set(key, use)
    if (record.state !== 'confirmed' || record.exitCode === EXIT.declined || target === null) continue
    const { amount, currencyCode, createdAt } = record
    const writes = done.get(target)
    if (writes === undefined) done.set(target, [{ amount, currencyCode, createdAt }])
    else writes.push({ amount, currencyCode, createdAt })
  }
  const callOf = (paymentId: string) => ({ operation: OPERATIONS[operation], params: { id: paymentId } })
  return {
    openOn: (paymentId) => open.get(paymentId),
    useOfTicket: (paymentId, ticket) => {
      const use = usedKeys.get(ticketKey(account, callOf(paymentId), ticket))
      return use === undefined
        ? undefined
        : `the ticket ${ticket} ${use}: remove the row, or give it another ticket`
    },
    equalTo: (paymentId, amount, currencyCode) => {
      const write = done
        .get(paymentId)
        ?.find(
          (one) => one.amount === (amount ?? null) && (one.currencyCode ?? currencyCode) === currencyCode,
        )
      if (write === undefined) return undefined
      const of = amount === undefined ? '' : ` of ${formatMoney(amount, currencyCode)}`
      return `this machine sent an equal ${operation}${of} on ${dayOf(write)}`
    },
  }
}

const dayOf = ({ createdAt }: Pick<Write, 'createdAt'>): string => createdAt.slice(0, 10)

function openWords({ id, operation, state, createdAt }: StoredRecord): string {
  const verb = operation.replace(/^payment\./, '')
  const what = `a write on this payment (${verb}, ${createdAt.slice(0, 16).replace('T', ' ')} UTC)`
  return state === 'sending'
    ? `${what} is in progress: wait for it, then plan the row again`
    : `${what} is in doubt: run pay ops resolve ${id.slice(0, 8)}, then plan the row again`
}

/** Describes the earlier write with this key, if the key can't be used again. */
function useOf(record: StoredRecord, now: Date): string | undefined {
  if (record.state === 'confirmed') return `was used on ${dayOf(record)}`
  const isOld = now.getTime() - Date.parse(record.createdAt) > KEY_LIFETIME_MS
  return record.state === 'abandoned' && isOld
    ? `was used for a write that was abandoned on ${dayOf(record)}`
    : undefined
}
