import type { Invocation } from '../../cli/command/invocation.ts'
import { resultOf } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { EXIT } from '../../errors.ts'
import { OPEN_STATES } from '../../client/ledger/record.ts'
import { FILE_VERSION, TEAM_VERSION } from '../../client/ledger/tables.ts'
import { renderDetails } from '../../output/details.ts'
import { renderTable } from '../../output/table.ts'
import type { View } from '../../output/view.ts'
import { formatField } from '../../views/format-fields.ts'
import { formatTarget } from '../../views/ops/state.ts'
import { accountInUse, selectAccount } from '../../cli/account/account.ts'
import { textFlag } from '../../cli/command/input.ts'

export const command: CommandSpec = {
  path: ['ledger', 'status'],
  summary: 'Show which ledger is in use, and its open writes',
  examples: [
    { purpose: 'show the ledger in use', line: 'pay ledger status' },
    { purpose: 'list its open writes, for a script', line: 'pay ledger status --query open' },
  ],
  run: async (invocation) => resultOf(await statusOf(invocation), ledgerStatusView),
  exitCodes: [EXIT.auth, EXIT.notConnected],
  related: ['ops list', 'ledger join', 'doctor'],
}

async function statusOf(invocation: Invocation) {
  const { context, input } = invocation
  // A misspelt profile has no ledger to show.
  const isNamed = textFlag(input, 'profile') !== undefined
  const account = isNamed ? selectAccount(context, input, false).account : accountInUse(invocation)
  const team = account.ledger.kind === 'team' ? account.ledger : undefined
  const store = team === undefined ? undefined : await context.teamStore(team, {})
  const { ledgerIdIn } = await import('../../client/ledger/team/set-up.ts')
  const hasJoined = team === undefined || team.account !== undefined
  const records = hasJoined
    ? (await (await context.ledger(account)).list({ states: OPEN_STATES })).records
    : []
  return {
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
  }
}

const ledgerStatusView: View<Awaited<ReturnType<typeof statusOf>>> = {
  ids: ({ ledgerId }) => (ledgerId === null ? [] : [ledgerId]),
  csvColumns: ['kind', 'url', 'ledgerId', 'version', 'account'],
  render: ({ url, account, ledgerId, open }, options) =>
    [
      renderDetails(options, [
        ['Ledger', url === null ? 'this machine only' : formatField(url)],
        ['Account', account === null ? (url === null ? undefined : 'not joined') : formatField(account)],
        ['ID', ledgerId ?? undefined],
        ['Open writes', open.length === 0 ? 'none' : String(open.length)],
      ]),
      ...(open.length === 0
        ? []
        : [
            renderTable(
              [
                { title: 'ID', text: ({ operationId }) => formatField(operationId.slice(0, 8)) },
                { title: 'OPERATION', text: ({ operation }) => formatField(operation) },
                {
                  title: 'TARGET',
                  text: ({ target }) => (target === null ? '' : formatTarget(target)),
                  shrink: true,
                },
                { title: 'BY', text: ({ owner }) => formatField(owner) },
                { title: 'LEASE', text: ({ leaseUntil }) => leaseUntil?.slice(11, 19) ?? '', drop: 1 },
              ],
              open,
              options,
            ),
          ]),
    ].join('\n\n'),
}
