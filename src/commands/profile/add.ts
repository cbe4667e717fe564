import type { CommandInput } from '../../cli/command/input.ts'
import { checkWith } from '../../cli/command/check-with.ts'
import { resultOf } from '../../cli/command/result.ts'
import type { CommandSpec, CommandRun } from '../../cli/command/spec.ts'
import { checkBaseUrl, guessMode } from '../../config/base-url.ts'
import { NO_LIMITS, checkProfileName } from '../../config/profile.ts'
import type { Profile } from '../../config/profile.ts'
import { readProfiles } from '../../config/read-profiles.ts'
import type { ProfileFile } from '../../config/read-profiles.ts'
import { UsageError } from '../../errors.ts'
import { profileView } from '../../views/profile.ts'
import { askKey, changeProfiles, knownProfile, readChange, shownProfile } from './change.ts'
import { PROFILE_FLAGS } from './flags.ts'
import { nameArgument } from './profile-argument.ts'

export const command: CommandSpec = {
  path: ['profile', 'add'],
  summary: 'Add a profile: an address, a key, and whether it is real money',
  details:
    'The key is read from a prompt that shows nothing, from stdin or from a file, never from a flag. Without --test or --live the mode is guessed: live unless the host is this machine or has a label "sandbox". The first profile becomes the default.',
  examples: [
    {
      says: 'the key from a password manager',
      line: 'pass show pay/shop | pay profile add shop --base-url https://api.example.com --live --api-key-stdin',
    },
    {
      says: 'a profile that can only refund, and at most 500 EUR a time',
      line: "pay profile add desk --base-url https://api.example.com --operations payment.refund --max-amount '500 EUR'",
    },
  ],
  args: [{ name: 'NAME', help: 'What to call it' }],
  flags: PROFILE_FLAGS,
  run,
  risk: 'write',
  effect: 'Keeps the key in a file of yours on this machine. Undone by pay profile remove.',
  related: ['profile use', 'profile set', 'whoami'],
}

async function run(invocation: CommandRun, input: CommandInput) {
  const { configFolder, uid } = invocation.context
  const check = (typed: string): void => {
    refuseKnown(readProfiles(configFolder, { uid }), checkProfileName(typed))
  }
  const name = await nameArgument(invocation, { check })
  check(name)
  const change = await readChange(invocation, input)
  const baseUrl = change.baseUrl ?? (await askBaseUrl(invocation))
  const apiKey = change.apiKey ?? (await askKey(invocation))
  const profile: Profile = {
    name,
    baseUrl,
    mode: change.mode ?? guessMode(baseUrl),
    modeIsGuess: change.mode === undefined,
    apiKey,
    apiVersion: change.apiVersion,
    limits: { ...NO_LIMITS, ...change.limits },
  }
  const file = await changeProfiles(invocation, (stored) => {
    refuseKnown(stored, name)
    return {
      ...stored,
      defaultProfile: stored.defaultProfile ?? name,
      profiles: new Map([...stored.profiles, [name, profile]]),
    }
  })
  if (apiKey === undefined)
    await invocation.note(`It has no key yet: pay profile set ${name} --api-key-stdin`)
  if (profile.modeIsGuess)
    await invocation.note(`Taken as ${profile.mode} from the URL; say --test or --live to settle it.`)
  return resultOf(shownProfile(file, knownProfile(file, name)), profileView)
}

async function askBaseUrl(invocation: CommandRun): Promise<string> {
  if (!invocation.isInteractive)
    throw new UsageError('Missing: --base-url', { code: 'missing_input', next: ['pay profile add --help'] })
  return readBaseUrl(
    await (
      await invocation.prompts()
    ).text({ label: 'Base URL', hint: 'https://…', check: checkWith(readBaseUrl) }),
  )
}

/** What is pasted often brings a space along. */
const readBaseUrl = (answer: string): string => checkBaseUrl(answer.trim(), 'The base URL')

function refuseKnown({ profiles }: ProfileFile, name: string): void {
  if (!profiles.has(name)) return
  throw new UsageError(`There is a profile "${name}" already`, {
    code: 'profile_exists',
    hint: 'pay profile set changes it',
    next: [`pay profile show ${name}`],
  })
}
