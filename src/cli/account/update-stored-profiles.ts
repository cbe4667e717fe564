import type { Invocation } from '../command/invocation.ts'
import type { ProfileFile } from '../../client/config/read-profiles.ts'
import { updateProfiles } from '../../client/config/update-profiles.ts'
import { interruptedBy } from '../../errors.ts'

/** Updates the stored profiles under a lock, so that other processes can't interfere. */
export function updateStoredProfiles(
  invocation: Invocation,
  change: (file: ProfileFile) => ProfileFile,
): Promise<ProfileFile> {
  const { context } = invocation
  const { stop } = context.interruption
  return updateProfiles(context.configFolder, change, {
    uid: context.uid,
    sleep: async (ms) => {
      await context.sleep(ms, stop)
      if (stop.aborted) throw interruptedBy(stop, 'Interrupted: nothing was stored.')
    },
  })
}
