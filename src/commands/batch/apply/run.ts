import { accountOf } from '../../../calls/build-intent.ts'
import { openPlan } from '../../../batch/file/read-plan.ts'
import type { PlanFile } from '../../../batch/file/read-plan.ts'
import { refuseExpired, refuseForeign } from '../../../batch/apply/gates.ts'
import { batchesFolder, isBegun, readResults } from '../../../batch/apply/journal.ts'
import { OPERATIONS, readyRowsOf } from '../../../batch/apply/ready-row.ts'
import { summarize } from '../../../batch/apply/summary.ts'
import { refuseForbidden } from '../../../cli/amount/limits.ts'
import type { CommandInput } from '../../../cli/command/input.ts'
import { resultOf } from '../../../cli/command/result.ts'
import type { Result } from '../../../cli/command/result.ts'
import type { CommandRun } from '../../../cli/command/spec.ts'
import { applySummaryView } from '../../../views/batch/apply-summary.ts'
import { refuseUnapproved } from './refuse-unapproved.ts'
import { confirmPlan } from './confirm.ts'
import { refuseUnexpected } from './expectations.ts'
import { readApplySettings } from './read-settings.ts'
import type { ApplySettings } from './read-settings.ts'
import { resultOfApply } from './result.ts'
import { sendPlan } from './send.ts'

export async function runApplyCommand(invocation: CommandRun, input: CommandInput): Promise<Result> {
  const settings = readApplySettings(input, invocation.context.cwd)
  const plan = openPlan(settings.planPath, settings.plan)
  try {
    return await applyPlan(invocation, settings, plan)
  } finally {
    plan.close()
  }
}

async function applyPlan(invocation: CommandRun, settings: ApplySettings, plan: PlanFile): Promise<Result> {
  const { header, trailer } = plan
  const folder = batchesFolder(invocation.context.stateFolder)
  await passGates(invocation, settings, plan, isBegun(folder, header.planId))
  const rows = readyRowsOf(header.operation, plan.rows())
  const known = readResults(folder, header.planId)
  let left = 0
  for (const { row } of rows) if (!isOver(known.get(row)?.outcome)) left += 1
  if (invocation.settings.mode === 'dry-run') {
    await invocation.note(
      'Nothing was sent: the payments are compared with the plan only when it is applied.',
    )
    return resultOf(summarize({ planId: header.planId, trailer }, rows, known, 0), applySummaryView)
  }
  if (left > 0) await confirmPlan(invocation, plan, settings, left)
  return resultOfApply(invocation, settings, await sendPlan(invocation, settings, { plan, rows, folder }))
}

/** Everything that can be refused before the payments are read, in this order. */
async function passGates(
  invocation: CommandRun,
  { plan: shown, planPath, expected }: ApplySettings,
  { header, trailer }: PlanFile,
  wasBegun: boolean,
): Promise<void> {
  const account = await invocation.account()
  const { baseUrl, apiKey } = account
  refuseForeign(
    header,
    {
      baseUrl: baseUrl.value,
      // A dry run needs no key.
      account: apiKey === undefined ? undefined : accountOf({ baseUrl: baseUrl.value, apiKey: apiKey.value }),
    },
    shown,
  )
  if (!wasBegun) refuseExpired(header, invocation.context.now(), shown)
  await refuseUnapproved(account, { header, trailer, planFile: planPath })
  refuseUnexpected(trailer, expected)
  await refuseForbidden(invocation, OPERATIONS[header.operation])
}

const isOver = (outcome: string | undefined): boolean => outcome === 'done' || outcome === 'skipped'
