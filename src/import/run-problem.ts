import { createExternalPayment } from '../api/operations/observability.ts'
import type { Counts, ProblemRow } from '../bulk/keep/counts.ts'
import { isWhole } from '../bulk/keep/counts.ts'
import { EXIT, PayError, interruptedBy } from '../errors.ts'
import type { ErrorDetails } from '../errors.ts'
import type { SentImport } from '../commands/observability/import/send.ts'

const OUTCOMES = ['created', 'updated', 'skipped', 'failed', 'unknown'] as const

const GOES_ON = 'The same command resumes after the rows that are done'

/** What the person can do about it. */
export interface ImportAdvice {
  /** Where rows failed or were skipped. */
  readonly hint: string | undefined
  /** Commands to type next. */
  readonly next?: readonly string[]
}

/** What is reported on stderr of a run that has not made a record of every row. */
export function problemOf(
  { counts, troubles, ended, stoppedBy }: SentImport,
  { hint, next = [], stop }: ImportAdvice & { readonly stop: AbortSignal },
): PayError | undefined {
  const details: ErrorDetails = {
    operation: createExternalPayment.id,
    validationErrors: troubles.map(problemRowLine),
    hint: GOES_ON,
    retryable: true,
    next: next.length === 0 ? undefined : next,
  }
  const soFar = `${counts.rows} ${counts.rows === 1 ? 'row is' : 'rows are'} done`
  if (ended === 'halted') {
    const { code, exitCode } = interruptedBy(stop)
    return new PayError(code, exitCode, `Interrupted: ${soFar}`, details)
  }
  if (ended === 'too-many-failures')
    return new PayError(
      'max_failures',
      EXIT.bulk,
      `Stopped by --max-failures${stoppedBy === undefined ? '' : ` at ${placeOf(stoppedBy)}`}: ${soFar}, ${wordsOf(counts)}`,
      {
        ...details,
        validationErrors: namedAmong(troubles, stoppedBy).map(problemRowLine),
        hint: `${GOES_ON}, once --max-failures allows more. --restart starts over.`,
      },
    )
  if (ended === 'trial')
    return new PayError(
      'rest_not_sent',
      EXIT.bulk,
      `Only the first rows were sent: ${soFar}, ${wordsOf(counts)}`,
      {
        ...details,
        hint: `${GOES_ON}; add --yes to send the rest.`,
      },
    )
  if (ended !== undefined)
    return new PayError(ended.code, EXIT.bulk, `${ended.message}; ${soFar}`, {
      ...ended.details,
      ...details,
      hint: ended.details.hint ?? GOES_ON,
      outcome: undefined,
    })
  if (isWhole(counts)) return undefined
  return new PayError('rows_failed', EXIT.bulk, `Not every row became a record: ${wordsOf(counts)}`, {
    ...details,
    retryable: undefined,
    hint,
  })
}

/** "3 created, 1 failed". */
export const wordsOf = (counts: Counts): string =>
  OUTCOMES.flatMap((name) => (counts[name] === 0 ? [] : [`${counts[name]} ${name}`])).join(', ') || 'none'

/** The row that stopped the run is one of those that are named. */
const namedAmong = (
  troubles: readonly ProblemRow[],
  stoppedBy: ProblemRow | undefined,
): readonly ProblemRow[] =>
  stoppedBy === undefined || troubles.some(({ row }) => row === stoppedBy.row)
    ? troubles
    : [...troubles, stoppedBy]

const placeOf = ({ row, paymentId }: Pick<ProblemRow, 'row' | 'paymentId'>): string =>
  `row ${row}${paymentId === '' ? '' : ` (${paymentId})`}`

export const problemRowLine = ({ row, paymentId, outcome, message }: ProblemRow) => ({
  path: placeOf({ row, paymentId }),
  description: `${outcome}${message === '' ? '' : `: ${message}`}`,
})
