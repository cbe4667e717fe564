import { readProfiles } from '../../client/config/read-profiles.ts'
import type { Context } from '../command/context.ts'
import type { Choice } from '../command/prompts-port.ts'

/** The stored profiles, and `others`. */
export function profileChoices(
  { configFolder, uid }: Context,
  others: readonly string[] = [],
): readonly Choice[] {
  const { profiles, defaultProfile } = readProfiles(configFolder, { uid })
  return [
    ...[...profiles.values()].map(({ name: value, mode, baseUrl }) => ({
      value,
      text: `${value}  ${mode === 'live' ? 'LIVE' : 'test'}  ${baseUrl}${value === defaultProfile ? '  (default)' : ''}`,
    })),
    ...others.map((value) => ({ value, text: value })),
  ]
}
