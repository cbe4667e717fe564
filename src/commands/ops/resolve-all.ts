import type { Invocation } from '../../cli/invocation.ts'
import { resultOf } from '../../cli/result.ts'
import type { Result } from '../../cli/result.ts'
import { tellDamage } from '../../cli/tell-damage.ts'
import { EXIT, PayError } from '../../errors.ts'
import type { FileLedger } from '../../ledger/ledger.ts'
import type { StoredRecord } from '../../ledger/record.ts'
import { resolutionsView } from '../../views/operation-resolution.ts'
import { operationText } from '../../views/operation-state.ts'
import { createClearing, shownResolution, withoutDoubt } from './clear-up.ts'
import type { ClearedUp } from './clear-up.ts'
import { plansFor } from './plan.ts'
import { someInDoubt } from './still-in-doubt.ts'

/** Everything that is open, the oldest first: one after the other, so that each is recorded before the next. */
export async function resolveAll(invocation: Invocation, profile: string | undefined): Promise<Result> {
  const { context, settings } = invocation
  const ledger = await context.ledger()
  const isLook = settings.mode === 'dry-run'
  const listing = await ledger.list({ onlyOpen: true, profile, isLook })
  await tellDamage(invocation, listing)
  const records = listing.records.toReversed()
  if (isLook) return resultOf(await plansFor(invocation, records), resolutionsView('Nothing is in doubt.'))
  const clearUp = createClearing(invocation, ledger)
  const cleared: ClearedUp[] = []
  for (const record of records) {
    const one = context.interruption.stop.aborted
      ? { record, words: 'Interrupted: not looked at.', problem: undefined }
      : await clearedOrTold(invocation, ledger, record, clearUp)
    if (one !== undefined) cleared.push(one)
  }
  const problem = someInDoubt(cleared, listing.damaged.files.length)
  return {
    ...resultOf(
      cleared.map(shownResolution),
      resolutionsView(records.length === 0 ? 'Nothing is in doubt.' : 'Nothing else is in doubt.'),
      problem?.exitCode ?? EXIT.done,
    ),
    ...(problem === undefined ? {} : { problem }),
  }
}

/** One that cannot be cleared up does not keep the others from it. undefined for one that is left alone. */
async function clearedOrTold(
  invocation: Invocation,
  ledger: FileLedger,
  record: StoredRecord,
  clearUp: (id: string) => Promise<ClearedUp>,
): Promise<ClearedUp | undefined> {
  try {
    return await clearUp(record.id)
  } catch (error) {
    if (!(error instanceof PayError)) throw error
    if (error.code === 'in_progress') {
      await invocation.warn(`Left alone, a process is at work on it: ${operationText(record)} (${record.id})`)
      return undefined
    }
    // Another process was faster.
    if (error.code === 'no_such_operation') {
      const found = await ledger.find(record.id)
      return found.kind === 'record' ? withoutDoubt(found.record) : undefined
    }
    return { record, words: `${error.message}.`.replace(/\.\.$/, '.'), problem: error }
  }
}
