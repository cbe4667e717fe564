import { selectAccount } from '../../cli/account/account.ts'
import type { CommandInput } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { resultOf } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { describeLedger } from '../../config/ledger-choice.ts'
import type { Account } from '../../config/resolve-account.ts'
import { profilePath } from '../../config/read-profiles.ts'
import { formatApiKey } from '../../views/format-fields.ts'
import { whoamiView } from '../../views/top/whoami.ts'

export const command: CommandSpec = {
  path: ['whoami'],
  summary: 'Show which account is in use, and why',
  details: 'Shows the account that a command would use, and where each value comes from. Needs no network.',
  examples: [
    { purpose: 'show the account in use', line: 'pay whoami --sandbox' },
    { purpose: 'print whether it is live, for a script', line: 'pay whoami --sandbox --query mode.value' },
  ],
  run: async ({ context, note, warn }: Invocation, input: CommandInput) => {
    const { account, warnings } = selectAccount(context, input, false)
    for (const line of warnings) await warn(`Warning: ${line}`)
    if (account.kind === 'sandbox') await note('embedded sandbox: no real money')
    return resultOf(
      {
        ...describe(account),
        configFile: profilePath(context.configFolder),
        stateFolder: context.stateFolder,
      },
      whoamiView,
    )
  },
  related: ['doctor', 'profile list', 'profile use'],
}

function describe(account: Account) {
  const { profile, mode, baseUrl, apiKey, apiVersion, limits, ledger } = account
  return {
    profile,
    mode,
    baseUrl: account.kind === 'sandbox' ? { value: 'embedded sandbox', source: baseUrl.source } : baseUrl,
    apiKey:
      apiKey === undefined
        ? undefined
        : {
            value: account.kind === 'sandbox' ? apiKey.value : formatApiKey(apiKey.value),
            source: apiKey.source,
          },
    apiVersion,
    ledger: { value: describeLedger(ledger), source: ledger.source },
    limits,
  }
}
