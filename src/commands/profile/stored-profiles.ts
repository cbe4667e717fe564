import type { Invocation } from '../../cli/command/invocation.ts'
import { NO_LIMITS, SANDBOX } from '../../config/profile.ts'
import type { Profile } from '../../config/profile.ts'
import type { ProfileFile } from '../../config/read-profiles.ts'
import { SANDBOX_KEY } from '../../config/resolve-account.ts'
import { updateProfiles } from '../../config/update-profiles.ts'
import { UsageError, interruptedBy } from '../../errors.ts'
import { didYouMean } from '../../suggest.ts'
import type { ShownProfile } from '../../views/profile.ts'
import { formatApiKey } from '../../views/format-fields.ts'

/** Updates the stored profiles under a lock, so that other processes can't interfere. */
export function updateStoredProfiles(
  invocation: Invocation,
  change: (file: ProfileFile) => ProfileFile,
): Promise<ProfileFile> {
  const { context } = invocation
  const { stop } = context.interruption
  return updateProfiles(context.configFolder, change, {
    uid: context.uid,
    newId: context.newId,
    sleep: async (ms) => {
      await context.sleep(ms, stop)
      // An interrupted sleep is shorter than it looks: counting it would make a held lock seem abandoned.
      if (stop.aborted) throw interruptedBy(stop, 'Interrupted: nothing was stored.')
    },
  })
}

export function findProfile(file: ProfileFile, name: string): Profile {
  const profile = file.profiles.get(name)
  if (profile !== undefined) return profile
  throw new UsageError(`No profile named "${name}"`, {
    code: 'unknown_profile',
    hint: didYouMean(name, file.profiles.keys()) ?? 'To list the profiles, run pay profile list.',
    next: ['pay profile list'],
  })
}

export function profileDetails(file: ProfileFile, profile: Profile): ShownProfile {
  const { name, mode, modeIsGuess, baseUrl, apiKey, apiVersion, limits } = profile
  return {
    name,
    isDefault: file.defaultProfile === name,
    mode,
    modeIsGuess,
    baseUrl,
    apiKey: apiKey === undefined ? undefined : formatApiKey(apiKey),
    apiVersion,
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
