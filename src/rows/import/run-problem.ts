import { createExternalPayment } from '../../api/operations/observability.ts'
import { countsInWords } from '../keep/counts.ts'
import type { ProblemRow } from '../keep/counts.ts'
import type { LeftOutCount } from '../left-out.ts'
import type { RunResult } from './run-rows.ts'
import { EXIT, PayError, interruptedBy } from '../../errors.ts'
import type { ErrorDetails } from '../../errors.ts'
import { pluralize } from '../../text/words.ts'

export interface ImportResult extends RunResult {
  readonly leftOut: readonly LeftOutCount[]
  /** The rows that are left; undefined if their number is not known. */
  readonly left?: { readonly rows: number; readonly isEstimate: boolean } | undefined
}

const RESUMES = 'The same command resumes after the rows that are done'

/** Advice for the user about rows without a record. */
export interface ImportAdvice {
  /** The hint for a run that reached its end. */
  readonly hint: string | undefined
  /** Commands to type next. */
  readonly next?: readonly string[]
  /** Whether the user asked for updates of existing records. */
  readonly updatesOnPurpose?: boolean
}

/** The error for a run that has not made a record of every row; undefined if it has. */
export function runError(
  { counts, problemRows, ended, stoppedBy, left }: ImportResult,
  { hint, next = [], stop }: ImportAdvice & { readonly stop: AbortSignal },
): PayError | undefined {
  const details: ErrorDetails = {
    operation: createExternalPayment.id,
    validationErrors: problemRows.map(rowProblem),
    hint: RESUMES,
    retryable: true,
    next: next.length === 0 ? undefined : next,
  }
  const soFar = `${pluralize(counts.rows, 'row is', 'rows are')} done`
  if (ended === 'halted') {
    const { code, exitCode } = interruptedBy(stop)
    return new PayError(code, exitCode, `Interrupted: ${soFar}`, details)
  }
  if (ended === 'too-many-failures')
    return new PayError(
      'max_failures',
      EXIT.bulk,
      `Stopped by --max-failures${stoppedBy === undefined ? '' : ` at ${nameOf(stoppedBy)}`}: ${soFar}, ${countsInWords(counts)}`,
      {
        ...details,
        validationErrors: withStoppingRow(problemRows, stoppedBy).map(rowProblem),
        hint: `${RESUMES}, once --max-failures allows more. --restart starts over.`,
      },
    )
  if (ended === 'trial')
    return new PayError(
      'rest_not_sent',
      EXIT.bulk,
      `Only the first rows were sent: ${soFar}, ${countsInWords(counts)}`,
      { ...details, hint: `${RESUMES}; add --yes to send the rest.` },
    )
  if (ended !== undefined && isRateLimited(ended))
    return new PayError(ended.code, ended.exitCode, `${ended.message}; ${soFar}, ${leftInWords(left)} left`, {
      ...ended.details,
      ...details,
      hint: `${RESUMES}. --max-wait waits longer.`,
      outcome: undefined,
    })
  if (ended !== undefined)
    return new PayError(ended.code, EXIT.bulk, `${ended.message}; ${soFar}`, {
      ...ended.details,
      ...details,
      hint: ended.details.hint ?? RESUMES,
      outcome: undefined,
    })
  if (counts.rows === counts.created + counts.updated) return undefined
  return new PayError('rows_failed', EXIT.bulk, `Not every row became a record: ${countsInWords(counts)}`, {
    ...details,
    retryable: undefined,
    hint,
  })
}

function leftInWords(left: ImportResult['left']): string {
  if (left === undefined) return 'the others are'
  return `${left.isEstimate ? 'about ' : ''}${pluralize(left.rows, 'is', 'are')}`
}

/** Whether the service only asked to wait, so that the rows that are left have not failed. */
export const isRateLimited = (ended: RunResult['ended']): boolean =>
  ended instanceof PayError && ended.exitCode === EXIT.rateLimited

/** Adds the row that stopped the run to the rows to name. */
const withStoppingRow = (
  problemRows: readonly ProblemRow[],
  stoppedBy: ProblemRow | undefined,
): readonly ProblemRow[] =>
  stoppedBy === undefined || problemRows.some(({ row }) => row === stoppedBy.row)
    ? problemRows
    : [...problemRows, stoppedBy]

const nameOf = ({ row, line, id }: ProblemRow): string =>
  `row ${row} (line ${line})${id === '' ? '' : ` ${id}`}`

export const rowProblem = (problem: ProblemRow) => ({
  path: nameOf(problem),
  description: `${problem.outcome}${problem.message === '' ? '' : `: ${problem.message}`}`,
})
