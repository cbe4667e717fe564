import type { CommandInput } from '../../cli/command/input.ts'
import { listFlag } from '../../cli/command/input.ts'
import { resultOf } from '../../cli/command/result.ts'
import type { CommandSpec, CommandRun } from '../../cli/command/spec.ts'
import { refuseOpenWrites } from '../../cli/account/open-ledger.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { guessMode } from '../../client/config/base-url.ts'
import { chooseLedger } from '../../client/config/ledger-choice.ts'
import type { Profile, Limits } from '../../client/config/profile.ts'
import { readProfiles } from '../../client/config/read-profiles.ts'
import { UsageError } from '../../errors.ts'
import { profileView } from '../../views/profile.ts'
import { askConfirmation } from '../ask-confirmation.ts'
import { oneOf } from '../../cli/parse/choices.ts'
import {
  changedInTime,
  changedLedger,
  readChange,
  noteUnlimitedCalls,
  liftsMaxAmount,
  withApprovals,
  PROFILE_FLAGS,
} from './profile-change.ts'
import { updateStoredProfiles } from '../../cli/account/update-stored-profiles.ts'
import { findProfile, profileDetails, PROFILE_ARGUMENT } from './stored-profiles.ts'
import type { ProfileChange } from './profile-change.ts'
import { formatMoney } from '../../money/format.ts'
import { formatSpan } from '../../text/duration.ts'
import { agree, pluralize } from '../../text/words.ts'
import { shellWord } from '../../files/shell.ts'

const CLEARED = ['api-key', 'api-key-command', 'api-version', 'mode', 'operations', 'max-amount'] as const

