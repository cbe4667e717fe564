import { EXIT, PayError } from '../../errors.ts'
import { operationText } from '../../views/operation-state.ts'
import type { DamagedFile } from '../../ledger/listing.ts'
import type { ClearedUp } from './clear-up.ts'
import { unreadable } from './found-record.ts'
import { lookAt } from './next.ts'

/** One that nobody could find out about. */
export const stillInDoubt = ({ record, words }: ClearedUp): PayError =>
  new PayError('outcome_unknown', EXIT.outcomeUnknown, `Still in doubt: ${operationText(record)}`, {
    operation: record.operation,
    operationId: record.id,
    idempotencyKey: record.idempotencyKey ?? undefined,
    outcome: 'unknown',
    retryable: true,
    hint: words,
    next: [...lookAt(record), `pay ops show ${record.id}`, `pay ops abandon ${record.id}`],
  })

/** What stays in doubt of many; `damaged` are records that nobody can even read. */
export function someInDoubt(
  all: readonly ClearedUp[],
  damaged: readonly DamagedFile[],
): PayError | undefined {
  const open = all.filter(({ record }) => record.state === 'in-doubt')
  const [first, ...others] = damaged
  if (open.length === 0) return first === undefined ? undefined : unreadable(first, ...others)
  const left = [
    `${open.length} of ${all.length} ${open.length === 1 ? 'is' : 'are'} still in doubt`,
    ...(first === undefined ? [] : [`${damaged.length} ${others.length === 0 ? 'is' : 'are'} damaged`]),
  ].join(', ')
  const problems = open.flatMap(({ problem }) => (problem === undefined ? [] : [problem]))
  return new PayError('outcome_unknown', EXIT.outcomeUnknown, `Not all is known: ${left}`, {
    outcome: 'unknown',
    retryable: true,
    hint:
      problems.find(({ details }) => details.hint !== undefined)?.details.hint ??
      'Each says above what to look at. What a person has found out is ended with pay ops abandon.',
    next: [
      'pay ops list --state in-doubt',
      ...open.slice(0, 1).map(({ record }) => `pay ops show ${record.id}`),
    ],
  })
}
