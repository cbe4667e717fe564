import type { CommandInput } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { resultOf } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { readProfiles } from '../../config/read-profiles.ts'
import { UsageError } from '../../errors.ts'
import { profileView } from '../../views/profile.ts'
import { knownProfile, shownProfile } from './change.ts'

export const command: CommandSpec = {
  path: ['profile', 'show'],
  summary: 'Show a profile: its address, its mode, its limits, and the last four of its key',
  examples: [{ says: 'the default one', line: 'pay profile show' }],
  args: [{ name: 'NAME', from: 'profile', optional: true, help: 'The profile; the default one if left out' }],
  run: async ({ context, warn }: Invocation, input: CommandInput) => {
    const file = readProfiles(context.configFolder, { uid: context.uid })
    for (const line of file.warnings) await warn(`Warning: ${line}`)
    const name = input.args['NAME'] ?? file.defaultProfile
    if (name === undefined)
      throw new UsageError('There is no default profile: name one', {
        code: 'missing_input',
        next: ['pay profile list'],
      })
    return resultOf(shownProfile(file, knownProfile(file, name)), profileView)
  },
  related: ['profile list', 'profile set', 'whoami'],
}