export const command: CommandSpec = {
  path: ['profile', 'set'],
  summary: 'Change a profile',
  details:
    "Changes only the fields you give. A new base URL needs its own key, since the stored key, or its command's, goes only to the old address; its mode is guessed again unless you give --test or --live. Loosening a live profile's limits asks for confirmation; without a terminal it needs --yes.",
  examples: [
    { purpose: 'replace the key', line: 'pass show pay/shop | pay profile set shop --api-key-stdin' },
    { purpose: 'allow only reads', line: 'pay profile set shop --read-only' },
    { purpose: 'remove the limit on amounts', line: 'pay profile set shop --clear max-amount --yes' },
  ],
  args: [PROFILE_ARGUMENT],
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
  const { NAME: name = '' } = input.args
  const change = await readChange(invocation, input)
  const cleared = [
    ...listFlag(input, 'clear').map((field) => oneOf('--clear', field, CLEARED)),
    ...(liftsMaxAmount(input) ? ['max-amount'] : []),
  ]
  const changesLimits = Object.keys(change.limits).length > 0
  if (Object.keys(change).length === 1 && !changesLimits && cleared.length === 0) {
    throw new UsageError('Nothing to change', {
      code: 'missing_input',
      next: ['pay profile set --help'],
    })
  }
  const { configFolder, uid } = invocation.context
  const before = findProfile(readProfiles(configFolder, { uid }), name)
  const after = applyChange(before, change, cleared)
  await confirmLoosenedLimits(invocation, before, after)
  if (after.ledger !== before.ledger) await leaveLedger(invocation, before, after)
  const file = await updateStoredProfiles(invocation, (stored) => {
    const profile = applyChange(findProfile(stored, name), change, cleared)
    return { ...stored, profiles: new Map([...stored.profiles, [name, profile]]) }
  })
  const profile = findProfile(file, name)
  if (profile.apiKey === undefined && profile.apiKeyCommand === undefined)
    await invocation.note(
      `The profile has no key. To add one: pay profile set ${shellWord(name)} --api-key-stdin`,
    )
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
    apiKey:
      change.apiKey ??
      (isMoved || isCleared('api-key') || change.apiKeyCommand !== undefined ? undefined : before.apiKey),
    apiKeyCommand:
      change.apiKeyCommand ??
      (isMoved || isCleared('api-key-command') || change.apiKey !== undefined
        ? undefined
        : before.apiKeyCommand),
    apiVersion: change.apiVersion ?? (isCleared('api-version') ? undefined : before.apiVersion),
    ...changedLedger(before, change),
    limits: withApprovals(
      {
        ...changedInTime(before.limits, change.inTime),
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

/**
 * Before a profile's ledger is replaced by another one.
 * @throws {PayError} exit 6 if this machine has open writes in it, 2 if going back to this machine's own is not confirmed
 */
async function leaveLedger(invocation: Invocation, before: Profile, after: Profile): Promise<void> {
  const { context, settings, isInteractive } = invocation
  const ledger = chooseLedger({}, before)
  const { apiKeyCommand } = before
  const { stop } = context.interruption
  const apiKey =
    apiKeyCommand === undefined ? before.apiKey : await context.program.keyBy(apiKeyCommand, stop)
  if (apiKey !== undefined) invocation.keepSecret(apiKey)
  const used = {
    ledger,
    baseUrl: { value: before.baseUrl, source: '' },
    apiKey: apiKey === undefined ? undefined : { value: apiKey, source: '' },
  }
  if (ledger.kind !== 'team' || ledger.account !== undefined)
    await refuseOpenWrites(await context.ledger(used), used, context.program.machine)
  if (after.ledger !== undefined || settings.assumesYes) return
  const what = `Profile ${before.name} would go back to the ledger of this machine only, which knows nothing of the team's writes, and copies none.`
  if (!isInteractive)
    throw new UsageError(`${what} It needs --yes when pay cannot ask`, { code: 'confirmation_needed' })
  await askConfirmation(invocation, `${what} Go back?`, {
    ifDeclined: 'nothing was changed',
    outcome: 'none',
  })
}

/** Describes what a change newly allows; empty if it only tightens the limits. */
function loosenedLimits(before: Limits, after: Limits): readonly string[] {
  return [
    ...(before.readOnly && !after.readOnly ? ['writes are allowed'] : []),
    ...addedOperations(before.operations, after.operations),
    ...raisedAmounts(before.maxAmount, after.maxAmount),
    ...raisedTotals(before.maxTotal, after.maxTotal),
    ...raisedCount(before.maxCount, after.maxCount),
    ...fewerApprovals(before, after),
  ]
}

function fewerApprovals(before: Limits, after: Limits): readonly string[] {
  const [earlier, later] = [before.approvals ?? 0, after.approvals ?? 0]
  if (later === 0 && earlier > 0) return ['plans need no approval']
  if (later < earlier) return [`plans need ${pluralize(later, 'approval')} instead of ${earlier}`]
  return before.signers === undefined || before.signers === after.signers
    ? []
    : [`signatures are checked against ${after.signers ?? 'no file'}`]
}

function addedOperations(before: Limits['operations'], after: Limits['operations']): readonly string[] {
  if (before === undefined) return []
  if (after === undefined) return ['every operation is allowed']
  const added = after.filter((id) => !before.includes(id))
  return added.length === 0 ? [] : [`${added.join(', ')} ${agree(added.length, 'is', 'are')} allowed`]
}

function raisedAmounts(before: Limits['maxAmount'], after: Limits['maxAmount']): readonly string[] {
  if (before === undefined) return []
  if (after === undefined) return ['amounts are not limited']
  // A currency without a limit can't be used at all, so adding one loosens.
  return Object.entries(after).flatMap(([currencyCode, newLimit]) => {
    const earlierLimit = Object.hasOwn(before, currencyCode) ? before[currencyCode] : undefined
    if (earlierLimit !== undefined && newLimit <= earlierLimit) return []
    const limit = formatMoney(newLimit, currencyCode)
    return [
      earlierLimit === undefined
        ? `up to ${limit} is allowed`
        : `up to ${limit} is allowed instead of ${formatMoney(earlierLimit, currencyCode)}`,
    ]
  })
}

function raisedTotals(before: Limits['maxTotal'], after: Limits['maxTotal']): readonly string[] {
  if (before === undefined) return []
  if (after === undefined) return ['the sum of refunds is not limited']
  return Object.entries(after).flatMap(([currencyCode, { amount, spanMs }]) => {
    const earlier = Object.hasOwn(before, currencyCode) ? before[currencyCode] : undefined
    if (earlier !== undefined && amount <= earlier.amount && spanMs >= earlier.spanMs) return []
    return [`refunds of up to ${formatMoney(amount, currencyCode)} in ${formatSpan(spanMs)} are allowed`]
  })
}

function raisedCount(before: Limits['maxCount'], after: Limits['maxCount']): readonly string[] {
  if (before === undefined) return []
  if (after === undefined) return ['the number of writes is not limited']
  const isTighter = after.count <= before.count && after.spanMs >= before.spanMs
  return isTighter ? [] : [`${pluralize(after.count, 'write')} in ${formatSpan(after.spanMs)} are allowed`]
}

/**
 * Asks before a change loosens the limits of a live profile, since they protect against mistakes.
 * @throws {UsageError} if it is not confirmed
 */
async function confirmLoosenedLimits(
  invocation: Invocation,
  { name, mode, limits }: Profile,
  after: Profile,
): Promise<void> {
  const loosened = mode === 'live' ? loosenedLimits(limits, after.limits) : []
  if (loosened.length === 0 || invocation.settings.assumesYes) return
  const what = `This loosens limits of LIVE profile ${name}: ${loosened.join('; ')}.`
  if (!invocation.isInteractive)
    throw new UsageError(`${what} It needs --yes when pay cannot ask`, {
      code: 'confirmation_needed',
      hint: 'If you are allowed to change these limits, add --yes.',
    })
  await askConfirmation(invocation, `${what} Change them?`, {
    ifDeclined: 'nothing was changed',
    outcome: 'none',
  })
}
