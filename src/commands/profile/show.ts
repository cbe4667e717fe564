import { resultOf } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { SANDBOX } from '../../client/config/profile.ts'
import { readProfiles } from '../../client/config/read-profiles.ts'
import { UsageError } from '../../errors.ts'
import { profileView } from '../../views/profile.ts'
import { findProfile, profileDetails, sandboxDetails } from './stored-profiles.ts'

export const command: CommandSpec = {
  path: ['profile', 'show'],
  summary: 'Show a profile: its address, mode, limits, and the last four characters of its key',
  examples: [
    { purpose: 'show the default profile', line: 'pay profile show' },
    { purpose: 'show the embedded sandbox', line: 'pay profile show sandbox' },
  ],
  args: [
    {
      name: 'NAME',
      from: 'profile',
      optional: true,
      help: 'The profile, or sandbox; without it, the default profile',
    },
  ],
  run: async ({ context, warn }, input) => {
    const file = readProfiles(context.configFolder, { uid: context.uid })
    for (const line of file.warnings) await warn(`Warning: ${line}`)
    const name = input.args['NAME'] ?? file.defaultProfile
    if (name === undefined)
      throw new UsageError('There is no default profile. Name a profile', {
        code: 'missing_input',
        next: ['pay profile list'],
      })
    const shown = name === SANDBOX ? sandboxDetails(file) : profileDetails(file, findProfile(file, name))
    return resultOf(shown, profileView)
  },
  related: ['profile list', 'profile set', 'whoami'],
}
