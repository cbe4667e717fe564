import type { CommandInput } from '../../cli/command/input.ts'
import { listFlag } from '../../cli/command/input.ts'
import { resultOf } from '../../cli/command/result.ts'
import type { CommandSpec, CommandRun } from '../../cli/command/spec.ts'
import { guessMode } from '../../config/base-url.ts'
import type { Profile } from '../../config/profile.ts'
import { readProfiles } from '../../config/read-profiles.ts'
import { UsageError } from '../../errors.ts'
import { profileView } from '../../views/profile.ts'
import { oneOf } from '../one-of.ts'
import { changeProfiles, knownProfile, readChange, shownProfile } from './change.ts'
import type { ProfileChange } from './change.ts'
import { PROFILE_FLAGS } from './flags.ts'
import { confirmLifting } from './lifted.ts'
import { profileArgument } from './profile-argument.ts'

const CLEARED = ['api-key', 'api-version', 'mode', 'operations', 'max-amount'] as const

export const command: CommandSpec = {
  path: ['profile', 'set'],
  summary: 'Change a profile',
  details:
    'Only what is given changes. Another base URL has its mode guessed again unless --test or --live is given, and needs a key of its own: the stored one is only for the old address. Lifting a limit of a live profile asks for confirmation; without a terminal it needs --yes.',
  examples: [
    { says: 'another key', line: 'pass show pay/shop | pay profile set shop --api-key-stdin' },
    { says: 'refuse everything but reads', line: 'pay profile set shop --read-only' },
    { says: 'lift the limit of amounts', line: 'pay profile set shop --clear max-amount --yes' },
  ],
  args: [{ name: 'NAME', from: 'profile', help: 'The profile' }],
  flags: {
    ...PROFILE_FLAGS,
    clear: {
      kind: 'texts',
      value: 'FIELD',
      choices: CLEARED,
      help: `Take a field away: ${CLEARED.join(', ')}; repeatable`,
    },
  },
  run,
  risk: 'write',
  effect: 'Changes the stored profile. The values before are not kept.',
  related: ['profile show', 'profile add'],
}

async function run(invocation: CommandRun, input: CommandInput) {
  const name = await profileArgument(invocation)
  const change = await readChange(invocation, input)
  const cleared = listFlag(input, 'clear').map((field) => oneOf('--clear', field, CLEARED))
  const limitsGiven = Object.keys(change.limits).length > 0
  if (Object.keys(change).length === 1 && !limitsGiven && cleared.length === 0) {
    throw new UsageError('Nothing to change was given', {
      code: 'missing_input',
      next: ['pay profile set --help'],
    })
  }
  const { configFolder, uid } = invocation.context
  const before = knownProfile(readProfiles(configFolder, { uid }), name)
  await confirmLifting(invocation, before, changed(before, change, cleared))
  const file = await changeProfiles(invocation, (stored) => {
    const profile = changed(knownProfile(stored, name), change, cleared)
    return { ...stored, profiles: new Map([...stored.profiles, [name, profile]]) }
  })
  const profile = knownProfile(file, name)
  if (profile.apiKey === undefined)
    await invocation.note(`It has no key: pay profile set ${name} --api-key-stdin`)
  return resultOf(shownProfile(file, profile), profileView)
}

function changed(before: Profile, change: ProfileChange, cleared: readonly string[]): Profile {
  const isGone = (field: (typeof CLEARED)[number]) => cleared.includes(field)
  const baseUrl = change.baseUrl ?? before.baseUrl
  const isMoved = baseUrl !== before.baseUrl
  const isGuessed = change.mode === undefined && (isMoved || before.modeIsGuess || isGone('mode'))
  const { maxAmount, operations, readOnly } = before.limits
  return {
    name: before.name,
    baseUrl,
    mode: change.mode ?? (isGuessed ? guessMode(baseUrl) : before.mode),
    modeIsGuess: isGuessed,
    // A key goes to the address that it was given for, and nowhere else.
    apiKey: change.apiKey ?? (isMoved || isGone('api-key') ? undefined : before.apiKey),
    apiVersion: change.apiVersion ?? (isGone('api-version') ? undefined : before.apiVersion),
    limits: {
      readOnly: change.limits.readOnly ?? readOnly,
      operations: change.limits.operations ?? (isGone('operations') ? undefined : operations),
      maxAmount:
        change.limits.maxAmount === undefined
          ? isGone('max-amount')
            ? undefined
            : maxAmount
          : { ...(isGone('max-amount') ? {} : maxAmount), ...change.limits.maxAmount },
    },
  }
}
