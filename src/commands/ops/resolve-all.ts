import { earlierSandboxTest } from '../../cli/command/sandbox-identity.ts'
import { isRecordOfProfile } from '../../cli/account/account-of-record.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { resultOf } from '../../cli/command/result.ts'
import type { Result } from '../../cli/command/result.ts'
import { warnAboutDamage } from '../../cli/report/ledger-damage.ts'
import { EXIT, PayError } from '../../errors.ts'
import { OPEN_STATES } from '../../client/ledger/record.ts'
import type { StoredRecord } from '../../client/ledger/record.ts'
import { resolutionsView } from '../../views/ops/resolution.ts'
import { createResolver, shownResolution } from './resolve-record.ts'
import type { ResolvedRecord } from './resolve-record.ts'
import { openLedger } from './record-arguments.ts'
import { planResolutions } from './resolution-plan.ts'
import { unresolvedSummaryError } from './unresolved.ts'
import { pluralize, withFullStop } from '../../text/words.ts'

/** Resolves all open records, oldest first, one at a time, so that each outcome is recorded before the next is sent. */
export async function resolveAll(invocation: Invocation, profile: string | undefined): Promise<Result> {
  const { context, settings } = invocation
  const ledger = await openLedger(invocation)
  const isDryRun = settings.mode === 'dry-run'
  const listing = await ledger.list({ states: OPEN_STATES, checksEnded: true })
  await warnAboutDamage(invocation, listing)
  const isEarlier = await earlierSandboxTest(context)
  const current = listing.records.filter((record) => !isEarlier(record))
  const records = current
    .filter(
      (record) =>
        profile === undefined || ledger.team !== undefined || isRecordOfProfile(context, record, profile),
    )
    .toReversed()
  const skippedCount = current.length - records.length
  if (skippedCount > 0)
    await invocation.warn(`Left alone: ${pluralize(skippedCount, 'open write')} of other profiles.`)
  if (isDryRun)
    return resultOf(await planResolutions(invocation, records), resolutionsView('Nothing is in doubt.'))
  const resolveRecord = createResolver(invocation, ledger)
  const results: ResolvedRecord[] = []
  for (const record of records) {
    results.push(
      context.interruption.stop.aborted
        ? { record, explanation: 'Interrupted before it was checked.', problem: undefined }
        : await resolveOrReport(record, resolveRecord),
    )
  }
  const problem = unresolvedSummaryError(results, listing.damage.records)
  return {
    ...resultOf(
      results.map(shownResolution),
      resolutionsView(describeNoResults(listing.damage.records)),
      problem?.exitCode ?? EXIT.done,
    ),
    ...(problem === undefined ? {} : { problem }),
  }
}

const describeNoResults = (damaged: readonly unknown[]): string =>
  damaged.length > 0 ? 'No readable record is in doubt.' : 'Nothing is in doubt.'

/** Reports an error as the record's result, so that the other records are still resolved. */
async function resolveOrReport(
  record: StoredRecord,
  resolveRecord: (id: string) => Promise<ResolvedRecord>,
): Promise<ResolvedRecord> {
  try {
    return await resolveRecord(record.id)
  } catch (error) {
    if (!(error instanceof PayError)) throw error
    return { record, explanation: withFullStop(error.message), problem: error }
  }
}
