import { resultOf, textView } from '../../cli/command/result.ts'
import type { CommandSpec, CommandRun } from '../../cli/command/spec.ts'
import { readProfiles } from '../../client/config/read-profiles.ts'
import { askConfirmation } from '../ask-confirmation.ts'
import { updateStoredProfiles } from '../../cli/account/update-stored-profiles.ts'
import { findProfile, PROFILE_ARGUMENT } from './stored-profiles.ts'

export const command: CommandSpec = {
  path: ['profile', 'remove'],
  summary: 'Remove a profile and its key from this machine',
  examples: [{ purpose: 'remove a profile', line: 'pay profile remove shop' }],
  args: [PROFILE_ARGUMENT],
  run: async (invocation: CommandRun, { args: { NAME: name = '' } }) => {
    const { context, settings, isInteractive } = invocation
    const profile = findProfile(readProfiles(context.configFolder, { uid: context.uid }), name)
    if (isInteractive && !settings.assumesYes && profile.apiKey !== undefined)
      await askConfirmation(invocation, `Remove profile ${name} and its stored key?`, {
        ifDeclined: 'nothing was removed',
      })
    const file = await updateStoredProfiles(invocation, (stored) => {
      findProfile(stored, name)
      return {
        ...stored,
        profiles: new Map([...stored.profiles].filter(([key]) => key !== name)),
        defaultProfile: stored.defaultProfile === name ? undefined : stored.defaultProfile,
      }
    })
    if (file.defaultProfile === undefined && file.profiles.size > 0)
      await invocation.note('There is no default profile. To choose one: pay profile use NAME')
    return resultOf(
      { removed: name },
      textView(() => `Profile ${name} was removed.`),
    )
  },
  risk: 'destructive',
  effect: "Removes the profile and its key from this machine; the account itself stays. You can't undo this.",
  related: ['profile list', 'profile add'],
}
