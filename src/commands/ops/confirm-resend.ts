import { checkLimits } from '../../config/limits.ts'
import type { Account } from '../../config/resolve-account.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { UsageError } from '../../errors.ts'
import type { SendFacts } from '../../cli/resolve-open.ts'
import type { StoredRecord } from '../../ledger/files/record.ts'
import { formatMoney } from '../../money/format.ts'
import { describeOperation, formatTarget } from '../../views/ops/state.ts'
import { askConfirmation } from '../ask-confirmation.ts'

/**
 * Checks the profile's limits and asks whether to send a write again. Live profiles always ask; test profiles ask on a
 * terminal if the payment may already show this write, or another one made in its place.
 * @throws {PayError} with the reason, if it may not be sent
 */
export async function confirmResend(
  invocation: Invocation,
  { record, account, evidence }: SendFacts & { readonly record: StoredRecord; readonly account: Account },
): Promise<true> {
  enforceLimits(record, account)
  const isLive = account.mode.value === 'live' || record.mode === 'live'
  const isSafe = !isLive && (evidence === 'absent' || !invocation.isInteractive)
  if (invocation.settings.assumesYes || isSafe) return true
  const what = describeOperation(record)
  const name = account.profile?.value ?? account.baseUrl.value
  const facts = { operation: record.operation, operationId: record.id, outcome: 'unknown' } as const
  const evidenceText = invocation.hideSecrets(describeEvidence(record, evidence))
  if (!invocation.isInteractive)
    throw new UsageError(
      `To find the outcome, pay must send ${what} again on the live profile "${name}", which needs --yes when pay cannot ask`,
      { code: 'confirmation_needed', ...facts, hint: `${evidenceText} Add --yes to send it.` },
    )
  const where = isLive ? ` on LIVE profile ${name}` : ''
  await askConfirmation(invocation, `${evidenceText} Send it again${where}?`, {
    ifDeclined: 'nothing was sent',
    ...facts,
  })
  return true
}

const ACTION_NAMES: Readonly<Record<string, { readonly noun: string; readonly verb: string }>> = {
  'payment.refund': { noun: 'refund', verb: 'refund' },
  'payment.capture': { noun: 'capture', verb: 'capture' },
  'payment.cancel': { noun: 'cancellation', verb: 'cancel' },
  'payment.authorize': { noun: 'authorization', verb: 'authorize' },
  'payment.adjust': { noun: 'adjustment', verb: 'adjust' },
}

/**
 * Describes what the payment shows and whether sending again is safe. The idempotency key prevents a second execution of this
 * write. It can't detect another write that someone made in its place: only a person can know that.
 */
function describeEvidence(record: StoredRecord, evidence: SendFacts['evidence']): string {
  const { operation, amount, currencyCode, target, id } = record
  const { noun, verb } = ACTION_NAMES[operation] ?? { noun: operation, verb: 'do it' }
  const ofMoney = amount === null ? '' : ` of ${formatMoney(amount, currencyCode ?? undefined)}`
  const payment = target === null ? 'the payment' : `payment ${formatTarget(target)}`
  const unless = `unless someone made another ${noun} in its place: then stop here and run pay ops abandon ${id}.`
  switch (evidence) {
    case 'absent':
      return record.idempotencyKey === null
        ? `The ${noun}${ofMoney} is not on ${payment}, which is as it was before.`
        : `The ${noun}${ofMoney} is not on ${payment}. Sending it again with the same key can't ${verb} twice.`
    case 'unclear':
      return `It is not clear whether the ${noun}${ofMoney} is on ${payment}. Sending it again with the same key can't ${verb} twice, ${unless}`
  }
}

function enforceLimits(record: StoredRecord, { limits, profile }: Account): void {
  checkLimits(limits, profile?.value ?? '', {
    operationId: record.operation,
    risk: 'money',
    formatMoney,
    isFinalCheck: true,
    amount: { amountMinor: record.amount ?? undefined, currencyCode: record.currencyCode ?? undefined },
  })
}
