import type { CommandSpec, CommandRun } from '../../cli/command/spec.ts'
import { EXIT, UsageError, LimitError, PayError, interruptedBy } from '../../errors.ts'
import { MAX_FAILURES_FLAG, MAX_WAIT_FLAG, PACE_FLAGS } from '../file-settings.ts'
import { PLAN_ARGUMENT, withPlan, expectationsOf } from './plan-argument.ts'
import { ownerOf } from '../../cli/command/request-target.ts'
import type { PlanFile } from '../../rows/batch/file/read-plan.ts'
import { refuseExpired, refuseForeign } from '../../rows/batch/apply/gates.ts'
import { batchesFolder, isBegun, NO_COUNTS, readProgress } from '../../rows/batch/apply/run-rows.ts'
import { OPERATIONS } from '../../rows/batch/apply/ready-row.ts'
import { summarize, countsInWords } from '../../rows/batch/apply/summary.ts'
import { rejectsOf } from '../../rows/batch/apply/input-rows.ts'
import { formsOf } from '../../rows/batch/apply/output-lines.ts'
import { outputFilesOf } from '../../rows/keep/row-files.ts'
import { refuseOtherContent, refuseOwnFolders } from '../../rows/keep/output-files.ts'
import { refuseForbidden } from '../../cli/request/amount.ts'
import { resultAsWritten } from '../../cli/command/result.ts'
import type { Result } from '../../cli/command/result.ts'
import { checkTrust } from '../check-signers.ts'
import { readApplySettings, refuseInput } from './apply/read-settings.ts'
import type { ApplySettings, Expected } from './apply/read-settings.ts'
import { sendPlan } from './apply/send.ts'
import type { CurrencyTotal, PlanTrailer, BatchOperation, PlanRow } from '../../rows/batch/plan.ts'
import { formatMoney } from '../../money/format.ts'
import { checkApprovals } from '../../rows/batch/approve/check-approvals.ts'
import type { SignedPlanFile } from '../../rows/batch/approve/check-approvals.ts'
import type { Account } from '../../client/config/resolve-account.ts'
import { pluralize, capitalize } from '../../text/words.ts'
import { showBanner } from '../../cli/guard/confirm.ts'
import { describeLedger } from '../../client/config/ledger-choice.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { parseAmount } from '../../money/parse.ts'
import { asFlagValue } from '../../money/read-amount.ts'
import { effectsOfPlan } from '../../views/batch/effects.ts'
import type { ApplySummary } from '../../rows/batch/apply/summary.ts'
import type { RunRow } from '../../rows/batch/apply/run-rows.ts'
import { accountFlagsOf, flagWords } from '../../cli/command/flag-words.ts'
import type { ErrorDetails } from '../../errors.ts'
import { fileWord, lastWords, shellWord } from '../../files/shell.ts'
import { stringifyJson } from '../../json/json.ts'
import { formatField, rejectsSentence } from '../../views/format-fields.ts'
import type { SentPlan } from './apply/send.ts'
import { renderDetails } from '../../output/details.ts'
import type { Detail } from '../../output/details.ts'
import type { View } from '../../output/view.ts'

