import { countsInWords } from '../../../rows/batch/apply/summary.ts'
import type { ApplySummary } from '../../../rows/batch/apply/summary.ts'
import type { RunRow } from '../../../rows/batch/apply/run-rows.ts'
import { accountFlagsOf, flagWords } from '../../../cli/command/flag-words.ts'
import type { Invocation } from '../../../cli/command/invocation.ts'
import { resultOf } from '../../../cli/command/result.ts'
import type { Result } from '../../../cli/command/result.ts'
import { EXIT, PayError, interruptedBy } from '../../../errors.ts'
import type { ErrorDetails } from '../../../errors.ts'
import { shellWord } from '../../../text/shell-word.ts'
import { applySummaryView } from '../../../views/batch/apply-summary.ts'
import { rejectsSentence } from '../../../views/format-fields.ts'
import type { ApplySettings } from './read-settings.ts'
import type { SentPlan } from './send.ts'

/** The summary, and why not every ready row is done. A run that ended no row fails like any other command. */
export async function resultOfApply(
  invocation: Invocation,
  settings: ApplySettings,
  sent: SentPlan,
): Promise<Result> {
  const { summary, ended, isBlank, fileProblem } = sent
  if (isBlank && ended instanceof PayError && !isRateLimited(ended)) throw ended
  if (fileProblem === undefined) await noteFiles(invocation, settings, sent)
  const problem = problemOf(invocation, settings, sent)
  if (problem === undefined && summary.done > 0)
    await invocation.note(`Next: ${payBatch(invocation)} verify ${shellWord(settings.plan)}`)
  return {
    ...resultOf(
      ended === undefined ? summary : { ...summary, ended: problem?.code ?? 'interrupted' },
      applySummaryView,
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

/** The rows that are left are not failed: the service only asked to wait. */
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
    next: isWorthRepeating || fileProblem !== undefined ? [commandLine(invocation, settings)] : undefined,
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

const problemOfRow = ({ row: { row, line, paymentId }, result }: RunRow) => ({
  path: `row ${row} (line ${line}) ${paymentId}`,
  description: [result?.outcome, result?.message ?? result?.errorId]
    .filter((one) => one !== undefined)
    .join(': '),
})

/** Advises running the same command first, because that writes the rejects again. */
function hintFor(
  { results, rejects }: ApplySettings,
  { rows, done, failed, unknown }: ApplySummary,
): string | undefined {
  const repeats = [
    ...(unknown === 0 ? [] : ['finds out about the unknown rows']),
    ...(failed === 0 ? [] : ['tries the failed rows again']),
  ]
  const again = repeats.length === 0 ? [] : [`The same command ${repeats.join(' and ')}.`]
  if (rejects !== undefined && rows > done)
    again.push(
      `${again.length === 0 ? 'Correct' : 'Then correct'} the rows in ${rejects}, and plan that file with the flags of this plan.`,
    )
  else if (results === undefined)
    again.push('Add --results FILE for the outcome of every row, and --rejects FILE for those to correct.')
  return again.length === 0 ? undefined : again.join(' ')
}

/** The same command. The same --max-failures would stop it again at once. */
const payBatch = (invocation: Invocation): string => `pay${accountFlagsOf(invocation)} batch`

const commandLine = (invocation: Invocation, { plan }: ApplySettings): string =>
  [
    `${payBatch(invocation)} apply ${shellWord(plan)}`,
    ...flagWords(invocation.input, ['results', 'rejects', 'concurrency', 'rate', 'max-wait']).map(shellWord),
  ].join(' ')
