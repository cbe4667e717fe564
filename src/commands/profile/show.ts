import type { CommandInput } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { resultOf } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { readProfiles } from '../../config/read-profiles.ts'
import { UsageError } from '../../errors.ts'
import { profileView } from '../../views/profile.ts'
import { findProfile, profileDetails } from './stored-profiles.ts'

export const command: CommandSpec = {
  path: ['profile', 'show'],
  summary: 'Show a profile: its address, mode, limits, and the last four characters of its key',
  examples: [{ purpose: 'show the default profile', line: 'pay profile show' }],
  args: [
    { name: 'NAME', from: 'profile', optional: true, help: 'The profile; without it, the default profile' },
  ],
  run: async ({ context, warn }: Invocation, input: CommandInput) => {
    const file = readProfiles(context.configFolder, { uid: context.uid })
    for (const line of file.warnings) await warn(`Warning: ${line}`)
    const name = input.args['NAME'] ?? file.defaultProfile
    if (name === undefined)
      throw new UsageError('There is no default profile. Name a profile', {
        code: 'missing_input',
        next: ['pay profile list'],
      })
    return resultOf(profileDetails(file, findProfile(file, name)), profileView)
  },
  related: ['profile list', 'profile set', 'whoami'],
}
