import type {
  PlanHeader,
  PlanTrailer,
  BatchOperation,
  PlanCounts,
  PlanRow,
} from '../../../rows/batch/plan.ts'
import { describeLedger } from '../../../client/config/ledger-choice.ts'
import type { Account } from '../../../client/config/resolve-account.ts'
import { EXIT, PayError } from '../../../errors.ts'
import { fileWord, flagWord, shellWord } from '../../../files/shell.ts'
import { expectationsOf } from '../plan-argument.ts'
import type { PlanSummary, LargeRow, VerdictTotal } from '../../../rows/batch/planning/summary.ts'
import { accountFlagsOf, flagWords } from '../../../cli/command/flag-words.ts'
import { resultAsWritten } from '../../../cli/command/result.ts'
import type { Result } from '../../../cli/command/result.ts'
import type { CommandRun } from '../../../cli/command/spec.ts'
import { stringifyJson } from '../../../json/json.ts'
import { rejectsSentence, formatAmount, formatField } from '../../../views/format-fields.ts'
import type { LeftOutCount } from '../../../rows/left-out.ts'
import { leftOutSentence, shownLeftOut } from '../../../views/import/left-out.ts'
import { REJECTS_FLAG_NAMES, skippingNone } from '../../table-flags.ts'
import type { PlanSettings } from './read-settings.ts'
import { agree, pluralize, groupThousands } from '../../../text/words.ts'
import { renderDetails } from '../../../output/details.ts'
import type { Detail } from '../../../output/details.ts'
import { renderTable } from '../../../output/table.ts'
import type { Column } from '../../../output/table.ts'
import type { View } from '../../../output/view.ts'
import { formatMoney } from '../../../money/format.ts'
import { safeText } from '../../../output/safe-text.ts'
import { effectOfRow, effectsOfPlan } from '../../../views/batch/effects.ts'
import { renderRows, toneOf } from '../../../views/batch/rows.ts'

/** What planning found, and why not every row is ready. */
export async function resultOfPlan(
  invocation: CommandRun,
  {
    settings,
    header,
    trailer,
    leftOut,
    summary,
    obstacles,
    isSigned,
  }: {
    readonly settings: PlanSettings
    readonly header: Omit<PlanHeader, 'source'>
    readonly trailer: PlanTrailer
    readonly leftOut: readonly LeftOutCount[]
    readonly summary: PlanSummary
    readonly obstacles: readonly string[]
    readonly isSigned: boolean
  },
): Promise<Result> {
  const { out: plan, rejects } = settings
  const { rows, ready, refused, totals, takingAll, releases, verdicts, digest } = trailer
  if (leftOut.length > 0) await invocation.note(invocation.cleanText(leftOutSentence(leftOut)))
  if (rejects !== undefined) await invocation.note(invocation.cleanText(rejectsSentence(rejects, refused)))
  if (rows === 0) await invocation.note('No rows: there is nothing to apply in this plan.')
  const largest = summary.largest()
  const answer = {
    plan,
    planId: header.planId,
    digest,
    rows,
    ready,
    refused,
    ...(leftOut.length === 0 ? {} : { leftOut: shownLeftOut(leftOut) }),
    totals,
    takingAll,
    releases,
    verdicts,
    largest,
    obstacles,
  }
  const report: PlanReport = {
    ...answer,
    operation: header.operation,
    planner: header.planner,
    isSigned,
    approvals: (await invocation.account()).limits.approvals,
    ledger: describeLedger((await invocation.account()).ledger),
    byVerdict: summary.totals(),
    firstRefused: summary.firstRefused(),
    firstTakingAll: summary.firstTakingAll(),
  }
  const pay = `pay${accountFlagsOf(invocation)} batch`
  if (ready > 0 && refused === 0 && obstacles.length === 0)
    await invocation.note(`Next: ${pay} apply ${fileWord(plan)}`)
  const problem =
    refused === 0
      ? undefined
      : new PayError(
          'rows_not_ready',
          EXIT.bulk,
          `${refused} of ${pluralize(rows, 'row')} ${agree(refused, 'is', 'are')} not ready`,
          {
            outcome: 'none',
            hint:
              rejects === undefined
                ? `${ready === 0 ? 'No row can be applied' : 'Applying the plan leaves them out'}. --rejects FILE writes them to a file, to correct and plan again.`
                : `Correct the rows in ${rejects}, and plan that file with the flags of this plan.`,
            next: [
              rejects === undefined
                ? `${pay} show ${fileWord(plan)}${refusedVerdicts(verdicts)}`
                : commandFor(invocation, settings, rejects),
            ],
          },
        )
  const result = resultAsWritten(stringifyJson(answer, 2), report, planView, problem?.exitCode ?? EXIT.done)
  return problem === undefined ? result : { ...result, problem }
}

/** The command that plans the corrected rejects, like their input. */
function commandFor(
  invocation: CommandRun,
  { operation, noFinal, skipLines }: PlanSettings,
  rejects: string,
): string {
  const { reason } = invocation.settings
  return [
    `pay${accountFlagsOf(invocation)} batch plan ${operation} ${fileWord(rejects)}`,
    ...flagWords(invocation.input, [...REJECTS_FLAG_NAMES, 'empty-amount', 'key', 'principal']).map(
      shellWord,
    ),
    ...skippingNone(skipLines),
    ...(noFinal ? ['--no-final'] : []),
    ...(reason === undefined ? [] : [flagWord('reason', reason)]),
  ].join(' ')
}

