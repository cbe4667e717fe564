import { isOfProfile } from '../../cli/account/account-of-record.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { resultOf } from '../../cli/command/result.ts'
import type { Result } from '../../cli/command/result.ts'
import { warnAboutDamage } from '../../cli/report/ledger-damage.ts'
import { EXIT, PayError } from '../../errors.ts'
import type { StoredRecord } from '../../ledger/files/record.ts'
import { resolutionsView } from '../../views/ops/resolution.ts'
import { describeOperation } from '../../views/ops/state.ts'
import { createClearing, shownResolution } from './clear-up.ts'
import type { ClearedUp } from './clear-up.ts'
import { plansFor } from './plan.ts'
import { someInDoubt } from './still-in-doubt.ts'

/** Everything that is open, the oldest first: one after the other, so that each is recorded before the next. */
export async function resolveAll(invocation: Invocation, profile: string | undefined): Promise<Result> {
  const { context, settings } = invocation
  const ledger = await context.ledger()
  const isLook = settings.mode === 'dry-run'
  const listing = await ledger.list({ onlyOpen: true, isLook })
  await warnAboutDamage(invocation, listing)
  const records = listing.records
    .filter((record) => profile === undefined || isOfProfile(context, record, profile))
    .toReversed()
  const others = listing.records.length - records.length
  if (others > 0)
    await invocation.warn(
      `Of other profiles, and left alone: ${others === 1 ? '1 that is' : `${others} that are`} open.`,
    )
  if (isLook) return resultOf(await plansFor(invocation, records), resolutionsView('Nothing is in doubt.'))
  const clearUp = createClearing(invocation, ledger)
  const cleared: ClearedUp[] = []
  for (const record of records) {
    const one = context.interruption.stop.aborted
      ? { record, words: 'Interrupted: not looked at.', problem: undefined }
      : await clearedOrTold(invocation, record, clearUp)
    if (one !== undefined) cleared.push(one)
  }
  const problem = someInDoubt(cleared, listing.damaged.files)
  return {
    ...resultOf(
      cleared.map(shownResolution),
      resolutionsView(emptyWords(records, listing.damaged.files)),
      problem?.exitCode ?? EXIT.done,
    ),
    ...(problem === undefined ? {} : { problem }),
  }
}

function emptyWords(records: readonly StoredRecord[], damaged: readonly unknown[]): string {
  if (records.length > 0) return 'Nothing else is in doubt.'
  return damaged.length > 0 ? 'Nothing is in doubt that can be read.' : 'Nothing is in doubt.'
}

/** One that cannot be cleared up does not keep the others from it. undefined for one that is left alone. */
async function clearedOrTold(
  invocation: Invocation,
  record: StoredRecord,
  clearUp: (id: string) => Promise<ClearedUp>,
): Promise<ClearedUp | undefined> {
  try {
    return await clearUp(record.id)
  } catch (error) {
    if (!(error instanceof PayError)) throw error
    if (error.code === 'in_progress') {
      await invocation.warn(
        `Left alone, a process is at work on it: ${describeOperation(record)} (${record.id})`,
      )
      return undefined
    }
    return { record, words: sentence(error.message), problem: error }
  }
}

const sentence = (words: string): string => (words.endsWith('.') ? words : `${words}.`)
