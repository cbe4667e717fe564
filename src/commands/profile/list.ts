import { resultOf } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { SANDBOX } from '../../client/config/profile.ts'
import { readProfiles, restrictConfigFolder } from '../../client/config/read-profiles.ts'
import { profileListView } from '../../views/profile.ts'
import { profileDetails } from './stored-profiles.ts'

export const command: CommandSpec = {
  path: ['profile', 'list'],
  summary: 'List the profiles',
  examples: [{ purpose: 'list all; * marks the default', line: 'pay profile list' }],
  run: async ({ context, note, warn }) => {
    const file = readProfiles(context.configFolder, { uid: context.uid })
    restrictConfigFolder(context.configFolder, context)
    for (const line of file.warnings) await warn(`Warning: ${line}`)
    if (file.defaultProfile === SANDBOX) await note('The default is the embedded sandbox.')
    return resultOf(
      { data: [...file.profiles.values()].map((profile) => profileDetails(file, profile)) },
      profileListView,
    )
  },
  related: ['profile show', 'profile use', 'whoami'],
}
