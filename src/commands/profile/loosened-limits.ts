import type { Invocation } from '../../cli/command/invocation.ts'
import type { Limits, Profile } from '../../client/config/profile.ts'
import { UsageError } from '../../errors.ts'
import { formatMoney } from '../../money/format.ts'
import { askConfirmation } from '../ask-confirmation.ts'
import { agree, pluralize } from '../../text/words.ts'

/** Describes what a change newly allows; empty if it only tightens the limits. */
function loosenedLimits(before: Limits, after: Limits): readonly string[] {
  return [
    ...(before.readOnly && !after.readOnly ? ['writes are allowed'] : []),
    ...addedOperations(before.operations, after.operations),
    ...raisedAmounts(before.maxAmount, after.maxAmount),
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

/**
 * Asks before a change loosens the limits of a live profile, since they protect against mistakes.
 * @throws {UsageError} if it is not confirmed
 */
export async function confirmLoosenedLimits(
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
