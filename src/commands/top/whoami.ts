import { selectAccount } from '../../cli/account/account.ts'
import { roomOf } from '../../cli/account/room.ts'
import type { Room } from '../../client/ledger/limits-in-time.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { resultOf } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { describeLedger } from '../../client/config/ledger-choice.ts'
import type { Account, Sourced } from '../../client/config/resolve-account.ts'
import { profilePath } from '../../client/config/read-profiles.ts'
import { renderDetails } from '../../output/details.ts'
import { safeText } from '../../output/safe-text.ts'
import type { View } from '../../output/view.ts'
import { formatApiKey } from '../../views/format-fields.ts'
import { formatMode, limitDetails, roomDetails } from '../../views/profile.ts'

export const command: CommandSpec = {
  path: ['whoami'],
  summary: 'Show which account is in use, and why',
  details: 'Shows the account that a command would use, and where each value comes from. Needs no network.',
  examples: [
    { purpose: 'show the account in use', line: 'pay whoami --sandbox' },
    { purpose: 'print whether it is live, for a script', line: 'pay whoami --sandbox --query mode.value' },
  ],
  run: async ({ context, noteSandbox, warn }, input) => {
    const { account, warnings } = selectAccount(context, input, false)
    for (const line of warnings) await warn(`Warning: ${line}`)
    if (account.kind === 'sandbox') await noteSandbox()
    const room = await roomOf(context, account)
    const identity = identityOf(account, context)
    return resultOf(room.length === 0 ? identity : { ...identity, room }, whoamiView)
  },
  related: ['doctor', 'profile list', 'profile use'],
}

function identityOf(account: Account, { configFolder, stateFolder }: Invocation['context']) {
  const { profile, mode, baseUrl, apiKey, keyCommand, apiVersion, limits, ledger } = account
  return {
    profile,
    mode,
    baseUrl: account.kind === 'sandbox' ? { value: 'embedded sandbox', source: baseUrl.source } : baseUrl,
    apiKey:
      apiKey === undefined
        ? keyCommand && { value: keyCommand.value, source: keyCommand.source }
        : {
            value: account.kind === 'sandbox' ? apiKey.value : formatApiKey(apiKey.value),
            source: apiKey.source,
          },
    apiVersion,
    ledger: { value: describeLedger(ledger), source: ledger.source },
    limits,
    configFile: profilePath(configFolder),
    stateFolder,
  }
}

const whoamiView: View<ReturnType<typeof identityOf> & { readonly room?: readonly Room[] }> = {
  ids: (identity) => (identity.profile === undefined ? [] : [identity.profile.value]),
  csvColumns: ['profile.value', 'mode.value', 'baseUrl.value'],
  render: (identity, { paint, width }) => {
    const from = (sourced: Sourced<string> | undefined, text = sourced?.value): string | undefined =>
      sourced === undefined ? undefined : `${text ?? ''}  ${paint(`(${safeText(sourced.source)})`, 'dim')}`
    return renderDetails(
      { paint, width },
      [
        ['Profile', from(identity.profile) ?? 'none'],
        ['Mode', from(identity.mode, formatMode(identity.mode.value, paint))],
        ['Base URL', from(identity.baseUrl, safeText(identity.baseUrl.value))],
        ['API key', from(identity.apiKey, safeText(identity.apiKey?.value ?? '')) ?? 'none'],
        ['API version', from(identity.apiVersion)],
        ['Ledger', from(identity.ledger, safeText(identity.ledger.value))],
      ],
      limitDetails(identity.limits),
      roomDetails(identity.room ?? []),
      [
        ['Profile file', safeText(identity.configFile)],
        ['State folder', safeText(identity.stateFolder)],
      ],
    )
  },
}
