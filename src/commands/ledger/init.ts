import { switchFlag } from '../../cli/command/input.ts'
import type { CommandInput } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { resultOf } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { EXIT } from '../../errors.ts'
import { TEAM_VERSION } from '../../client/ledger/tables.ts'
import type { View } from '../../output/view.ts'
import { formatField } from '../../views/format-fields.ts'
import { findTeam } from './team-choice.ts'

export const command: CommandSpec = {
  path: ['ledger', 'init'],
  summary: "Make the tables and roles of a team's ledger",
  details:
    'Run it as the owner of the database, which needs PostgreSQL 15 or newer: name that user in the URL. Makes what is missing, changes nothing else, and prints the lines that admit a member. A role that may not create roles needs pay_writer and pay_reader to be there.',
  examples: [
    { purpose: 'make the ledger in a database of its own', line: 'pay ledger init' },
    { purpose: 'after an update of pay that says so', line: 'pay ledger init --upgrade' },
  ],
  flags: { upgrade: { kind: 'switch', help: 'Change the tables of an earlier version of pay' } },
  run,
  risk: 'write',
  effect: 'Makes tables, a trigger and two roles in the database. Sends nothing.',
  exitCodes: [EXIT.auth, EXIT.notConnected],
  related: ['ledger join', 'ledger status', 'profile set'],
}

async function run(invocation: Invocation, input: CommandInput) {
  const { context } = invocation
  const { url, schema } = findTeam(invocation)
  const store = await context.teamStore({ url, id: undefined, schema }, { hasTables: false })
  const { makeTables } = await import('../../client/ledger/team/set-up.ts')
  const made = await makeTables(store, { newId: context.newId, mayUpgrade: switchFlag(input, 'upgrade') })
  return resultOf({ url, ...made, version: TEAM_VERSION, grants: GRANTS }, ledgerMadeView)
}

const GRANTS = ['GRANT pay_writer TO "MEMBER";', 'GRANT pay_reader TO "AUDITOR";']

const ledgerMadeView: View<{
  readonly url: string
  readonly ledgerId: string
  readonly isNew: boolean
  readonly grants: readonly string[]
}> = {
  ids: ({ ledgerId }) => [ledgerId],
  csvColumns: ['url', 'ledgerId', 'version', 'isNew'],
  render: ({ url, ledgerId, isNew, grants }) =>
    [
      `${isNew ? 'Made' : 'Ready'}: ${formatField(url)} (${formatField(ledgerId)})`,
      'Each member needs one of these, run by the owner: the first may send, the second only looks.',
      ...grants.map((grant) => `  ${grant}`),
    ].join('\n'),
}
