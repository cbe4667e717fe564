import type { PlanHeader, PlanTrailer } from '../../rows/batch/plan.ts'
import { formatMoney } from '../../money/format.ts'
import { renderDetails } from '../../output/details.ts'
import { safeText } from '../../output/safe-text.ts'
import type { View } from '../../output/view.ts'
import { agree, pluralize } from '../../text/words.ts'
import { effectsOfPlan } from './effects.ts'

interface Approval {
  readonly plan: string
  readonly planId: string
  readonly digest: string
  readonly principal: string
  readonly key: string | null
  readonly signature: string
  readonly planner: string
  readonly approvals: { readonly needed: number; readonly given: readonly string[] }
}

/** `Plan 5b0c… by anna@example.com: capture 12.50 EUR in 3 rows; releases 7.00 EUR in 1 row; 2 of 6 rows are refused.` */
export function whatIsApproved(
  { planId, planner, operation }: Pick<PlanHeader, 'planId' | 'planner' | 'operation'>,
  trailer: Pick<PlanTrailer, 'rows' | 'refused' | 'totals' | 'takingAll' | 'releases'>,
): string {
  const { rows, refused, totals } = trailer
  const amounts = totals.map(
    ({ amount, currencyCode, count }) => `${formatMoney(amount, currencyCode)} in ${pluralize(count, 'row')}`,
  )
  const does = amounts.length === 0 ? 'nothing is ready' : `${operation} ${amounts.join(', ')}`
  const left = refused === 0 ? '' : `; ${refused} of ${rows} rows ${agree(refused, 'is', 'are')} refused`
  const effects = effectsOfPlan(trailer).map((effect) => `; ${effect}`)
  return `Plan ${planId} by ${safeText(planner)}: ${does}${effects.join('')}${left}.`
}

export const approvalView: View<Approval> = {
  ids: ({ signature }) => [signature],
  render: ({ plan, principal, key, signature, planner, approvals }, { paint, width }) =>
    renderDetails({ paint, width }, [
      ['Plan', safeText(plan)],
      ['Signed by', `${safeText(principal)}${principal === planner ? ' (the planner)' : ''}`],
      ['Key', key ?? undefined],
      ['Signature', safeText(signature)],
      [
        'Approvals',
        approvals.needed === 0
          ? undefined
          : `${approvals.given.length} of ${approvals.needed}${approvals.given.length === 0 ? '' : `: ${safeText(approvals.given.join(', '))}`}`,
      ],
    ]),
}
