import { EXIT, PayError } from '../../errors.ts'
import type { DamagedRecord } from '../../client/ledger/entry.ts'
import { hasEnded } from '../../client/ledger/record.ts'
import { describeOperation } from '../../views/ops/state.ts'
import type { ResolvedRecord } from './resolve-record.ts'
import { inspectCommands } from './next-commands.ts'
import { agree, pluralize } from '../../text/words.ts'

/** The error for one record that stays in doubt. */
export const unresolvedError = ({ record, explanation }: ResolvedRecord): PayError =>
  new PayError('outcome_unknown', EXIT.outcomeUnknown, `Still in doubt: ${describeOperation(record)}`, {
    operation: record.operation,
    operationId: record.id,
    idempotencyKey: record.idempotencyKey ?? undefined,
    outcome: 'unknown',
    retryable: true,
    hint: explanation,
    next: [...inspectCommands(record), `pay ops show ${record.id}`, `pay ops abandon ${record.id}`],
  })

/** The error for a run over several records, or undefined if none is open or damaged. */
export function unresolvedSummaryError(
  all: readonly ResolvedRecord[],
  damaged: readonly DamagedRecord[],
): PayError | undefined {
  const open = all.filter(({ record }) => !hasEnded(record))
  const isSending = open.some(({ record }) => record.state === 'sending')
  const unreadable = damaged.length
  if (open.length === 0) return unreadable === 0 ? undefined : damagedError(damaged)
  const counts = [
    `${open.length} of ${all.length} ${agree(open.length, 'is', 'are')} still ${isSending ? 'open' : 'in doubt'}`,
    ...(unreadable === 0 ? [] : [`${pluralize(unreadable, 'is', 'are')} damaged`]),
  ].join(', ')
  const problems = open.flatMap(({ problem }) => (problem === undefined ? [] : [problem]))
  return new PayError('outcome_unknown', EXIT.outcomeUnknown, `Some outcomes are unknown: ${counts}`, {
    outcome: 'unknown',
    retryable: true,
    hint:
      problems.find(({ details }) => details.hint !== undefined)?.details.hint ??
      'The lines above say what to check for each. Once you know the outcome, run pay ops abandon.',
    next: [
      `pay ops list --state in-doubt${isSending ? ',sending' : ''}`,
      ...open.slice(0, 1).map(({ record }) => `pay ops show ${record.id}`),
      ...damaged.slice(0, 1).map(({ id }) => `pay ops abandon ${id}`),
    ],
  })
}

/** Not retryable: a damaged record stays damaged, so a person must check. */
const damagedError = (damaged: readonly DamagedRecord[]): PayError =>
  new PayError(
    'ledger_damaged',
    EXIT.conflict,
    `Some outcomes are unknown: ${damaged.map(({ id }) => id).join(', ')} ${agree(damaged.length, 'is', 'are')} damaged`,
    {
      outcome: 'unknown',
      retryable: false,
      hint: 'These writes may have been done: check the service, then set the records aside with pay ops abandon.',
      next: damaged.map(({ id }) => `pay ops abandon ${id}`),
    },
  )
