import { resolve } from 'node:path'
import { isExpired, refuseForeign } from '../../rows/batch/apply/gates.ts'
import { batchesFolder, readProgress } from '../../rows/batch/apply/run-rows.ts'
import type { PlanFile } from '../../rows/batch/file/read-plan.ts'
import type { PlanHeader } from '../../rows/batch/plan.ts'
import type { VerifiedRow, RowState } from '../../rows/batch/verify/compare.ts'
import { verifyRows } from '../../rows/batch/verify/verify-rows.ts'
import { createTemporaryRows } from '../../rows/keep/temporary-rows.ts'
import { ownerOf, targetOf } from '../../cli/command/request-target.ts'
import { accountFlagsOf } from '../../cli/command/flag-words.ts'
import type { CommandInput } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { longObjectOf } from '../../cli/command/result.ts'
import type { Result } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { EXIT, PayError } from '../../errors.ts'
import { fileWord, lastWords } from '../../files/shell.ts'
import { agree, pluralize, groupThousands } from '../../text/words.ts'
import { PACE_FLAGS, readPace } from '../file-settings.ts'
import { progressOn } from '../row-progress.ts'
import { PLAN_ARGUMENT, withPlan } from './plan-argument.ts'
import { shownApprovals, signatureDetails } from './signatures.ts'
import type { ShownApprovals } from './signatures.ts'
import { VERIFY_EXITS, stillPending, withPaymentReader } from '../read-payments.ts'
import { renderDetails } from '../../output/details.ts'
import type { Detail } from '../../output/details.ts'
import type { Paint, Tone } from '../../output/paint.ts'
import { renderTable } from '../../output/table.ts'
import type { Column } from '../../output/table.ts'
import type { View } from '../../output/view.ts'
import { formatAmount, formatField, formatFreeText } from '../../views/format-fields.ts'

export const command: CommandSpec = {
  path: ['batch', 'verify'],
  summary: 'Read every payment of a plan again, and compare it with the plan',
  details:
    'Compares each ready row with what the payment shows now: as planned, missing, more than planned, still pending, or failed later (the refund was accepted and then failed). It relies on the payments alone, not on what pay batch apply has reported.',
  examples: [
    {
      purpose: 'check that a plan was applied as planned',
      line: 'pay --sandbox batch verify refunds.plan.ndjson',
    },
    {
      purpose: 'list the rows that are missing',
      line: 'pay --sandbox batch verify refunds.plan.ndjson --query "rows[?state==\'missing\'].row"',
    },
  ],
  args: [PLAN_ARGUMENT],
  flags: PACE_FLAGS,
  exitCodes: VERIFY_EXITS,
  run: (invocation, input) =>
    withPlan(invocation, input, (plan, shown) => verify(invocation, input, plan, shown)),
  related: ['batch apply', 'batch show', 'payment explain', 'payment wait'],
}

async function verify(
  invocation: Invocation,
  input: CommandInput,
  plan: PlanFile,
  shown: string,
): Promise<Result> {
  const { header, trailer, rows } = plan
  const account = await invocation.account()
  const target = targetOf(account, invocation.context)
  refuseForeign(header, { baseUrl: target.baseUrl, account: ownerOf(account) }, shown)
  const compared = collectCompared()
  const progress = progressOn(invocation, { size: trailer.ready, bytesRead: compared.count })
  const interrupted = 'Interrupted: not all payments were compared.'
  await withPaymentReader(invocation, readPace(input), { progress, interrupted }, (reader) =>
    verifyRows({
      operation: header.operation,
      plannedAt: new Date(header.createdAt),
      rows,
      reader,
      onRow: compared.add,
      onProgress: () =>
        progress.show({ rows: compared.count(), deviating: compared.count() - compared.states.asPlanned }),
    }),
  )
  const { unread, ...states } = compared.states
  const counts = { planId: header.planId, ...states, ...(unread === 0 ? {} : { unread }) }
  const problem = problemOf(counts, trailer.ready, {
    pay: `pay${accountFlagsOf(invocation)}`,
    plan: shown,
    ...rowsToApply(invocation, header, trailer.ready),
    failedPayment: compared.shown.find(({ state }) => state === 'failed_later')?.paymentId,
    missingPayment: compared.shown.find(({ state }) => state === 'missing')?.paymentId,
    morePayment: compared.shown.find(({ state }) => state === 'more')?.paymentId,
  })
  const result = longObjectOf(
    { head: counts, key: 'rows', length: compared.count(), jsonLines: compared.jsonLines },
    {
      ...counts,
      header,
      approvals: await shownApprovals(invocation, plan, resolve(invocation.context.cwd, shown)),
      rows: compared.shown,
    },
    verificationView,
    problem?.exitCode ?? EXIT.done,
  )
  return problem === undefined ? result : { ...result, problem }
}

