import { resultOf, textView } from '../../cli/command/result.ts'
import type { CommandSpec, CommandRun } from '../../cli/command/spec.ts'
import { readProfiles } from '../../config/read-profiles.ts'
import { sayYes } from '../say-yes.ts'
import { changeProfiles, knownProfile } from './change.ts'
import { profileArgument } from './profile-argument.ts'

export const command: CommandSpec = {
  path: ['profile', 'remove'],
  summary: 'Remove a profile and its key from this machine',
  examples: [{ says: 'forget it', line: 'pay profile remove shop' }],
  args: [{ name: 'NAME', from: 'profile', help: 'The profile' }],
  run: async (invocation: CommandRun) => {
    const name = await profileArgument(invocation)
    const { context, settings, isInteractive } = invocation
    const profile = knownProfile(readProfiles(context.configFolder, { uid: context.uid }), name)
    if (isInteractive && !settings.saysYes && profile.apiKey !== undefined)
      await sayYes(invocation, `Remove profile ${name} and its stored key?`, {
        otherwise: 'nothing was removed',
      })
    const file = await changeProfiles(invocation, (stored) => {
      knownProfile(stored, name)
      return {
        ...stored,
        profiles: new Map([...stored.profiles].filter(([key]) => key !== name)),
        defaultProfile: stored.defaultProfile === name ? undefined : stored.defaultProfile,
      }
    })
    if (file.defaultProfile === undefined && file.profiles.size > 0)
      await invocation.note('There is no default profile now: pay profile use NAME')
    return resultOf(
      { removed: name },
      textView(() => `Profile ${name} is removed.`),
    )
  },
  risk: 'destructive',
  effect: 'Removes the profile and its key from this machine; the account itself stays. It cannot be undone.',
  related: ['profile list', 'profile add'],
}
