import type { PlanHeader, PlanTrailer } from '../../../batch/plan.ts'
import { checkLimits } from '../../../config/limits.ts'
import type { Account } from '../../../config/resolve-account.ts'
import { LimitError } from '../../../errors.ts'
import { formatMoney } from '../../../money/format.ts'
import { shellWord } from '../../../shell-word.ts'
import { OPERATIONS } from './earlier-writes.ts'

export interface PlannedFacts extends Pick<PlanHeader, 'operation'>, Pick<PlanTrailer, 'ready' | 'totals'> {
  readonly isSigned: boolean
  /** As typed. */
  readonly plan: string
}

/** Describes what must be done before the plan can be applied. */
export function obstaclesTo(
  { operation, ready, totals, isSigned, plan }: PlannedFacts,
  account: Account,
): readonly string[] {
  if (ready === 0) return ['no row is ready']
  const { limits, mode } = account
  return [
    ...forbidden(operation, account),
    ...(limits.approvals === undefined
      ? []
      : isSigned
        ? [
            `the profile requires ${limits.approvals} ${limits.approvals === 1 ? 'approval' : 'approvals'}: pay batch approve ${shellWord(plan)} --key FILE`,
          ]
        : ['the profile requires approvals, and the planner has to sign first: plan again with --key']),
    ...(mode.value === 'live'
      ? [`the profile is live: a script needs --yes ${expectations(totals, ready)}`]
      : []),
  ]
}

/** The flags of `pay batch apply` that name exactly this plan. */
const expectations = (totals: PlanTrailer['totals'], ready: number): string =>
  [
    ...totals.map(({ amount, currencyCode }) => `--expect-total '${formatMoney(amount, currencyCode)}'`),
    `--expect-count ${ready}`,
  ].join(' ')

/** Limits that forbid the operation regardless of the amount. */
function forbidden(operation: PlanHeader['operation'], { limits, profile }: Account): readonly string[] {
  const { id: operationId, risk } = OPERATIONS[operation]
  try {
    checkLimits({ ...limits, maxAmount: undefined }, profile?.value ?? '', { operationId, risk, formatMoney })
    return []
  } catch (error) {
    if (error instanceof LimitError) return [error.message]
    throw error
  }
}
