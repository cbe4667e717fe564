import { roomOf } from '../../cli/account/room.ts'
import { resultOf } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { SANDBOX } from '../../client/config/profile.ts'
import { chooseLedger } from '../../client/config/ledger-choice.ts'
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
    if (name === SANDBOX) return resultOf(sandboxDetails(file), profileView)
    const profile = findProfile(file, name)
    const source = `profile ${name}`
    const room = await roomOf(context, {
      limits: profile.limits,
      profile: { value: name, source },
      baseUrl: { value: profile.baseUrl, source },
      apiKey: profile.apiKey === undefined ? undefined : { value: profile.apiKey, source },
      ledger: chooseLedger({}, profile),
    })
    const shown = profileDetails(file, profile)
    return resultOf(room.length === 0 ? shown : { ...shown, room }, profileView)
  },
  related: ['profile list', 'profile set', 'whoami'],
}