/** Keeps the rows outside the heap, but for those that a person is shown. */
function collectCompared() {
  const states = { asPlanned: 0, missing: 0, more: 0, pending: 0, failedLater: 0, unread: 0 }
  const shown: VerifiedRow[] = []
  const rows = createTemporaryRows<string>()
  let count = 0
  return {
    states,
    shown,
    count: () => count,
    add: (row: VerifiedRow) => {
      const { currencyCode: _, line: _line, orderId: _order, ...published } = row
      rows.add(JSON.stringify(published))
      count += 1
      states[row.state === 'failed_later' ? 'failedLater' : row.state] += 1
      if (isShown(row.state, states)) shown.push(row)
    },
    jsonLines: rows.all,
  }
}

/** How many rows applying the plan would begin, and how many it would try again, as far as this machine knows. */
function rowsToApply(
  { context: { stateFolder, now } }: Invocation,
  { planId, createdAt }: PlanFile['header'],
  ready: number,
): Pick<Advice, 'toApply' | 'refused'> {
  const begun = readProgress(batchesFolder(stateFolder), planId)
  if (begun === undefined) return { toApply: isExpired(createdAt, now()) ? 0 : ready, refused: 0 }
  const { done, skipped, failed } = begun
  return { toApply: ready - done - skipped - failed, refused: failed }
}

interface Advice {
  /** The program with the flags that select the account. */
  readonly pay: string
  readonly plan: string
  readonly toApply: number
  readonly refused: number
  readonly failedPayment: string | undefined
  readonly missingPayment: string | undefined
  readonly morePayment: string | undefined
}

function problemOf(counts: Counts, ready: number, advice: Advice): PayError | undefined {
  const { missing, more, pending, failedLater, unread = 0 } = counts
  const { pay, plan } = advice
  const deviating = missing + more + failedLater + unread
  if (deviating > 0)
    return new PayError(
      'not_as_planned',
      EXIT.bulk,
      `${deviating} of ${pluralize(ready, 'ready row')} ${agree(deviating, 'is', 'are')} not as planned`,
      { outcome: 'none', ...remedyFor(counts, advice) },
    )
  return pending === 0
    ? undefined
    : stillPending(pluralize(pending, 'row is', 'rows are'), `${pay} batch verify ${fileWord(plan)}`)
}

/** Names a command only if it can change what was found. */
function remedyFor(
  { missing, more, failedLater }: Counts,
  { pay, plan, toApply, refused, failedPayment, missingPayment, morePayment }: Advice,
): { readonly hint: string; readonly next: readonly string[] } {
  const explain = (id: string | undefined) =>
    id === undefined ? [] : [`${pay} payment explain ${lastWords(id)}`]
  if (failedLater > 0)
    return {
      hint: `The service accepted ${failedLater === 1 ? 'a refund' : `${failedLater} refunds`} that failed later: the customer has not got that money. Applying this plan again sends nothing for a row that is done. Look at the payment, then plan these rows again.`,
      next: explain(failedPayment),
    }
  if (missing > 0 && toApply > 0)
    return {
      hint: 'Applying the plan again does the rows that are left; its results say why others are missing.',
      next: [`${pay} batch apply ${fileWord(plan)}`],
    }
  // Applying it again is no answer to a row that was refused: each would name the other for ever.
  if (missing > 0 && refused > 0)
    return {
      hint: `${pluralize(refused, 'row')} failed when the plan was applied. Look at the payment first: applying the plan again tries failed rows again, and says why they fail.`,
      next: explain(missingPayment),
    }
  if (missing > 0)
    return {
      hint: 'Applying this plan again sends nothing for them: it has expired, or its rows are done or skipped. Look at the payment, then plan these rows again.',
      next: explain(missingPayment),
    }
  if (more > 0)
    return {
      hint: 'Someone moved more than was planned: look at these payments.',
      next: explain(morePayment),
    }
  return {
    hint: 'Verify again once the payments can be read.',
    next: [`${pay} batch verify ${fileWord(plan)}`],
  }
}

