import { NO_LIMITS, SANDBOX } from '../../client/config/profile.ts'
import type { Profile } from '../../client/config/profile.ts'
import type { ProfileFile } from '../../client/config/read-profiles.ts'
import { SANDBOX_KEY } from '../../client/config/resolve-account.ts'
import { UsageError } from '../../errors.ts'
import { didYouMean } from '../../text/suggest.ts'
import type { ShownProfile } from '../../views/profile.ts'
import { formatApiKey } from '../../views/format-fields.ts'
import type { ArgumentSpec } from '../../cli/command/flags.ts'
import { profileChoices } from '../../cli/account/profile-choices.ts'

export function findProfile(file: ProfileFile, name: string): Profile {
  const profile = file.profiles.get(name)
  if (profile !== undefined) return profile
  if (name === SANDBOX)
    throw new UsageError('The profile sandbox is built in, so it cannot be changed', { code: 'bad_value' })
  throw new UsageError(`No profile named "${name}"`, {
    code: 'unknown_profile',
    hint: didYouMean(name, file.profiles.keys()) ?? 'To list the profiles, run pay profile list.',
    next: ['pay profile list'],
  })
}

export function profileDetails(file: ProfileFile, profile: Profile): ShownProfile {
  const { name, mode, modeIsGuess, baseUrl, apiKey, apiKeyCommand, apiVersion } = profile
  const { ledger, ledgerAccount, limits } = profile
  return {
    name,
    isDefault: file.defaultProfile === name,
    mode,
    modeIsGuess,
    baseUrl,
    apiKey: apiKey === undefined ? undefined : formatApiKey(apiKey),
    apiKeyCommand,
    apiVersion,
    ledger,
    ledgerAccount,
    limits,
  }
}

/** The built-in profile. It has no stored values. */
export const sandboxDetails = (file: ProfileFile): ShownProfile => ({
  name: SANDBOX,
  isDefault: file.defaultProfile === SANDBOX,
  mode: 'test',
  modeIsGuess: false,
  baseUrl: 'embedded sandbox',
  apiKey: SANDBOX_KEY,
  apiVersion: undefined,
  limits: NO_LIMITS,
})

/** A stored profile. A terminal shows a choice. */
export const PROFILE_ARGUMENT = {
  name: 'NAME',
  from: 'profile',
  ask: 'Profile',
  help: 'The profile',
  offer: async ({ context }) => ({ choices: profileChoices(context) }),
} as const satisfies ArgumentSpec
