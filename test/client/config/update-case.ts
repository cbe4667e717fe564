import type { Profile } from '../../../src/client/config/profile.ts'
import type { ProfileFile } from '../../../src/client/config/read-profiles.ts'
import { owner } from './folder.ts'

export const SHOP: Profile = {
  name: 'shop',
  baseUrl: 'https://api.example.com',
  mode: 'test',
  modeIsGuess: false,
  apiKey: 'key_test_0123456789',
  limits: { readOnly: false, maxAmount: { EUR: 500 } },
}

export const system = { ...owner, sleep: () => Promise.resolve() }
/** Adds or replaces a profile. */
export const add =
  (profile: Profile) =>
  (file: ProfileFile): ProfileFile => ({
    ...file,
    profiles: new Map([...file.profiles, [profile.name, profile]]),
  })