interface Verification extends Counts {
  readonly header: Pick<PlanHeader, 'planner' | 'createdAt'>
  readonly approvals: ShownApprovals
  /** All rows; for a table, those that `isShown` tells. */
  readonly rows: readonly VerifiedRow[]
}

interface Counts {
  readonly planId: string
  readonly asPlanned: number
  readonly missing: number
  readonly more: number
  readonly pending: number
  readonly failedLater: number
  /** Left out if every payment could be read. */
  readonly unread?: number
}

const WORDS: Readonly<Record<RowState, readonly [words: string, tone: Tone]>> = {
  asPlanned: ['as planned', 'good'],
  pending: ['pending', 'warn'],
  failed_later: ['failed later', 'bad'],
  missing: ['missing', 'bad'],
  more: ['more', 'bad'],
  unread: ['unread', 'bad'],
}

const verificationView: View<Verification> = {
  ids: ({ planId }) => [planId],
  itemsKey: 'rows',
  csvColumns: ['row', 'paymentId', 'state', 'planned', 'found'],
  render: (found, options) => {
    const { paint } = options
    const { missing, more, pending, failedLater, unread = 0 } = found
    const deviating = missing + more + pending + failedLater + unread
    // What is wrong comes before what only takes time.
    const rows = found.rows
      .toSorted((one, other) => Number(one.state === 'pending') - Number(other.state === 'pending'))
      .slice(0, SHOWN_ROWS)
    return [
      renderDetails({ paint, width: undefined }, [
        ['Plan', formatField(found.planId)],
        ...signatureDetails(found.header, found.approvals, options),
        ['As planned', groupThousands(found.asPlanned)],
        countOf('Pending', pending, 'warn', paint),
        countOf('Failed later', failedLater, 'bad', paint),
        countOf('Missing', missing, 'bad', paint),
        countOf('More', more, 'bad', paint),
        countOf('Unread', unread, 'bad', paint),
      ]),
      ...(deviating === 0 ? [] : ['', renderTable(COLUMNS, rows, options)]),
      ...(deviating > SHOWN_ROWS
        ? [`and ${groupThousands(deviating - SHOWN_ROWS)} more; --json lists every row`]
        : []),
    ].join('\n')
  },
}

const SHOWN_ROWS = 20

/** Whether a person is shown a row of this state, the last of those counted: all others are only counted. */
function isShown(
  state: RowState,
  { pending, failedLater, missing, more, unread }: Omit<Required<Counts>, 'planId'>,
): boolean {
  if (state === 'asPlanned') return false
  return (state === 'pending' ? pending : failedLater + missing + more + unread) <= SHOWN_ROWS
}

const countOf = (label: string, count: number, tone: Tone, paint: Paint): Detail => [
  label,
  count === 0 ? undefined : paint(groupThousands(count), tone),
]

const COLUMNS: readonly Column<VerifiedRow>[] = [
  { title: 'ROW', text: ({ row }) => String(row), align: 'right' },
  { title: 'LINE', text: ({ line }) => String(line), align: 'right', drop: 1 },
  { title: 'PAYMENT', text: ({ paymentId }) => formatField(paymentId) },
  { title: 'ORDER', text: ({ orderId }) => formatField(orderId ?? ''), drop: 2 },
  {
    title: 'STATE',
    text: ({ state }) => WORDS[state][0],
    tone: ({ state }) => WORDS[state][1],
  },
  { title: 'PLANNED', text: (row) => shown(row, row.planned), align: 'right' },
  { title: 'FOUND', text: (row) => shown(row, row.found), align: 'right' },
  { title: 'WHY', text: ({ message }) => formatFreeText(message) ?? '', wraps: true },
]

const shown = ({ currencyCode }: VerifiedRow, value: number | string | null): string =>
  typeof value === 'number' ? (formatAmount(value, currencyCode) ?? '') : formatField(value ?? '')
