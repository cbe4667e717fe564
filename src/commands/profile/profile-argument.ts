import type { ArgumentSpec } from '../../cli/command/flags.ts'
import { profileChoices } from '../../cli/account/profile-choices.ts'

/** A stored profile. A terminal shows a choice. */
export const PROFILE_ARGUMENT = {
  name: 'NAME',
  from: 'profile',
  ask: 'Profile',
  help: 'The profile',
  offer: async ({ context }) => ({ choices: profileChoices(context) }),
} as const satisfies ArgumentSpec
