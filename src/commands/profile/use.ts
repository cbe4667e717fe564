import { resultOf, textView } from '../../cli/command/result.ts'
import type { CommandSpec, CommandRun } from '../../cli/command/spec.ts'
import { SANDBOX } from '../../config/profile.ts'
import { changeProfiles, knownProfile } from './change.ts'
import { profileArgument } from './profile-argument.ts'

export const command: CommandSpec = {
  path: ['profile', 'use'],
  summary: 'Make a profile the default',
  examples: [
    { says: 'commands use it from now on', line: 'pay profile use shop' },
    { says: 'the embedded sandbox', line: 'pay profile use sandbox' },
  ],
  args: [{ name: 'NAME', from: 'profile', help: 'The profile, or sandbox' }],
  run: async (invocation: CommandRun) => {
    const name = await profileArgument(invocation, 'NAME', [SANDBOX])
    await changeProfiles(invocation, (file) => {
      if (name !== SANDBOX) knownProfile(file, name)
      return { ...file, defaultProfile: name }
    })
    return resultOf(
      { defaultProfile: name },
      textView(() => `The default profile is ${name} now.`),
    )
  },
  risk: 'write',
  effect: 'Changes which account commands use from now on. Undone by using another one.',
  related: ['profile list', 'whoami'],
}
