import { emptyProfileFile, readProfiles } from '../../client/config/read-profiles.ts'
import { SANDBOX } from '../../client/config/profile.ts'
import { resolveAccount } from '../../client/config/resolve-account.ts'
import type { Account } from '../../client/config/resolve-account.ts'
import { readKeyFile } from '../../client/config/api-key.ts'
import type { Context, LedgerUser } from '../command/context.ts'
import { switchFlag, textFlag } from '../command/input.ts'
import type { CommandInput } from '../command/input.ts'
import type { Invocation } from '../command/invocation.ts'
import { chooseLedger } from '../../client/config/ledger-choice.ts'
import { PayError } from '../../errors.ts'

/** Selects the account: flag over environment over profile over default. Opens the profile file only if needed. */
export function selectAccount(
  context: Context,
  input: CommandInput,
  needsKey = true,
): { readonly account: Account; readonly warnings: readonly string[] } {
  const owner = { uid: context.uid }
  const warnings: string[] = []
  // The embedded sandbox works even if the profile file is unreadable.
  const named = textFlag(input, 'profile') ?? context.env['PAY_PROFILE']
  const isSandbox = switchFlag(input, 'sandbox') || named === SANDBOX
  const file = isSandbox ? emptyProfileFile(context.configFolder) : readProfiles(context.configFolder, owner)
  const account = resolveAccount({
    flags: {
      profile: textFlag(input, 'profile'),
      sandbox: switchFlag(input, 'sandbox'),
      baseUrl: textFlag(input, 'base-url'),
      apiVersion: textFlag(input, 'api-version'),
    },
    env: context.env,
    file,
    readKeyFile: (path) => {
      const key = readKeyFile(path, owner)
      warnings.push(...key.warnings)
      return key.apiKey
    },
    needsKey,
  })
  return { account, warnings: [...file.warnings, ...warnings] }
}

/**
 * The account with its key, which its command prints if it has one. That runs once in a process.
 * @throws {PayError} exit 4 if the command fails
 */
export async function withKey(context: Context, account: Account): Promise<Account> {
  const { keyCommand } = account
  if (keyCommand === undefined) return account
  const { value: command, source } = keyCommand
  const value = await context.program.keyBy(command, context.interruption.stop)
  return { ...account, apiKey: { value, source } }
}

/** Codes of the errors that don't matter to a command that needs no account. */
const NO_ACCOUNT = ['no_key', 'unknown_profile', 'account_conflict', 'base_url_missing', 'base_url_mismatch']

/** The account in use; without one, the ledger that the environment names, or else this machine's. */
export function accountInUse({ context, input }: Pick<Invocation, 'context' | 'input'>): LedgerUser {
  try {
    return selectAccount(context, input, false).account
  } catch (error) {
    if (!(error instanceof PayError) || !NO_ACCOUNT.includes(error.code)) throw error
    return { ledger: chooseLedger(context.env, undefined) }
  }
}
