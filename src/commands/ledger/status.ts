import type { Invocation } from '../../cli/command/invocation.ts'
import { resultOf } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { EXIT } from '../../errors.ts'
import { OPEN_STATES } from '../../ledger/record.ts'
import { FILE_VERSION, TEAM_VERSION } from '../../ledger/tables.ts'
import { ledgerStatusView } from '../../views/ops/ledger.ts'
import { accountInUse } from '../../cli/account/account-in-use.ts'

export const command: CommandSpec = {
  path: ['ledger', 'status'],
  summary: 'Show which ledger is in use, and its open writes',
  examples: [
    { purpose: 'show the ledger in use', line: 'pay ledger status' },
    { purpose: 'list its open writes, for a script', line: 'pay ledger status --query open' },
  ],
  run,
  exitCodes: [EXIT.auth, EXIT.notConnected],
  related: ['ops list', 'ledger join', 'doctor'],
}

async function run(invocation: Invocation) {
  const { context } = invocation
  const account = accountInUse(invocation)
  const team = account.ledger.kind === 'team' ? account.ledger : undefined
  const store = team === undefined ? undefined : await context.teamStore(team, {})
  const { ledgerIdIn } = await import('../../ledger/team/set-up.ts')
  const hasJoined = team === undefined || team.account !== undefined
  const records = hasJoined
    ? (await (await context.ledger(account)).list({ states: OPEN_STATES })).records
    : []
  return resultOf(
    {
      kind: team === undefined ? ('local' as const) : ('postgres' as const),
      url: team?.url ?? null,
      ledgerId: (await store?.reading(ledgerIdIn)) ?? null,
      version: team === undefined ? FILE_VERSION : TEAM_VERSION,
      account: team?.account ?? null,
      open: records.map(({ id, operation, target, user, host, leaseUntil = null }) => ({
        operationId: id,
        operation,
        target,
        owner: `${user}@${host}`,
        leaseUntil,
      })),
    },
    ledgerStatusView,
  )
}
