import type { CommandInput } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { resultOf } from '../../cli/command/result.ts'
import type { CommandSpec, CommandRun } from '../../cli/command/spec.ts'
import { checkBaseUrl, guessMode } from '../../client/config/base-url.ts'
import { NO_LIMITS, checkProfileName } from '../../client/config/profile.ts'
import type { Profile } from '../../client/config/profile.ts'
import { readProfiles } from '../../client/config/read-profiles.ts'
import type { ProfileFile } from '../../client/config/read-profiles.ts'
import { UsageError } from '../../errors.ts'
import { profileView } from '../../views/profile.ts'
import {
  askKey,
  changedInTime,
  changedLedger,
  readChange,
  noteUnlimitedCalls,
  withApprovals,
  PROFILE_FLAGS,
} from './profile-change.ts'
import { updateStoredProfiles } from '../../cli/account/update-stored-profiles.ts'
import { findProfile, profileDetails } from './stored-profiles.ts'
import { shellWord } from '../../files/shell.ts'

export const command: CommandSpec = {
  path: ['profile', 'add'],
  summary: 'Add a profile: an address, a key, and whether it moves real money',
  details:
    'Reads the key from a hidden prompt, stdin or a file, never from a flag; or runs a command for it whenever it is needed, such as that of a password manager. Without --test or --live, guesses the mode: live unless the host is this machine or has the label "sandbox". The first profile becomes the default.',
  examples: [
    {
      purpose: 'read the key from a password manager',
      line: 'pass show pay/shop | pay profile add shop --base-url https://api.example.com --live --api-key-stdin',
    },
    {
      purpose: 'store no key: ask the password manager for it',
      line: 'pay profile add shop --base-url https://api.example.com --live --api-key-command "op read op://shop/key"',
    },
    {
      purpose: 'allow only refunds, of at most 500 EUR each',
      line: 'pay profile add desk --base-url https://api.example.com --operations payment.refund --max-amount "500 EUR"',
    },
  ],
  args: [{ name: 'NAME', ask: 'Profile name', help: 'Name of the new profile', check: checkNewName }],
  flags: {
    ...PROFILE_FLAGS,
    'base-url': {
      ...PROFILE_FLAGS['base-url'],
      required: true,
      ask: 'Base URL',
      hint: 'https://…',
      check: (answer) => checkBaseUrl(answer, 'The base URL'),
    },
  },
  run,
  risk: 'write',
  effect:
    'Stores the key in a file on this machine that only you can read. To undo it, use pay profile remove.',
  related: ['profile use', 'profile set', 'whoami'],
}

async function run(invocation: CommandRun, input: CommandInput) {
  const name = checkNewName(input.args['NAME'] ?? '', invocation.context)
  const change = await readChange(invocation, input)
  const { baseUrl = '' } = change
  const { apiKeyCommand } = change
  const apiKey = change.apiKey ?? (apiKeyCommand === undefined ? await askKey(invocation) : undefined)
  const profile: Profile = {
    name,
    baseUrl,
    mode: change.mode ?? guessMode(baseUrl),
    modeIsGuess: change.mode === undefined,
    apiKey,
    apiKeyCommand,
    apiVersion: change.apiVersion,
    ...changedLedger({}, change),
    limits: withApprovals(
      { ...NO_LIMITS, ...change.limits, ...changedInTime({}, change.inTime) },
      change.approvals,
    ),
  }
  const file = await updateStoredProfiles(invocation, (stored) => {
    refuseExisting(stored, name)
    return {
      ...stored,
      defaultProfile: stored.defaultProfile ?? name,
      profiles: new Map([...stored.profiles, [name, profile]]),
    }
  })
  if (apiKey === undefined && apiKeyCommand === undefined)
    await invocation.note(
      `The profile has no key yet. To add one: pay profile set ${shellWord(name)} --api-key-stdin`,
    )
  if (profile.modeIsGuess)
    await invocation.note(
      `Guessed from the URL that this is a ${profile.mode} profile. To set it yourself, use --test or --live.`,
    )
  await noteUnlimitedCalls(invocation, profile)
  return resultOf(profileDetails(file, findProfile(file, name)), profileView)
}

function checkNewName(typed: string, { configFolder, uid }: Invocation['context']): string {
  const name = checkProfileName(typed)
  refuseExisting(readProfiles(configFolder, { uid }), name)
  return name
}

function refuseExisting({ profiles }: ProfileFile, name: string): void {
  if (!profiles.has(name)) return
  throw new UsageError(`Profile "${name}" already exists`, {
    code: 'profile_exists',
    hint: 'To change it, use pay profile set.',
    next: [`pay profile show ${shellWord(name)}`],
  })
}
