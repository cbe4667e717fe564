import { switchFlag } from '../../cli/command/input.ts'
import type { CommandInput } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { resultOf } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { refuseOpenWrites } from '../../cli/account/open-ledger.ts'
import { accountOf } from '../../client/calls/build-intent.ts'
import { checkLedgerAccount } from '../../client/config/ledger-choice.ts'
import { AuthError, EXIT } from '../../errors.ts'
import type { View } from '../../output/view.ts'
import { formatField } from '../../views/format-fields.ts'
import { updateStoredProfiles } from '../../cli/account/update-stored-profiles.ts'
import { findTeam } from './team-choice.ts'
import { pluralize } from '../../text/words.ts'

export const command: CommandSpec = {
  path: ['ledger', 'join'],
  summary: "Join a team's ledger: say to which account your API key belongs",
  details: [
    'Colleagues with other API keys of the same merchant join the same name: from then on, their writes block, and are seen by, each other. Copies the tickets of this machine and the writes it confirmed during the last day, and remembers which ledger it is.',
    '',
    'The names are those of the team, and have to be right: of two names for one merchant, neither sees the writes of the other.',
  ].join('\n'),
  examples: [
    { purpose: 'the first member', line: 'pay ledger join acme --create' },
    { purpose: 'everyone else', line: 'pay ledger join acme' },
  ],
  args: [{ name: 'ACCOUNT', help: "The merchant's name in this ledger" }],
  flags: { create: { kind: 'switch', help: 'The name is new' } },
  run,
  risk: 'write',
  effect:
    "Adds this API key's hash to the ledger, and stores the ledger's ID and schema in the profile. Sends nothing.",
  exitCodes: [EXIT.auth, EXIT.notFound, EXIT.conflict, EXIT.notConnected],
  related: ['ledger init', 'ledger status', 'profile set'],
}

const DAY_MS = 24 * 60 * 60 * 1000

async function run(invocation: Invocation, input: CommandInput) {
  const { context } = invocation
  const team = findTeam(invocation)
  const used = await invocation.account()
  if (used.apiKey === undefined) throw new AuthError('There is no API key to join with')
  const name = checkLedgerAccount(input.args['ACCOUNT'] ?? '', 'ACCOUNT')
  const apiKeyId = accountOf({ baseUrl: used.baseUrl.value, apiKey: used.apiKey.value })
  const local = await context.ledger(undefined)
  await refuseOpenWrites(local, used)
  const store = await context.teamStore({ url: team.url, id: undefined, schema: undefined }, {})
  const by = `${context.program.user()}@${context.program.machine}`
  const { addMember } = await import('../../client/ledger/team/set-up.ts')
  const isNew = switchFlag(input, 'create')
  const { ledgerId, schema } = await addMember(store, { account: name, apiKeyId, by, isNew })
  const entries = await local.notable(apiKeyId, new Date(context.now().getTime() - DAY_MS))
  const joined = { ...team, account: name, id: ledgerId, schema, replacesLocal: false }
  const ledger = await context.ledger({ ...used, ledger: joined })
  const copied = await ledger.add(
    entries.map((entry) => ({ ...entry, record: { ...entry.record, account: name } })),
  )
  const { profile } = used
  const isStored = profile !== undefined && team.source === `profile ${profile.value}`
  if (isStored)
    await updateStoredProfiles(invocation, (file) => {
      const stored = file.profiles.get(profile.value)
      if (stored === undefined) return file
      const next = { ...stored, ledgerAccount: name, ledgerId, ledgerSchema: schema }
      return { ...file, profiles: new Map([...file.profiles, [profile.value, next]]) }
    })
  return resultOf({ url: team.url, ledgerId, account: name, copied }, ledgerJoinedView)
}

const ledgerJoinedView: View<{ readonly url: string; readonly account: string; readonly copied: number }> = {
  ids: ({ account }) => [account],
  csvColumns: ['url', 'ledgerId', 'account', 'copied'],
  render: ({ url, account, copied }) =>
    `Joined ${formatField(account)} in ${formatField(url)}. Copied ${pluralize(copied, 'record')} of this machine.`,
}
