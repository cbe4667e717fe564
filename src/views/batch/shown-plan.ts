import type { PlanCounts, PlanHeader, PlanRow } from '../../rows/batch/plan.ts'
import { renderDetails } from '../../output/details.ts'
import type { Detail } from '../../output/details.ts'
import { safeText } from '../../output/safe-text.ts'
import type { View } from '../../output/view.ts'
import { formatAmount, formatField } from '../format-fields.ts'
import { formatTime } from '../format-time.ts'
import { effectsOfPlan } from './effects.ts'
import { renderRows } from './rows.ts'
import { groupThousands, pluralize } from '../../text/words.ts'

export interface ShownRow extends Omit<PlanRow, 'type'> {
  /** As in the input: by column, or the line of NDJSON; missing if the input has changed or gone. */
  readonly cells?: Readonly<Record<string, string>> | string | undefined
}

/** Whose signatures on a plan count, and which don't. */
export interface ShownApprovals {
  /** As many as the profile requires besides the planner's. */
  readonly needed: number
  readonly given: readonly string[]
  readonly plannerSigned: boolean
  readonly uncounted: readonly { readonly file: string; readonly problem: string }[]
}

/** A plan with its rows, or with those of some verdicts. */
export interface ShownPlan extends PlanCounts, Omit<PlanHeader, 'type' | 'version' | 'account' | 'source'> {
  readonly plan: string
  readonly digest: string
  readonly approvals: ShownApprovals
  readonly data: readonly ShownRow[]
}

export const shownPlanView: View<ShownPlan> = {
  ids: ({ data }) => data.flatMap(({ paymentId }) => (paymentId === undefined ? [] : [paymentId])),
  itemsKey: 'data',
  csvColumns: [
    'row',
    'paymentId',
    'orderId',
    'verdict',
    'amount',
    'currencyCode',
    'ticket',
    'reason',
    'message',
    'line',
    'cells',
  ],
  render: (shown, options) => {
    const { paint, width } = options
    const { data, rows, ready, refused, totals } = shown
    const counts = `${groupThousands(rows)}: ${groupThousands(ready)} ready${refused === 0 ? '' : `, ${groupThousands(refused)} not ready`}`
    return [
      renderDetails(
        { paint, width },
        [
          ['Plan', safeText(shown.plan)],
          ['ID', formatField(shown.planId)],
          ['Operation', shown.operation],
          [
            'Profile',
            `${formatField(shown.profile ?? 'none')} (${shown.mode}, ${formatField(shown.baseUrl)})`,
          ],
          [
            'Planned',
            `${formatTime(shown.createdAt, options.timeZone) ?? ''} by ${formatField(shown.planner)}${shown.approvals.plannerSigned ? ' (signed)' : ''}`,
          ],
          ...approvalDetails(shown.approvals),
          ['Input', safeText(shown.input)],
          ['Digest', formatField(shown.digest)],
        ],
        [
          ['Rows', counts],
          ...totals.map(
            ({ currencyCode, count, amount }, at) =>
              [
                at === 0 ? 'Ready' : '',
                `${formatAmount(amount, currencyCode) ?? ''} in ${pluralize(count, 'row')}`,
              ] as const,
          ),
          ...effectsOfPlan(shown).map((effect) => ['', effect] as const),
        ],
      ),
      '',
      data.length === 0 ? 'No rows.' : renderRows(data, options),
    ].join('\n')
  },
}

function approvalDetails({ needed, given, uncounted }: ShownApprovals): readonly Detail[] {
  const count = needed === 0 ? [] : [`${given.length} of ${needed}`]
  const approvers = given.length === 0 ? [] : [given.join(', ')]
  return [
    [
      'Approvals',
      [...count, ...approvers].length === 0 ? undefined : safeText([...count, ...approvers].join(': ')),
    ],
    ...uncounted.map(({ file, problem }, at): Detail => [
      at === 0 ? "Don't count" : '',
      safeText(`${file}: ${problem}`),
    ]),
  ]
}