export const command: CommandSpec = {
  path: ['batch', 'apply'],
  summary: 'Carry out the ready rows of a plan',
  details: [
    'Reads each payment right before its row is sent, and skips the row if the payment is not as planned. Rows for the same payment run in the order of the file. A row with a ticket uses the key of --once TICKET.',
    'To continue after an interruption or a crash, run the same command again. It does the rows that were not begun and those that failed; skipped rows stay skipped. No row is done twice, even from another machine.',
    'A live profile asks you to type the total. A script passes --yes with --expect-total for each currency and --expect-count; both cover all ready rows, done or not.',
  ].join('\n\n'),
  examples: [
    { purpose: 'see what is left', line: 'pay --sandbox batch apply refunds.plan.ndjson --dry-run' },
    {
      purpose: 'apply it, and save the outcome of each row and the rows to correct',
      line: 'pay --sandbox batch apply refunds.plan.ndjson --results results.csv --rejects rejects.csv',
    },
    {
      purpose: 'in a script, only if the plan is the one you expect',
      line: 'pay --sandbox batch apply refunds.plan.ndjson --yes --expect-total "49.90 EUR" --expect-count 1',
    },
  ],
  args: [PLAN_ARGUMENT],
  flags: {
    results: { kind: 'text', value: 'FILE', from: 'file', help: 'Write the outcome of each row, as CSV' },
    rejects: {
      kind: 'text',
      value: 'FILE',
      from: 'file',
      help: 'Write the rows that are not ready or not done with the reason, to correct and plan again',
    },
    ...PACE_FLAGS,
    'max-failures': MAX_FAILURES_FLAG,
    'max-wait': MAX_WAIT_FLAG,
    restart: {
      kind: 'switch',
      help: 'Forget what earlier runs noted, and rebuild it from the ledger: rows that it has as done stay done',
    },
    'expect-total': {
      kind: 'texts',
      value: 'AMOUNT CUR',
      help: 'Refuse a plan with a different total in this currency; once per currency',
    },
    'expect-count': {
      kind: 'count',
      value: 'N',
      help: 'Refuse a plan with a different number of ready rows',
    },
  },
  supportsDryRun: true,
  resumes: true,
  run: (invocation, input) =>
    withPlan(invocation, input, (plan, shown) =>
      applyPlan(invocation, readApplySettings(input, invocation.context.cwd, shown), plan),
    ),
  risk: 'money',
  asksOnLive: true,
  effect: "Moves the money of every ready row. You can't undo a refund, a capture or a cancellation.",
  exitCodes: [
    EXIT.auth,
    EXIT.conflict,
    EXIT.rateLimited,
    EXIT.notConnected,
    EXIT.limit,
    EXIT.bulk,
    EXIT.interrupted,
  ],
  related: ['payment refund', 'ops list'],
}

async function applyPlan(invocation: CommandRun, settings: ApplySettings, plan: PlanFile): Promise<Result> {
  const { header, trailer } = plan
  const { cwd, stateFolder } = invocation.context
  const { results, rejects } = settings
  refuseInput(settings, header.input)
  refuseOwnFolders({ '--results': results, '--rejects': rejects }, invocation.context)
  refuseOtherContent(outputFilesOf(settings, formsOf(await rejectsOf(header.source))), cwd)
  const folder = batchesFolder(stateFolder)
  const approvedBy = await passGates(invocation, settings, plan, isBegun(folder, header.planId))
  const { planId, operation, createdAt } = header
  const wanted = { planId, operation, createdAt, plan: settings.planPath, ready: trailer.ready }
  const known = settings.isRestarted ? undefined : readProgress(folder, planId, wanted)
  const begun = summarize({ planId, trailer }, known ?? NO_COUNTS, 0)
  if (invocation.settings.mode === 'dry-run') {
    await invocation.note(
      'Nothing was sent: the payments are compared with the plan only when it is applied.',
    )
    return summaryResult(begun, { planner: header.planner, approvedBy })
  }
  if (begun.done + begun.skipped < trailer.ready) await confirmPlan(invocation, plan, settings, begun)
  return resultOfApply(
    invocation,
    settings,
    await sendPlan(invocation, settings, { plan, begun: wanted, folder, approvedBy }),
    { planner: header.planner, approvedBy },
  )
}

