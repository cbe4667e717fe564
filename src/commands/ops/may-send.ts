import { checkLimits } from '../../config/limits.ts'
import type { Account } from '../../config/resolve.ts'
import type { Invocation } from '../../cli/invocation.ts'
import { UsageError } from '../../errors.ts'
import type { SendFacts } from '../../cli/resolve-open.ts'
import type { StoredRecord } from '../../ledger/record.ts'
import { formatMoney } from '../../money/format.ts'
import { operationText } from '../../views/operation-state.ts'

/**
 * Whether a write may be sent once more: real money asks first, and a profile's own limits hold for this too. A person
 * is asked on any profile where the payment shows what may be this one, or what somebody did in its place.
 * @throws {PayError} when it may not, with the reason
 */
export async function maySendAgain(
  invocation: Invocation,
  { record, account, evidence }: SendFacts & { readonly record: StoredRecord; readonly account: Account },
): Promise<true> {
  keepLimits(record, account)
  const isLive = account.mode.value === 'live' || record.mode === 'live'
  const isPlain = !isLive && (evidence === 'absent' || !invocation.isInteractive)
  if (invocation.settings.saysYes || isPlain) return true
  const what = operationText(record)
  const name = account.profile?.value ?? account.baseUrl.value
  const facts = { operation: record.operation, operationId: record.id, outcome: 'unknown' } as const
  const seen = seenWords(record, evidence, invocation.isInteractive)
  if (!invocation.isInteractive)
    throw new UsageError(
      `To find out, ${what} has to be sent again on the live profile "${name}", which needs --yes when nobody can be asked`,
      {
        code: 'confirmation_needed',
        ...facts,
        hint: `${seen}It would be the same request with the same idempotency key. Add --yes when you are sure.`,
      },
    )
  const key = record.idempotencyKey === null ? '' : ' with the same idempotency key'
  const where = isLive ? `, on LIVE profile ${name}` : ''
  const sentence = `${seen}Send ${what} again${key}${where}?`
  const prompts = await invocation.prompts()
  if (await prompts.confirm({ sentence: invocation.hideSecrets(sentence) })) return true
  throw new UsageError('Not confirmed: nothing was sent', { code: 'confirmation_refused', ...facts })
}

const DEEDS: Readonly<Record<string, string>> = {
  'payment.refund': 'refund',
  'payment.capture': 'capture',
  'payment.cancel': 'cancellation',
  'payment.authorize': 'authorization',
}

/** The service knows its own by the key. What somebody else has done meanwhile, only a person knows. */
function seenWords(
  { operation, amount, currencyCode }: StoredRecord,
  evidence: SendFacts['evidence'],
  isAsked: boolean,
): string {
  if (evidence === 'absent') return ''
  const money = amount === null ? '' : `${formatMoney(amount, currencyCode ?? undefined)} `
  const deed = `${money}${DEEDS[operation] ?? operation}`
  const advice = isAsked ? 'answer no and run pay ops abandon' : 'run pay ops abandon'
  return `This payment may already show the ${deed}. If it was done, the service knows its key and does not do it again. If somebody else did it in its place, ${advice}. `
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
