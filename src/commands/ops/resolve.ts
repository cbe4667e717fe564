import { switchFlag, textFlag } from '../../cli/command/input.ts'
import type { CommandInput } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { resultOf } from '../../cli/command/result.ts'
import type { Result } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { EXIT, UsageError } from '../../errors.ts'
import { resolutionView } from '../../views/ops/resolution.ts'
import { isOpen } from '../../views/ops/state.ts'
import { createClearing, shownResolution, withoutDoubt } from './clear-up.ts'
import { foundRecord } from './found-record.ts'
import { ID_ARGUMENT } from './id-argument.ts'
import { plansFor } from './plan.ts'
import { profileFilter } from './profile-filter.ts'
import { resolveAll } from './resolve-all.ts'
import { stillInDoubt } from './still-in-doubt.ts'

export const command: CommandSpec = {
  path: ['ops', 'resolve'],
  summary: 'Find out what became of writes whose outcome is not known, and finish them',
  details: [
    'Reads what the service has now. Where that does not tell, the same request is sent again with the same idempotency key, so that it cannot be done twice; on a live profile only after a yes. What stays in doubt is for a person: look, then pay ops abandon.',
    '',
    'Exit code 0: nothing that was looked at is in doubt. 10: something is. 6: nothing is, but a record is damaged, and what became of its write is unknown. A write that a process is still sending is left alone.',
  ].join('\n'),
  examples: [
    { says: 'everything that is in doubt', line: 'pay ops resolve --all' },
    { says: 'what that would do', line: 'pay ops resolve --all --dry-run' },
    { says: 'one of them', line: 'pay ops resolve "$OPERATION"' },
  ],
  args: [{ ...ID_ARGUMENT, optional: true }],
  flags: { all: { kind: 'switch', help: 'Everything that is open; with --profile, of that profile' } },
  supportsDryRun: true,
  run,
  risk: 'money',
  asksOnLive: true,
  effect:
    'May send the same request again, with the same idempotency key, so that it is done once. What was done stays done.',
  exitCodes: [
    EXIT.auth,
    EXIT.notFound,
    EXIT.conflict,
    EXIT.notConnected,
    EXIT.outcomeUnknown,
    EXIT.serverFault,
  ],
  related: ['ops list', 'ops show', 'ops abandon'],
}

async function run(invocation: Invocation, input: CommandInput): Promise<Result> {
  const id = input.args['ID']
  const isAll = switchFlag(input, 'all')
  const profile = profileFilter(textFlag(input, 'profile'), switchFlag(input, 'sandbox'))
  if (id === undefined && !isAll)
    throw new UsageError('Name an operation, or say --all', {
      code: 'missing_input',
      next: ['pay ops list --state in-doubt', 'pay ops resolve --all'],
    })
  if (id !== undefined && isAll)
    throw new UsageError('An operation and --all contradict each other', { code: 'given_twice' })
  return id === undefined ? resolveAll(invocation, profile) : resolveOne(invocation, id)
}

async function resolveOne(invocation: Invocation, start: string): Promise<Result> {
  const ledger = await invocation.context.ledger()
  const { record } = await foundRecord(ledger, start)
  if (!isOpen(record)) return resultOf(shownResolution(withoutDoubt(record)), resolutionView)
  if (invocation.settings.mode === 'dry-run') {
    const [plan] = await plansFor(invocation, [record])
    if (plan !== undefined) return resultOf(plan, resolutionView)
  }
  const cleared = await createClearing(invocation, ledger)(record.id)
  if (cleared.record.state === 'in-doubt') throw cleared.problem ?? stillInDoubt(cleared)
  return resultOf(shownResolution(cleared), resolutionView)
}
