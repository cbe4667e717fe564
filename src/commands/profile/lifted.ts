import type { Invocation } from '../../cli/command/invocation.ts'
import type { Limits, Profile } from '../../config/profile.ts'
import { UsageError } from '../../errors.ts'
import { formatMoney } from '../../money/format.ts'
import { sayYes } from '../say-yes.ts'

/** What a change allows that the limits forbid, in words; nothing where it only tightens them. */
function liftedLimits(before: Limits, after: Limits): readonly string[] {
  return [
    ...(before.readOnly && !after.readOnly ? ['it is no longer read-only'] : []),
    ...liftedOperations(before.operations, after.operations),
    ...liftedAmounts(before.maxAmount, after.maxAmount),
  ]
}

function liftedOperations(before: Limits['operations'], after: Limits['operations']): readonly string[] {
  if (before === undefined) return []
  if (after === undefined) return ['every operation is allowed']
  const added = after.filter((id) => !before.includes(id))
  return added.length === 0 ? [] : [`${added.join(', ')} ${added.length === 1 ? 'is' : 'are'} allowed`]
}

function liftedAmounts(before: Limits['maxAmount'], after: Limits['maxAmount']): readonly string[] {
  if (before === undefined) return []
  if (after === undefined) return ['amounts are not limited']
  // A currency without a limit may not be moved at all.
  return Object.entries(after).flatMap(([currencyCode, most]) => {
    const was = Object.hasOwn(before, currencyCode) ? before[currencyCode] : undefined
    if (was !== undefined && most <= was) return []
    const up = formatMoney(most, currencyCode)
    return [
      was === undefined
        ? `up to ${up} is allowed`
        : `up to ${up} in place of ${formatMoney(was, currencyCode)}`,
    ]
  })
}

/**
 * The limits of a live profile keep a person from a mistake: to lift one is a decision of its own.
 * @throws {UsageError} when it is not confirmed
 */
export async function confirmLifting(
  invocation: Invocation,
  { name, mode, limits }: Profile,
  after: Profile,
): Promise<void> {
  const lifted = mode === 'live' ? liftedLimits(limits, after.limits) : []
  if (lifted.length === 0 || invocation.settings.saysYes) return
  const what = `This lifts limits of LIVE profile ${name}: ${lifted.join('; ')}.`
  if (!invocation.isInteractive)
    throw new UsageError(`${what} It needs --yes when nobody can be asked`, {
      code: 'confirmation_needed',
      outcome: 'none',
      hint: 'Add --yes if you are the one who decides on these limits.',
    })
  await sayYes(invocation, `${what} Change them?`, { otherwise: 'nothing was changed', outcome: 'none' })
}
