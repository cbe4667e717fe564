import type { CommandInput } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { resultOf } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import type { LimitsInTime } from '../../client/ledger/port.ts'
import type { Room } from '../../client/ledger/limits-in-time.ts'
import { EXIT, PayError } from '../../errors.ts'
import type { View } from '../../output/view.ts'
import { renderDetails } from '../../output/details.ts'
import { formatField } from '../../views/format-fields.ts'
import { LIFTED, LIMIT_FLAGS, readLimitFlags } from '../limit-flags.ts'
import { findTeam } from './team-choice.ts'

export const command: CommandSpec = {
  path: ['ledger', 'limit'],
  summary: "Show or set the limits over time of a team's account",
  details: [
    'The limits hold for every member: --max-total counts the refunds of the account in this ledger, --max-count all its writes that move money. A write counts from when it began, unless it was refused; one that is open counts however old it is. A write that would pass a limit is exit 12 over_limit_in_time, and nothing is sent.',
    '',
    "Only the database's owner can set them: name that user in the URL. What you give replaces all limits of the account. Without flags, shows the limits and what is left of them.",
  ].join('\n'),
  examples: [
    { purpose: 'show what is left', line: 'pay ledger limit' },
    {
      purpose: 'limit the refunds of a day, as the owner',
      line: 'pay ledger limit --max-total "2000 EUR/24h"',
    },
    { purpose: 'lift both limits, as the owner', line: 'pay ledger limit --max-total none --max-count none' },
  ],
  flags: LIMIT_FLAGS,
  run,
  risk: 'write',
  effect: "Changes the account's limits in the ledger, for every member. Sends nothing.",
  exitCodes: [EXIT.auth, EXIT.notConnected],
  related: ['profile set', 'ledger status', 'ledger join'],
}

async function run(invocation: Invocation, input: CommandInput) {
  const { context } = invocation
  const team = findTeam(invocation)
  const change = readLimitFlags(input)
  const ledger = await context.ledger(await invocation.account())
  const account = ledger.team?.account ?? ''
  if (Object.keys(change).length > 0) {
    const limits: LimitsInTime = {
      ...(change.maxTotal === LIFTED ? {} : { maxTotal: change.maxTotal }),
      ...(change.maxCount === LIFTED ? {} : { maxCount: change.maxCount }),
    }
    const store = await context.teamStore(team, {})
    const { setAccountLimits } = await import('../../client/ledger/team/set-up.ts')
    await setAccountLimits(store, account, limits).catch((error: unknown) => {
      throw error instanceof PayError && error.code === 'ledger_refused' ? ownersOnly(error) : error
    })
  }
  const room = await ledger.room({ account, profile: null, baseUrl: '' }, {})
  return resultOf({ account, limits: room }, limitsView)
}

const ownersOnly = (cause: PayError): PayError =>
  new PayError(
    'ledger_refused',
    EXIT.auth,
    'Only the owner of the database can set the limits of an account',
    {
      outcome: 'none',
      retryable: false,
      hint: "Name the owner in the ledger's URL: PAY_LEDGER replaces the profile's for one command.",
      cause,
    },
  )

const limitsView: View<{ readonly account: string; readonly limits: readonly Room[] }> = {
  ids: ({ account }) => [account],
  csvColumns: ['account'],
  render: ({ account, limits }, options) =>
    renderDetails(
      options,
      [['Account', formatField(account)]],
      limits.length === 0
        ? [['Limits', 'none']]
        : limits.map(({ limit, left }) => [limit, `${left} left`] as const),
    ),
}
