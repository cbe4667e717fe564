import { resultOf } from '../../cli/command/result.ts'
import type { CommandSpec, CommandRun } from '../../cli/command/spec.ts'
import { checkProfileName } from '../../config/profile.ts'
import { UsageError } from '../../errors.ts'
import { profileView } from '../../views/profile.ts'
import { changeProfiles, knownProfile, shownProfile } from './change.ts'
import { nameArgument, profileArgument } from './profile-argument.ts'

export const command: CommandSpec = {
  path: ['profile', 'rename'],
  summary: 'Give a profile another name',
  examples: [{ says: 'from shop to store', line: 'pay profile rename shop store' }],
  args: [
    { name: 'OLD', from: 'profile', help: 'Its name now' },
    { name: 'NEW', help: 'Its name from now on' },
  ],
  run: async (invocation: CommandRun) => {
    const old = await profileArgument(invocation, 'OLD')
    const name = checkProfileName(
      await nameArgument(invocation, { name: 'NEW', label: 'New name', check: checkProfileName }),
    )
    const file = await changeProfiles(invocation, (stored) => {
      const profile = knownProfile(stored, old)
      if (stored.profiles.has(name))
        throw new UsageError(`There is a profile "${name}" already`, { code: 'profile_exists' })
      const profiles = [...stored.profiles].map(([key, kept]) =>
        key === old ? ([name, { ...profile, name }] as const) : ([key, kept] as const),
      )
      return {
        ...stored,
        profiles: new Map(profiles),
        defaultProfile: stored.defaultProfile === old ? name : stored.defaultProfile,
      }
    })
    return resultOf(shownProfile(file, knownProfile(file, name)), profileView)
  },
  risk: 'write',
  effect: 'Changes the name alone. Undone by renaming it back.',
  related: ['profile list'],
}
