import type { CallOperation } from '../../client/calls/call.ts'
import { checkLimits } from '../../client/config/limits.ts'
import { limitsOfPlans } from '../../client/config/profile.ts'
import type { Account } from '../../client/config/resolve-account.ts'
import { LimitError } from '../../errors.ts'
import { formatMoney } from '../../money/format.ts'

/** Says why the profile forbids a row with this amount, in minor units; undefined if it allows it. */
export type RowLimit = (
  amountMinor: number | undefined,
  currencyCode: string | undefined,
) => LimitError | undefined

export function rowLimitOf(
  { limits, profile }: Account,
  { id: operationId, risk }: Pick<CallOperation, 'id' | 'risk'>,
): RowLimit {
  const planned = limitsOfPlans(limits)
  return (amountMinor, currencyCode) => {
    const amount = { amountMinor, currencyCode }
    const verdict = checkLimits(planned, profile?.value ?? '', {
      operationId,
      risk,
      formatMoney,
      amount,
      isFinalCheck: true,
    })
    return verdict instanceof LimitError ? verdict : undefined
  }
}
