import { resultOf, textView } from '../../cli/command/result.ts'
import type { CommandSpec, CommandRun } from '../../cli/command/spec.ts'
import { SANDBOX } from '../../client/config/profile.ts'
import { updateStoredProfiles } from '../../cli/account/update-stored-profiles.ts'
import { findProfile, PROFILE_ARGUMENT } from './stored-profiles.ts'
import { profileChoices } from '../../cli/account/profile-choices.ts'

export const command: CommandSpec = {
  path: ['profile', 'use'],
  summary: 'Make a profile the default',
  examples: [
    { purpose: 'use a profile by default', line: 'pay profile use shop' },
    { purpose: 'use the embedded sandbox by default', line: 'pay profile use sandbox' },
  ],
  args: [
    {
      ...PROFILE_ARGUMENT,
      help: 'The profile, or sandbox',
      offer: async ({ context }) => ({ choices: profileChoices(context, [SANDBOX]) }),
    },
  ],
  run: async (invocation: CommandRun, { args: { NAME: name = '' } }) => {
    await updateStoredProfiles(invocation, (file) => {
      if (name !== SANDBOX) findProfile(file, name)
      return { ...file, defaultProfile: name }
    })
    return resultOf(
      { defaultProfile: name },
      textView(() => `The default profile is ${name}.`),
    )
  },
  risk: 'write',
  effect: 'Changes which account commands use by default. To undo it, use another profile.',
  related: ['profile list', 'whoami'],
}
