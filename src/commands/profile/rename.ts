import { resultOf } from '../../cli/command/result.ts'
import type { CommandSpec, CommandRun } from '../../cli/command/spec.ts'
import { checkProfileName } from '../../client/config/profile.ts'
import { UsageError } from '../../errors.ts'
import { profileView } from '../../views/profile.ts'
import { updateStoredProfiles } from '../../cli/account/update-stored-profiles.ts'
import { findProfile, profileDetails, PROFILE_ARGUMENT } from './stored-profiles.ts'

export const command: CommandSpec = {
  path: ['profile', 'rename'],
  summary: 'Rename a profile',
  examples: [{ purpose: 'rename shop to store', line: 'pay profile rename shop store' }],
  args: [
    { ...PROFILE_ARGUMENT, name: 'OLD', help: 'Current name' },
    { name: 'NEW', ask: 'New name', help: 'New name', check: checkProfileName },
  ],
  run: async (invocation: CommandRun, { args: { OLD: old = '', NEW = '' } }) => {
    const name = checkProfileName(NEW)
    const file = await updateStoredProfiles(invocation, (stored) => {
      const profile = findProfile(stored, old)
      if (stored.profiles.has(name))
        throw new UsageError(`Profile "${name}" already exists`, { code: 'profile_exists' })
      const profiles = [...stored.profiles].map(([key, existing]) =>
        key === old ? ([name, { ...profile, name }] as const) : ([key, existing] as const),
      )
      return {
        ...stored,
        profiles: new Map(profiles),
        defaultProfile: stored.defaultProfile === old ? name : stored.defaultProfile,
      }
    })
    return resultOf(profileDetails(file, findProfile(file, name)), profileView)
  },
  risk: 'write',
  effect: 'Changes only the name. To undo it, rename it back.',
  related: ['profile list'],
}
