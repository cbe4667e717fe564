import { checkLimits } from '../../config/limits.ts'
import type { Account } from '../../config/resolve-account.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { UsageError } from '../../errors.ts'
import type { SendFacts } from '../../cli/resolve-open.ts'
import type { StoredRecord } from '../../ledger/files/record.ts'
import { formatMoney } from '../../money/format.ts'
import { describeOperation, formatTarget } from '../../views/ops/state.ts'
import { sayYes } from '../say-yes.ts'

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
  const what = describeOperation(record)
  const name = account.profile?.value ?? account.baseUrl.value
  const facts = { operation: record.operation, operationId: record.id, outcome: 'unknown' } as const
  const seen = invocation.hideSecrets(seenWords(record, evidence))
  if (!invocation.isInteractive)
    throw new UsageError(
      `To find out, ${what} has to be sent again on the live profile "${name}", which needs --yes when nobody can be asked`,
      { code: 'confirmation_needed', ...facts, hint: `${seen} Add --yes to send it.` },
    )
  const where = isLive ? ` on LIVE profile ${name}` : ''
  await sayYes(invocation, `${seen} Send it again${where}?`, { otherwise: 'nothing was sent', ...facts })
  return true
}

const DEEDS: Readonly<Record<string, { readonly noun: string; readonly verb: string }>> = {
  'payment.refund': { noun: 'refund', verb: 'refund' },
  'payment.capture': { noun: 'capture', verb: 'capture' },
  'payment.cancel': { noun: 'cancellation', verb: 'cancel' },
  'payment.authorize': { noun: 'authorization', verb: 'authorize' },
  'payment.adjust': { noun: 'adjustment', verb: 'adjust' },
}

/**
 * What the payment shows, and what follows for a resend. The key keeps this write from being done twice; it does nothing
 * against another one that somebody made in its place, which only a person can know of.
 */
function seenWords(record: StoredRecord, evidence: SendFacts['evidence']): string {
  const { operation, amount, currencyCode, target, id } = record
  const { noun, verb } = DEEDS[operation] ?? { noun: operation, verb: 'do it' }
  const money = amount === null ? '' : `${formatMoney(amount, currencyCode ?? undefined)} `
  const payment = target === null ? 'the payment' : `payment ${formatTarget(target)}`
  const unless = `unless someone made another ${noun} in its place: then stop here and run pay ops abandon ${id}.`
  switch (evidence) {
    case 'absent':
      return record.idempotencyKey === null
        ? `The ${money}${noun} is not on ${payment}, which is as it was before.`
        : `The ${money}${noun} is not on ${payment}. Sending it again with the same key can't ${verb} twice.`
    case 'unclear':
      return `It is not clear whether the ${money}${noun} is on ${payment}. Sending it again with the same key can't ${verb} twice, ${unless}`
  }
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
