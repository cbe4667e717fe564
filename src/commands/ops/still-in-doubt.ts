import { EXIT, PayError } from '../../errors.ts'
import type { DamagedFile } from '../../ledger/listing.ts'
import { describeOperation } from '../../views/ops/state.ts'
import type { ClearedUp } from './clear-up.ts'
import { lookAt } from './next.ts'

/** One that nobody could find out about. */
export const stillInDoubt = ({ record, words }: ClearedUp): PayError =>
  new PayError('outcome_unknown', EXIT.outcomeUnknown, `Still in doubt: ${describeOperation(record)}`, {
    operation: record.operation,
    operationId: record.id,
    idempotencyKey: record.idempotencyKey ?? undefined,
    outcome: 'unknown',
    retryable: true,
    hint: words,
    next: [...lookAt(record), `pay ops show ${record.id}`, `pay ops abandon ${record.id}`],
  })

/** What stays in doubt of many; `damaged` are records that can't be read. */
export function someInDoubt(
  all: readonly ClearedUp[],
  damaged: readonly DamagedFile[],
): PayError | undefined {
  const open = all.filter(({ record }) => record.state === 'in-doubt')
  const unreadable = damaged.length
  if (open.length === 0) return unreadable === 0 ? undefined : onlyDamaged(damaged)
  const left = [
    ...(open.length === 0
      ? []
      : [`${open.length} of ${all.length} ${open.length === 1 ? 'is' : 'are'} still in doubt`]),
    ...(unreadable === 0 ? [] : [`${unreadable} ${unreadable === 1 ? 'is' : 'are'} damaged`]),
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
      ...damaged.slice(0, 1).map(({ name }) => `pay ops abandon ${name}`),
    ],
  })
}

/** To try again would change nothing: a person has to look. */
const onlyDamaged = (damaged: readonly DamagedFile[]): PayError =>
  new PayError(
    'ledger_damaged',
    EXIT.conflict,
    `Not all is known: ${damaged.map(({ name }) => name).join(', ')} ${damaged.length === 1 ? 'is' : 'are'} damaged`,
    {
      outcome: 'unknown',
      retryable: false,
      hint: 'Such a write may have been done: look at the service. Then pay ops abandon sets the file aside.',
      next: damaged.map(({ name }) => `pay ops abandon ${name}`),
    },
  )