/** Refuses everything that can be refused before the payments are read, in this order. Returns the approvers. */
async function passGates(
  invocation: CommandRun,
  { plan: shown, planPath, expected }: ApplySettings,
  { header, trailer }: PlanFile,
  wasBegun: boolean,
): Promise<readonly string[]> {
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
  const approvedBy = await refuseUnapproved(invocation, account, { header, trailer, planFile: planPath })
  refuseUnexpected(trailer, expected)
  await refuseForbidden(invocation, OPERATIONS[header.operation])
  return approvedBy
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
 * Checks the approvals that the profile requires, if it requires any. Returns whose they are.
 * @throws {LimitError} if approvals are missing, foreign or too few
 */
async function refuseUnapproved(
  invocation: CommandRun,
  { limits, profile }: Account,
  plan: SignedPlanFile,
): Promise<readonly string[]> {
  const { approvals, signers: signersFile } = limits
  if (approvals === undefined) return []
  const name = profile?.value ?? ''
  if (signersFile === undefined)
    throw new LimitError(`Profile "${name}" requires approvals, but names no file of signers`, {
      hint: `Name it: pay profile set ${shellWord(name)} --signers FILE`,
    })
  await checkTrust(invocation, signersFile)
  const approvers = await checkApprovals(plan, { approvals, signersFile })
  return approvers.map(({ principal }) => principal)
}

/** Counts of the rows that are finished. */
interface OverRows {
  readonly done: number
  readonly skipped: number
}

type Plan = Pick<PlanFile, 'header' | 'trailer' | 'rows'>

/**
 * On a live profile, a person types the totals; a script passes `--yes` and what it expects.
 * @throws {UsageError} `confirmation_needed` or `expectation_needed`
 */
async function confirmPlan(
  invocation: Invocation,
  plan: Plan,
  { expected }: ApplySettings,
  over: OverRows,
): Promise<void> {
  const { mode, profile, baseUrl, ledger } = await invocation.account()
  if (mode.value !== 'live') return
  const name = profile?.value ?? baseUrl.value
  if (invocation.settings.assumesYes) {
    const needsTotals = plan.trailer.totals.length > 0
    if (expected.count !== undefined && (expected.totals !== undefined || !needsTotals)) return
    throw new UsageError(
      `On the live profile "${name}", --yes needs ${needsTotals ? '--expect-total and ' : ''}--expect-count`,
      {
        code: 'expectation_needed',
        outcome: 'none',
        hint: `State what you expect: ${expectationsOf(plan.trailer)}`,
      },
    )
  }
  if (!invocation.isInteractive)
    throw new UsageError(
      `This moves real money on the live profile "${name}" and needs --yes when pay cannot ask`,
      {
        code: 'confirmation_needed',
        outcome: 'none',
        hint: `State what you expect: --yes ${expectationsOf(plan.trailer)}`,
      },
    )
  await showBanner(invocation, name, describeLedger(ledger))
  await askForTotals(invocation, plan, over)
}

async function askForTotals(
  invocation: Invocation,
  { header: { operation }, trailer, rows }: Plan,
  over: OverRows,
): Promise<void> {
  const { ready, totals, takingAll = 0 } = trailer
  await invocation.warn(`${VERBS[operation]} ${pluralize(ready, 'row')}${overInWords(over)}:`)
  for (const { currencyCode, count, amount } of totals)
    await invocation.warn(`  ${formatMoney(amount, currencyCode)} in ${pluralize(count, 'row')}`)
  for (const effect of effectsOfPlan(trailer, takingAll === 0 ? [] : firstTakingAll(rows())))
    await invocation.warn(`  ${effect}`)
  const prompts = await invocation.prompts()
  for (const { currencyCode, amount } of totals)
    await prompts.text({
      label: totals.length === 1 ? 'Total' : `Total in ${currencyCode}`,
      hint: 'type it to confirm, with its currency',
      check: (answer) => faultInTotal(answer, amount, currencyCode),
    })
  if (totals.length === 0)
    await prompts.text({
      label: 'Number of rows',
      hint: 'type it to confirm',
      check: (answer) => (answer.trim() === String(ready) ? undefined : 'is not the number of ready rows'),
    })
}

/** The most rows to name; more are counted. */
const MAX_NAMED_ROWS = 5

function firstTakingAll(rows: Iterable<PlanRow>): readonly number[] {
  const found: number[] = []
  for (const { row, verdict, takesAll } of rows) {
    if (verdict === 'ready' && takesAll === true) found.push(row)
    if (found.length === MAX_NAMED_ROWS) break
  }
  return found
}

const VERBS: Readonly<Record<BatchOperation, string>> = {
  refund: 'Refund',
  capture: 'Capture',
  cancel: 'Cancel',
}

/** `, of which 5 are done and 3 are skipped`. */
function overInWords(over: OverRows): string {
  const parts = (['done', 'skipped'] as const).flatMap((name) =>
    over[name] === 0 ? [] : [`${pluralize(over[name], 'is', 'are')} ${name}`],
  )
  return parts.length === 0 ? '' : `, of which ${parts.join(' and ')}`
}

function faultInTotal(answer: string, amount: number, currencyCode: string): string | undefined {
  try {
    const typed = parseAmount(asFlagValue(answer, currencyCode), { what: 'The total', allowZero: true })
    if (typed.currencyCode === undefined) return `Write the currency too, such as ${currencyCode}.`
    return typed.amountMinor === amount && typed.currencyCode === currencyCode
      ? undefined
      : 'This is not the total of the plan.'
  } catch (error) {
    if (error instanceof PayError) return error.message
    throw error
  }
}

/** The summary, and why not every ready row is done. A run that ended no row fails like any other command. */
async function resultOfApply(
  invocation: Invocation,
  settings: ApplySettings,
  sent: SentPlan,
  people: People,
): Promise<Result> {
  const { summary, ended, isBlank, fileProblem } = sent
  if (isBlank && ended instanceof PayError && !isRateLimited(ended)) throw ended
  if (fileProblem === undefined) await noteFiles(invocation, settings, sent)
  const problem = problemOf(invocation, settings, sent)
  if (problem === undefined && summary.done > 0)
    await invocation.note(`Next: ${payBatch(invocation)} verify ${fileWord(settings.plan)}`)
  return {
    ...summaryResult(
      ended === undefined ? summary : { ...summary, ended: problem?.code ?? 'interrupted' },
      people,
      problem?.exitCode ?? EXIT.done,
    ),
    ...(problem === undefined ? {} : { problem }),
  }
}

async function noteFiles(
  { note, cleanText }: Invocation,
  { results, rejects }: ApplySettings,
  { summary }: SentPlan,
): Promise<void> {
  const { rows, done, left } = summary
  if (results !== undefined)
    await note(cleanText(`Results: ${results} (${left === 0 ? 'every row' : 'the rows so far'})`))
  if (rejects !== undefined) await note(cleanText(rejectsSentence(rejects, rows - done)))
}

/** Whether the service only asked to wait, so that the rows that are left are not failed. */
const isRateLimited = ({ exitCode }: PayError): boolean => exitCode === EXIT.rateLimited

const CONTINUES = 'The same command continues with the rows that are left.'
const ASKS_FIRST =
  'The same command finds out about the unknown rows, and continues with the rows that are left. Rows of a payment wait for its unknown row.'
const WAITS =
  'Another process has begun rows of the payments that are left. Run the same command again once it has ended them.'

function problemOf(
  invocation: Invocation,
  settings: ApplySettings,
  { summary, ended, fileProblem, problems, busyPayments }: SentPlan,
): PayError | undefined {
  const { skipped, failed, unknown, left } = summary
  const words = countsInWords(summary)
  const isWorthRepeating = left > 0 || failed > 0 || unknown > 0
  const details: ErrorDetails = {
    operation: `batch.apply`,
    validationErrors: problemsOf(problems, skipped + failed + unknown),
    retryable: isWorthRepeating,
    outcome: unknown > 0 ? 'unknown' : undefined,
    hint:
      left === 0
        ? hintFor(settings, summary)
        : busyPayments > 0
          ? WAITS
          : unknown > 0
            ? ASKS_FIRST
            : CONTINUES,
    next:
      isWorthRepeating || fileProblem !== undefined
        ? [commandLine(invocation, settings)]
        : problems
            .slice(0, settings.rejects === undefined ? 1 : 0)
            .map(({ row }) => explainLine(invocation, row.paymentId)),
  }
  if (ended === 'halted' && unknown === 0) {
    const { code, exitCode } = interruptedBy(invocation.context.interruption.stop)
    return new PayError(code, exitCode, `Interrupted: ${words}`, details)
  }
  if (ended === 'too-many-failures')
    return new PayError('max_failures', EXIT.bulk, `Stopped by --max-failures: ${words}`, details)
  if (ended instanceof PayError && isRateLimited(ended))
    return new PayError(
      ended.code,
      unknown === 0 ? ended.exitCode : EXIT.bulk,
      `${ended.message}; ${words}`,
      { ...ended.details, ...details, hint: `${CONTINUES} --max-wait waits longer.` },
    )
  if (ended instanceof PayError)
    return new PayError(ended.code, EXIT.bulk, `${ended.message}; ${words}`, {
      ...ended.details,
      ...details,
      hint: ended.details.hint ?? details.hint,
    })
  if (fileProblem !== undefined)
    return new PayError(fileProblem.code, EXIT.bulk, `${fileProblem.message}; ${words}`, {
      ...details,
      hint: 'Run the same command again once the file can be written: rows that are done are not repeated.',
    })
  if (left + skipped + failed + unknown === 0) return undefined
  return new PayError('rows_failed', EXIT.bulk, `Not every ready row is done: ${words}`, details)
}

function problemsOf(problems: readonly RunRow[], count: number) {
  const found = problems.map(problemOfRow)
  const more = count - found.length
  return more === 0 ? found : [...found, { path: '…', description: `and ${more} more` }]
}

const problemOfRow = ({ row: { row, line, paymentId, orderId }, result }: RunRow) => ({
  path: `row ${row} (line ${line}) ${paymentId}${orderId === undefined ? '' : `, order ${orderId}`}`,
  description: [result?.outcome, result?.message ?? result?.errorId]
    .filter((one) => one !== undefined)
    .join(': '),
})

/** Advises running the same command first, because that writes the rejects again. */
function hintFor(
  { results, rejects }: ApplySettings,
  { rows, done, skipped, failed, unknown }: ApplySummary,
): string | undefined {
  const repeats = [
    ...(unknown === 0 ? [] : ['finds out about the unknown rows']),
    ...(failed === 0 ? [] : ['tries the failed rows again']),
  ]
  const again = [
    ...(repeats.length === 0 ? [] : [`The same command ${repeats.join(' and ')}.`]),
    ...(skipped === 0 || rejects !== undefined
      ? []
      : ['Skipped rows stay skipped: look at the payments, then plan those rows again.']),
  ]
  if (rejects !== undefined && rows > done)
    again.push(
      `${again.length === 0 ? 'Correct' : 'Then correct'} the rows in ${rejects}, and plan that file with the flags of this plan.`,
    )
  else if (results === undefined)
    again.push('Add --results FILE for the outcome of every row, and --rejects FILE for those to correct.')
  return again.length === 0 ? undefined : again.join(' ')
}

const payBatch = (invocation: Invocation): string => `pay${accountFlagsOf(invocation)} batch`

const explainLine = (invocation: Invocation, paymentId: string): string =>
  `pay${accountFlagsOf(invocation)} payment explain ${lastWords(paymentId)}`

/** The same command without --max-failures, which would stop it again at once. */
const commandLine = (invocation: Invocation, { plan }: ApplySettings): string =>
  [
    `${payBatch(invocation)} apply ${fileWord(plan)}`,
    ...flagWords(invocation.input, ['results', 'rejects', 'concurrency', 'rate', 'max-wait']).map(shellWord),
  ].join(' ')

interface Summary extends ApplySummary {
  /** Why the run ended early. */
  readonly ended?: string
}

interface People {
  readonly planner: string
  /** Empty if the profile requires no approval. */
  readonly approvedBy: readonly string[]
}

/** The outcome of a plan; a table also names the people. */
const summaryResult = (summary: Summary, people: People, exitCode: number = EXIT.done): Result =>
  resultAsWritten(stringifyJson(summary, 2), { ...summary, people }, applySummaryView, exitCode)

const COUNTS = ['rows', 'done', 'skipped', 'failed', 'unknown', 'left'] as const
const NEEDS_ATTENTION: readonly string[] = ['failed', 'unknown']

/** `rows` in words; the other counts are of ready rows. */
function rowsOf({ rows, done, skipped, failed, unknown, left }: Summary): string {
  const ready = done + skipped + failed + unknown + left
  return rows === ready ? String(rows) : `${rows}, of which ${pluralize(ready, 'is', 'are')} ready`
}

/** The outcome of a plan. */
const applySummaryView: View<Summary & { readonly people: People }> = {
  ids: ({ planId }) => [planId],
  csvColumns: ['planId', ...COUNTS, 'totals', 'seconds'],
  render: (summary, { paint }) =>
    renderDetails({ paint, width: undefined }, [
      ['Plan', summary.planId],
      ['Planned', `by ${formatField(summary.people.planner)}`],
      [
        'Approved',
        summary.people.approvedBy.length === 0
          ? undefined
          : `by ${formatField(summary.people.approvedBy.join(', '))}`,
      ],
      ...COUNTS.map((name): Detail => {
        const text = name === 'rows' ? rowsOf(summary) : String(summary[name])
        const tone = NEEDS_ATTENTION.includes(name) ? 'bad' : 'warn'
        const isQuiet = name === 'rows' || name === 'done' || summary[name] === 0
        return [capitalize(name), isQuiet ? text : paint(text, tone)]
      }),
      ...summary.totals.map(({ currencyCode, count, amount }): Detail => [
        `Done in ${currencyCode}`,
        `${formatMoney(amount, currencyCode)} in ${pluralize(count, 'row')}`,
      ]),
      ['Seconds', String(summary.seconds)],
      ['Ended', summary.ended],
    ]),
}
