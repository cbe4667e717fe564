import { switchFlag, textFlag } from '../../cli/command/input.ts'
import type { CommandInput } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { resultOf } from '../../cli/command/result.ts'
import type { Result } from '../../cli/command/result.ts'
import type { CommandRun, CommandSpec } from '../../cli/command/spec.ts'
import { EXIT, UsageError } from '../../errors.ts'
import { resolutionView } from '../../views/ops/resolution.ts'
import { isOpen } from '../../views/ops/state.ts'
import { createResolver, shownResolution, alreadySettled } from './resolve-record.ts'
import { resendConfirmed } from './resend-confirmed.ts'
import { planResolutions } from './resolution-plan.ts'
import { resolveAll } from './resolve-all.ts'
import { unresolvedError } from './unresolved.ts'
import {
  ID_ARGUMENT,
  askOperationId,
  findReadableRecord,
  openLedger,
  readProfileFilter,
} from './record-arguments.ts'

export const command: CommandSpec = {
  path: ['ops', 'resolve'],
  summary: 'Find the outcome of writes in doubt, and finish them',
  details: [
    "Reads the payment first. If it shows the write, nothing is sent: it has reached the state, or has an equal refund or capture that this ledger doesn't know, yours or a colleague's. If it doesn't, the recorded request goes out again with its own idempotency key; a live profile asks first. If the write is older than 23 hours or was sent with another API key, the payment is only read.",
    '',
    'A write that a payment does not show counts as not done once its last attempt is older than its timeout plus five minutes, or plus 30 seconds on a test profile: until then it may still arrive. The clock that gives the lowest age decides.',
    '',
    'To send a write although the payment may show it, use --resend: it asks in person. It also sends a write that was confirmed only because the payment showed an equal one, for up to 23 hours.',
    '',
    'Exit code 0: none of the writes is open. 10: at least one is, such as one that another process is still sending, which is left alone. 6: none is, but a record is damaged and the outcome of its write is unknown.',
  ].join('\n'),
  examples: [
    { purpose: 'resolve everything in doubt', line: 'pay ops resolve --all' },
    { purpose: 'show what that would do', line: 'pay ops resolve --all --dry-run' },
    { purpose: 'resolve one write', line: 'pay ops resolve "$OPERATION"' },
  ],
  args: [{ ...ID_ARGUMENT, optional: true }],
  flags: {
    all: { kind: 'switch', help: 'Resolve all open writes; with --profile, only those of that profile' },
    resend: {
      kind: 'switch',
      help: 'Send it although the payment may show it already; asks in person, and --yes does not answer',
    },
  },
  supportsDryRun: true,
  run,
  risk: 'money',
  asksOnLive: true,
  effect: "May send the same request again with the same idempotency key. You can't undo what it finishes.",
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

async function run(invocation: CommandRun, input: CommandInput): Promise<Result> {
  const isAll = switchFlag(input, 'all')
  const id = isAll ? input.args['ID'] : await askOperationId(invocation)
  const profile = readProfileFilter(textFlag(input, 'profile'), switchFlag(input, 'sandbox'))
  if (id === undefined && !isAll)
    throw new UsageError('Missing: an operation ID, or --all', {
      code: 'missing_input',
      next: ['pay ops list --state in-doubt', 'pay ops resolve --all'],
    })
  if (id !== undefined && isAll)
    throw new UsageError('Use either an operation ID or --all, not both', { code: 'given_twice' })
  const resends = switchFlag(input, 'resend')
  if (id === undefined && resends)
    throw new UsageError('--resend is for one write at a time: name its operation ID', {
      code: 'missing_input',
    })
  return id === undefined ? resolveAll(invocation, profile) : resolveOne(invocation, id, resends)
}

async function resolveOne(invocation: Invocation, start: string, resends: boolean): Promise<Result> {
  const ledger = await openLedger(invocation)
  const { record } = await findReadableRecord(ledger, start)
  if (resends && record.endedBy === 'effect' && invocation.settings.mode !== 'dry-run')
    return resultOf(shownResolution(await resendConfirmed(invocation, ledger, record)), resolutionView)
  if (!isOpen(record)) return resultOf(shownResolution(alreadySettled(record)), resolutionView)
  if (invocation.settings.mode === 'dry-run') {
    const [plan] = await planResolutions(invocation, [record])
    if (plan !== undefined) return resultOf(plan, resolutionView)
  }
  const resolved = await createResolver(invocation, ledger, { resends })(record.id)
  if (resolved.record.state === 'in-doubt') throw resolved.problem ?? unresolvedError(resolved)
  return resultOf(shownResolution(resolved), resolutionView)
}
