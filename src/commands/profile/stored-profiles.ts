import type { Invocation } from '../../cli/invocation.ts'
import type { Profile } from '../../config/profile.ts'
import type { ProfileFile } from '../../config/read.ts'
import { updateProfiles } from '../../config/store.ts'
import { UsageError, interruptedBy } from '../../errors.ts'
import { didYouMean } from '../../suggest.ts'
import type { ShownProfile } from '../../views/profile.ts'
import { shownKey } from '../../views/shown.ts'

/** Changes the stored profiles, safe against other processes. */
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
      // Cut short, it was no wait: counted as one, it would let a lock pass for abandoned.
      if (stop.aborted) throw interruptedBy(stop, 'Interrupted: nothing was stored.')
    },
  })
}

export function findProfile(file: ProfileFile, name: string): Profile {
  const profile = file.profiles.get(name)
  if (profile !== undefined) return profile
  throw new UsageError(`There is no profile "${name}"`, {
    code: 'unknown_profile',
    hint: didYouMean(name, file.profiles.keys()) ?? 'pay profile list shows them',
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
    apiKey: apiKey === undefined ? undefined : shownKey(apiKey),
    apiVersion,
    limits,
  }
}