/** The most flags with which a command still helps. */
const MAX_VERDICT_FLAGS = 3

/** The flags that select the rows that aren't ready. */
function refusedVerdicts(verdicts: PlanTrailer['verdicts']): string {
  const refused = Object.keys(verdicts).filter((verdict) => verdict !== 'ready')
  return refused.length > MAX_VERDICT_FLAGS ? '' : refused.map((verdict) => ` --verdict ${verdict}`).join('')
}

interface PlannedFacts extends Pick<PlanTrailer, 'ready' | 'totals'> {
  readonly isSigned: boolean
  /** As typed. */
  readonly plan: string
}

/** Describes what must be done before the plan can be applied. */
export function obstaclesTo(
  { ready, totals, isSigned, plan }: PlannedFacts,
  { limits, mode }: Account,
): readonly string[] {
  if (ready === 0) return ['no row is ready']
  return [
    ...(limits.approvals === undefined
      ? []
      : isSigned
        ? [
            `the profile requires ${pluralize(limits.approvals, 'approval')}: pay batch approve ${fileWord(plan)} --key FILE`,
          ]
        : ['the profile requires approvals, and the planner has to sign first: plan again with --key']),
    ...(mode.value === 'live'
      ? [`the profile is live: a script needs --yes ${expectationsOf({ totals, ready })}`]
      : []),
  ]
}

/** What planning has found. */
interface PlanReport extends PlanCounts {
  readonly plan: string
  readonly planId: string
  readonly digest: string
  readonly operation: BatchOperation
  readonly planner: string
  readonly isSigned: boolean
  /** As many as the profile requires besides the planner's. */
  readonly approvals: number | undefined
  /** Where earlier writes were looked for. */
  readonly ledger: string
  readonly byVerdict: readonly VerdictTotal[]
  readonly largest: readonly LargeRow[]
  readonly firstRefused: readonly PlanRow[]
  /** The numbers of the first ready rows that take all that is left. */
  readonly firstTakingAll: readonly number[]
  /** What would keep it from being applied. */
  readonly obstacles: readonly string[]
}

const planView: View<PlanReport> = {
  ids: ({ planId }) => [planId],
  csvColumns: ['plan', 'planId', 'digest', 'rows', 'ready', 'refused'],
  render: (report, options) => {
    const { plan, planId, operation, rows, ready, refused, firstRefused, largest, obstacles } = report
    const { paint, width } = options
    const section = (title: string, text: string) => ['', paint(title, 'strong'), text]
    return [
      renderDetails({ paint, width }, [
        ['Plan', safeText(plan)],
        ['ID', formatField(planId)],
        ['Operation', operation],
        ['Planned', `by ${formatField(report.planner)}${report.isSigned ? ' (signed)' : ''}`],
        ['Approvals', report.approvals === undefined ? undefined : `0 of ${report.approvals}`],
        ['Ledger', safeText(report.ledger)],
        [
          'Rows',
          `${groupThousands(rows)}: ${paint(`${groupThousands(ready)} ready`, ready === 0 ? 'warn' : 'good')}${
            refused === 0 ? '' : `, ${paint(`${groupThousands(refused)} not ready`, 'bad')}`
          }`,
        ],
        ...effectsOfPlan(report, report.firstTakingAll).map((effect): Detail => ['', effect]),
      ]),
      ...(rows === 0 ? [] : section('By verdict', renderTable(VERDICT_COLUMNS, report.byVerdict, options))),
      ...(largest.length === 0
        ? []
        : section('Largest amounts', renderTable(LARGEST_COLUMNS, largest, options))),
      ...(firstRefused.length === 0
        ? []
        : section(
            firstRefused.length === refused
              ? 'Not ready'
              : `Not ready (the first ${firstRefused.length} of ${groupThousands(refused)})`,
            renderRows(firstRefused, options),
          )),
      ...(obstacles.length === 0
        ? []
        : section(
            'Before it can be applied',
            obstacles.map((one) => `${paint('!', 'warn')} ${safeText(one)}`).join('\n'),
          )),
    ].join('\n')
  },
}

const VERDICT_COLUMNS: readonly Column<VerdictTotal>[] = [
  { title: 'VERDICT', text: ({ verdict }) => verdict, tone: ({ verdict }) => toneOf(verdict) },
  { title: 'ROWS', text: ({ count }) => groupThousands(count), align: 'right' },
  {
    title: 'AMOUNT',
    text: ({ amount, currencyCode }) =>
      currencyCode === undefined ? '' : safeText(formatMoney(amount, currencyCode)),
    align: 'right',
  },
]

const LARGEST_COLUMNS: readonly Column<LargeRow>[] = [
  { title: 'ROW', text: ({ row }) => String(row), align: 'right' },
  { title: 'LINE', text: ({ line }) => String(line), align: 'right', drop: 2 },
  { title: 'PAYMENT', text: ({ paymentId }) => formatField(paymentId) },
  { title: 'ORDER', text: ({ orderId }) => formatField(orderId ?? ''), drop: 3 },
  {
    title: 'AMOUNT',
    text: ({ amount, currencyCode }) => formatAmount(amount, currencyCode) ?? '',
    align: 'right',
  },
  { title: 'NOTE', text: (row) => effectOfRow({ ...row, verdict: 'ready' }), drop: 1, wraps: true },
]
