import { ownerOf } from '../../../cli/command/request-target.ts'
import type { PlanFile } from '../../../rows/batch/file/read-plan.ts'
import { refuseExpired, refuseForeign } from '../../../rows/batch/apply/gates.ts'
import { batchesFolder, isBegun, NO_COUNTS, readProgress } from '../../../rows/batch/apply/run-rows.ts'
import { OPERATIONS } from '../../../rows/batch/apply/ready-row.ts'
import { summarize } from '../../../rows/batch/apply/summary.ts'
import { rejectsOf } from '../../../rows/batch/apply/input-rows.ts'
import { outputFilesOf } from '../../../rows/batch/apply/write-files.ts'
import { refuseOtherContent, refuseOwnFolders } from '../../../rows/keep/output-files.ts'
import { refuseForbidden } from '../../../cli/request/amount.ts'
import type { CommandInput } from '../../../cli/command/input.ts'
import { resultOf } from '../../../cli/command/result.ts'
import type { Result } from '../../../cli/command/result.ts'
import type { CommandRun } from '../../../cli/command/spec.ts'
import { applySummaryView } from '../../../views/batch/apply-summary.ts'
import { checkTrust } from '../../check-signers.ts'
import { withPlan } from '../plan-argument.ts'
import { confirmPlan } from './confirm.ts'
import { readApplySettings, refuseInput } from './read-settings.ts'
import type { ApplySettings, Expected } from './read-settings.ts'
import { resultOfApply } from './result.ts'
import { sendPlan } from './send.ts'
import type { CurrencyTotal, PlanTrailer } from '../../../rows/batch/plan.ts'
import { UsageError, LimitError } from '../../../errors.ts'
import { formatMoney } from '../../../money/format.ts'
import { checkApprovals } from '../../../rows/batch/approve/check-approvals.ts'
import type { SignedPlanFile } from '../../../rows/batch/approve/check-approvals.ts'
import type { Account } from '../../../client/config/resolve-account.ts'
import { pluralize } from '../../../text/words.ts'

export const runApplyCommand = (invocation: CommandRun, input: CommandInput): Promise<Result> =>
  withPlan(invocation, input, (plan, shown) =>
    applyPlan(invocation, readApplySettings(input, invocation.context.cwd, shown), plan),
  )

async function applyPlan(invocation: CommandRun, settings: ApplySettings, plan: PlanFile): Promise<Result> {
  const { header, trailer } = plan
  const { cwd, stateFolder } = invocation.context
  const { results, rejects } = settings
  refuseInput(settings, header.input)
  refuseOwnFolders({ '--results': results, '--rejects': rejects }, invocation.context)
  refuseOtherContent(outputFilesOf(settings, await rejectsOf(header.source)), cwd)
  const folder = batchesFolder(stateFolder)
  await passGates(invocation, settings, plan, isBegun(folder, header.planId))
  const { planId, operation, createdAt } = header
  const wanted = { planId, operation, createdAt, plan: settings.planPath, ready: trailer.ready }
  const known = settings.isRestarted ? undefined : readProgress(folder, planId, wanted)
  const begun = summarize({ planId, trailer }, known ?? NO_COUNTS, 0)
  if (invocation.settings.mode === 'dry-run') {
    await invocation.note(
      'Nothing was sent: the payments are compared with the plan only when it is applied.',
    )
    return resultOf(begun, applySummaryView)
  }
  if (begun.done + begun.skipped < trailer.ready) await confirmPlan(invocation, plan, settings, begun)
  return resultOfApply(
    invocation,
    settings,
    await sendPlan(invocation, settings, { plan, begun: wanted, folder }),
  )
}

/** Everything that can be refused before the payments are read, in this order. */
async function passGates(
  invocation: CommandRun,
  { plan: shown, planPath, expected }: ApplySettings,
  { header, trailer }: PlanFile,
  wasBegun: boolean,
): Promise<void> {
  const account = await invocation.account()
  refuseForeign(
    header,
    {
      baseUrl: account.baseUrl.value,
      // A dry run needs no key.
      account: ownerOf(account),
    },
    shown,
  )
  if (!wasBegun) refuseExpired(header, invocation.context.now(), shown)
  await refuseUnapproved(invocation, account, { header, trailer, planFile: planPath })
  refuseUnexpected(trailer, expected)
  await refuseForbidden(invocation, OPERATIONS[header.operation])
}

/**
 * Refuses a plan whose ready rows are not what a script expects, whether they are done or not.
 * @throws {UsageError} `expectation_failed`, with both figures
 */
function refuseUnexpected(
  { ready, totals }: Pick<PlanTrailer, 'ready' | 'totals'>,
  expected: Expected,
): void {
  const problems = [
    ...(expected.totals === undefined ? [] : totalProblems(totals, expected.totals)),
    ...(expected.count === undefined || expected.count === ready
      ? []
      : [`it has ${pluralize(ready, 'ready row')}, and --expect-count is ${expected.count}`]),
  ]
  if (problems.length === 0) return
  throw new UsageError(`The plan is not the one you expect: ${problems.join('; ')}`, {
    code: 'expectation_failed',
    outcome: 'none',
    hint: 'Check that this is the plan you mean. Both expectations cover all ready rows, done or not.',
  })
}

function totalProblems(
  totals: readonly CurrencyTotal[],
  expected: ReadonlyMap<string, number>,
): readonly string[] {
  const planned = new Map(totals.map(({ currencyCode, amount }) => [currencyCode, amount]))
  const currencies = [...new Set([...planned.keys(), ...expected.keys()])].toSorted()
  return currencies.flatMap((currencyCode) => {
    const [found, wanted] = [planned.get(currencyCode) ?? 0, expected.get(currencyCode)]
    if (found === wanted) return []
    const total = `its total is ${formatMoney(found, currencyCode)}`
    return [
      wanted === undefined
        ? `${total}, and --expect-total names no amount in ${currencyCode}`
        : `${total}, and --expect-total is ${formatMoney(wanted, currencyCode)}`,
    ]
  })
}

/**
 * Checks the approvals that the profile requires, if it requires any.
 * @throws {LimitError} if approvals are missing, foreign or too few
 */
async function refuseUnapproved(
  invocation: CommandRun,
  { limits, profile }: Account,
  plan: SignedPlanFile,
): Promise<void> {
  const { approvals, signers: signersFile } = limits
  if (approvals === undefined) return
  const name = profile?.value ?? ''
  if (signersFile === undefined)
    throw new LimitError(`Profile "${name}" requires approvals, but names no file of signers`, {
      hint: `Name it: pay profile set ${name} --signers FILE`,
    })
  await checkTrust(invocation, signersFile)
  await checkApprovals(plan, { approvals, signersFile })
}
