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
import { readChange, noteUnlimitedCalls, withApprovals } from './profile-change.ts'
import { updateStoredProfiles, findProfile, profileDetails } from './stored-profiles.ts'
import type { ProfileChange } from './profile-change.ts'
import { PROFILE_FLAGS } from './flags.ts'
import { confirmLoosenedLimits } from './loosened-limits.ts'
import { profileArgument } from '../profile-argument.ts'

const CLEARED = ['api-key', 'api-version', 'mode', 'operations', 'max-amount'] as const

export const command: CommandSpec = {
  path: ['profile', 'set'],
  summary: 'Change a profile',
  details:
    "Changes only the fields you give. A new base URL needs its own key, since the stored key goes only to the old address; its mode is guessed again unless you give --test or --live. Loosening a live profile's limits asks for confirmation; without a terminal it needs --yes.",
  examples: [
    { purpose: 'replace the key', line: 'pass show pay/shop | pay profile set shop --api-key-stdin' },
    { purpose: 'allow only reads', line: 'pay profile set shop --read-only' },
    { purpose: 'remove the limit on amounts', line: 'pay profile set shop --clear max-amount --yes' },
  ],
  args: [{ name: 'NAME', from: 'profile', help: 'The profile' }],
  flags: {
    ...PROFILE_FLAGS,
    clear: {
      kind: 'texts',
      value: 'FIELD',
      choices: CLEARED,
      help: `Remove a field: ${CLEARED.join(', ')}; repeatable`,
    },
  },
  run,
  risk: 'write',
  effect: 'Changes the stored profile. The old values are lost.',
  related: ['profile show', 'profile add'],
}

async function run(invocation: CommandRun, input: CommandInput) {
  const name = await profileArgument(invocation)
  const change = await readChange(invocation, input)
  const cleared = listFlag(input, 'clear').map((field) => oneOf('--clear', field, CLEARED))
  const changesLimits = Object.keys(change.limits).length > 0
  if (Object.keys(change).length === 1 && !changesLimits && cleared.length === 0) {
    throw new UsageError('Nothing to change', {
      code: 'missing_input',
      next: ['pay profile set --help'],
    })
  }
  const { configFolder, uid } = invocation.context
  const before = findProfile(readProfiles(configFolder, { uid }), name)
  await confirmLoosenedLimits(invocation, before, applyChange(before, change, cleared))
  const file = await updateStoredProfiles(invocation, (stored) => {
    const profile = applyChange(findProfile(stored, name), change, cleared)
    return { ...stored, profiles: new Map([...stored.profiles, [name, profile]]) }
  })
  const profile = findProfile(file, name)
  if (profile.apiKey === undefined)
    await invocation.note(`The profile has no key. To add one: pay profile set ${name} --api-key-stdin`)
  await noteUnlimitedCalls(invocation, profile)
  return resultOf(profileDetails(file, profile), profileView)
}

function applyChange(before: Profile, change: ProfileChange, cleared: readonly string[]): Profile {
  const isCleared = (field: (typeof CLEARED)[number]) => cleared.includes(field)
  const baseUrl = change.baseUrl ?? before.baseUrl
  const isMoved = baseUrl !== before.baseUrl
  const isGuessed = change.mode === undefined && (isMoved || before.modeIsGuess || isCleared('mode'))
  const { maxAmount, operations, readOnly, approvals, signers } = before.limits
  return {
    name: before.name,
    baseUrl,
    mode: change.mode ?? (isGuessed ? guessMode(baseUrl) : before.mode),
    modeIsGuess: isGuessed,
    // A key must never go to another address than the one it was stored for.
    apiKey: change.apiKey ?? (isMoved || isCleared('api-key') ? undefined : before.apiKey),
    apiVersion: change.apiVersion ?? (isCleared('api-version') ? undefined : before.apiVersion),
    limits: withApprovals(
      {
        approvals,
        signers: change.limits.signers ?? signers,
        readOnly: change.limits.readOnly ?? readOnly,
        operations: change.limits.operations ?? (isCleared('operations') ? undefined : operations),
        maxAmount:
          change.limits.maxAmount === undefined
            ? isCleared('max-amount')
              ? undefined
              : maxAmount
            : { ...(isCleared('max-amount') ? {} : maxAmount), ...change.limits.maxAmount },
      },
      change.approvals,
    ),
  }
}
