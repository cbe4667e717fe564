import { readProfiles } from '../../config/read-profiles.ts'
import { UsageError } from '../../errors.ts'
import type { Context } from '../command/context.ts'
import type { Prompts } from '../command/prompts-port.ts'

export async function chooseProfile(
  prompts: Prompts,
  { configFolder, uid }: Context,
  others: readonly string[],
): Promise<string> {
  const { profiles, defaultProfile } = readProfiles(configFolder, { uid })
  const choices = [
    ...[...profiles.values()].map(({ name: value, mode, baseUrl }) => ({
      value,
      text: `${value}  ${mode === 'live' ? 'LIVE' : 'test'}  ${baseUrl}${value === defaultProfile ? '  (default)' : ''}`,
    })),
    ...others.map((value) => ({ value, text: value })),
  ]
  if (choices.length === 0)
    throw new UsageError('There are no profiles', { code: 'unknown_profile', next: ['pay profile add'] })
  return prompts.choose({ label: 'Profile', choices })
}
