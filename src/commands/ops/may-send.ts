import { checkLimits } from '../../config/limits.ts'
import type { Account } from '../../config/resolve.ts'
import type { Invocation } from '../../cli/invocation.ts'
import { UsageError } from '../../errors.ts'
import type { StoredRecord } from '../../ledger/record.ts'
import { formatMoney } from '../../money/format.ts'
import { operationText } from '../../views/operation-state.ts'

/**
 * Whether a write may be sent once more: real money asks first, and a profile's own limits hold for this too.
 * @throws {PayError} when it may not, with the reason
 */
export async function maySendAgain(
  invocation: Invocation,
  record: StoredRecord,
  account: Account,
): Promise<true> {
  keepLimits(record, account)
  if (invocation.settings.saysYes || (account.mode.value !== 'live' && record.mode !== 'live')) return true
  const what = operationText(record)
  const name = account.profile?.value ?? account.baseUrl.value
  const facts = { operation: record.operation, operationId: record.id, outcome: 'unknown' } as const
  if (!invocation.isInteractive)
    throw new UsageError(
      `To find out, ${what} has to be sent again on the live profile "${name}", which needs --yes when nobody can be asked`,
      {
        code: 'confirmation_needed',
        ...facts,
        hint: 'It would be the same request with the same idempotency key. Add --yes when you are sure.',
      },
    )
  const key = record.idempotencyKey === null ? '' : ' with the same idempotency key'
  const sentence = `Send ${what} again${key}, on LIVE profile ${name}?`
  const prompts = await invocation.context.prompts()
  if (await prompts.confirm({ sentence: invocation.hideSecrets(sentence) })) return true
  throw new UsageError('Not confirmed: nothing was sent', { code: 'confirmation_refused', ...facts })
}

function keepLimits(record: StoredRecord, { limits, profile }: Account): void {
  checkLimits(limits, profile?.value ?? '', {
    operationId: record.operation,
    risk: 'money',
    formatMoney,
    final: true,
    amount: { amountMinor: record.amount ?? undefined, currencyCode: record.currencyCode ?? undefined },
  })
}
