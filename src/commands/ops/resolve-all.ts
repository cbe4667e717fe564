import { isRecordOfProfile } from '../../cli/account/account-of-record.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { resultOf } from '../../cli/command/result.ts'
import type { Result } from '../../cli/command/result.ts'
import { warnAboutDamage } from '../../cli/report/ledger-damage.ts'
import { EXIT, PayError } from '../../errors.ts'
import { OPEN_STATES } from '../../ledger/record.ts'
import type { StoredRecord } from '../../ledger/record.ts'
import { resolutionsView } from '../../views/ops/resolution.ts'
import { describeOperation } from '../../views/ops/state.ts'
import { createResolver, shownResolution } from './resolve-record.ts'
import type { ResolvedRecord } from './resolve-record.ts'
import { openLedger } from './record-arguments.ts'
import { planResolutions } from './resolution-plan.ts'
import { unresolvedSummaryError } from './unresolved.ts'

/** Resolves all open records, oldest first, one at a time, so that each outcome is recorded before the next is sent. */
export async function resolveAll(invocation: Invocation, profile: string | undefined): Promise<Result> {
  const { context, settings } = invocation
  const ledger = await openLedger(invocation)
  const isDryRun = settings.mode === 'dry-run'
  const listing = await ledger.list({ states: OPEN_STATES })
  await warnAboutDamage(invocation, listing)
  const records = listing.records
    .filter(
      (record) =>
        profile === undefined || ledger.team !== undefined || isRecordOfProfile(context, record, profile),
    )
    .toReversed()
  const skippedCount = listing.records.length - records.length
  if (skippedCount > 0)
    await invocation.warn(
      `Left alone: ${skippedCount === 1 ? '1 open write' : `${skippedCount} open writes`} of other profiles.`,
    )
  if (isDryRun)
    return resultOf(await planResolutions(invocation, records), resolutionsView('Nothing is in doubt.'))
  const resolveRecord = createResolver(invocation, ledger)
  const results: ResolvedRecord[] = []
  for (const record of records) {
    const result = context.interruption.stop.aborted
      ? { record, explanation: 'Interrupted before it was checked.', problem: undefined }
      : await resolveOrReport(invocation, record, { resolveRecord, isTeam: ledger.team !== undefined })
    if (result !== undefined) results.push(result)
  }
  const problem = unresolvedSummaryError(results, listing.damage.records)
  return {
    ...resultOf(
      results.map(shownResolution),
      resolutionsView(describeNoResults(records, listing.damage.records)),
      problem?.exitCode ?? EXIT.done,
    ),
    ...(problem === undefined ? {} : { problem }),
  }
}

function describeNoResults(records: readonly StoredRecord[], damaged: readonly unknown[]): string {
  if (records.length > 0) return 'Nothing else is in doubt.'
  return damaged.length > 0 ? 'No readable record is in doubt.' : 'Nothing is in doubt.'
}

/** Reports an error as the record's result, so that the other records are still resolved. Undefined for a record left alone. */
async function resolveOrReport(
  invocation: Invocation,
  record: StoredRecord,
  {
    resolveRecord,
    isTeam,
  }: { readonly resolveRecord: (id: string) => Promise<ResolvedRecord>; readonly isTeam: boolean },
): Promise<ResolvedRecord | undefined> {
  try {
    return await resolveRecord(record.id)
  } catch (error) {
    if (!(error instanceof PayError)) throw error
    // In a team's ledger a lease may outlive its process, so the write may well need another resolve.
    if (error.code === 'in_progress' && !isTeam) {
      await invocation.warn(
        `Left alone, since a process is still sending it: ${describeOperation(record)} (${record.id})`,
      )
      return undefined
    }
    return { record, explanation: withFullStop(error.message), problem: error }
  }
}

const withFullStop = (words: string): string => (words.endsWith('.') ? words : `${words}.`)
