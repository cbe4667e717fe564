import { factsOf } from '../../api/facts.ts'
import { checkLimits } from '../../client/config/limits.ts'
import type { Account } from '../../client/config/resolve-account.ts'
import { textAt } from '../../json/fields.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { LimitError, UsageError } from '../../errors.ts'
import type { SendFacts } from '../../cli/resolve-open.ts'
import type { StoredRecord } from '../../client/ledger/record.ts'
import { formatMoney } from '../../money/format.ts'
import { describeOperation, formatTarget } from '../../views/ops/state.ts'
import { askConfirmation } from '../ask-confirmation.ts'

/**
 * Checks the profile's limits and asks whether to send a write again: on a live profile, and, only in person, if a person wants it
 * sent although the payment may show it.
 * @throws {PayError} with the reason, if it may not be sent
 */
export async function confirmResend(
  invocation: Invocation,
  {
    record: stored,
    account,
    evidence,
    payment,
    resends,
  }: SendFacts & { readonly record: StoredRecord; readonly account: Account; readonly resends: boolean },
): Promise<true> {
  const currencyCode = stored.currencyCode ?? textAt(payment, 'currencyCode') ?? null
  const record = { ...stored, currencyCode }
  enforceLimits(record, account)
  const isLive = account.mode.value === 'live' || record.mode === 'live'
  const isAsked = isLive || invocation.context.isDesk === true
  const mayBeThere = resends && (evidence === 'shown' || evidence === 'unclear')
  if (!mayBeThere && (invocation.settings.assumesYes || !isAsked)) return true
  const what = describeOperation(record)
  const name = account.profile?.value ?? account.baseUrl.value
  const facts = { operation: record.operation, operationId: record.id, outcome: 'unknown' } as const
  const evidenceText = invocation.hideSecrets(describeEvidence(record, evidence))
  if (!invocation.isInteractive && mayBeThere)
    throw new UsageError(
      `The payment may show ${what} already, so only a person at a terminal can send it anyway`,
      { code: 'confirmation_needed', ...facts, hint: evidenceText },
    )
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

/** `refund` as a noun and as a verb. */
function wordsOf(operation: string): { readonly noun: string; readonly verb: string } {
  const words = factsOf(operation)?.words
  return words == null
    ? { noun: operation, verb: 'do it' }
    : { noun: words.deed.replace(/^an? /, ''), verb: words.verb }
}

/** What the payment shows, and what sending the write again may do. */
function describeEvidence(record: StoredRecord, evidence: SendFacts['evidence']): string {
  const { operation, amount, currencyCode, target } = record
  const { noun, verb } = wordsOf(operation)
  const ofMoney = amount === null ? '' : ` of ${formatMoney(amount, currencyCode ?? undefined)}`
  const payment = target === null ? 'the payment' : `payment ${formatTarget(target)}`
  const again = `Sending it again uses the same key: if the service knows it, that does nothing.`
  switch (evidence) {
    case 'absent':
      return record.idempotencyKey === null
        ? `The ${noun}${ofMoney} is not on ${payment}, which is as it was before.`
        : `The ${noun}${ofMoney} is not on ${payment}. ${again}`
    case 'hidden':
      return `Whether the ${noun}${ofMoney} is on ${payment} can't be seen. ${again}`
    case 'shown':
    case 'unclear':
      return `An equal ${noun}${ofMoney} is on ${payment}: this one, or a colleague's. Sending this one as well may ${verb} twice.`
  }
}

function enforceLimits(record: StoredRecord, { limits, profile }: Account): void {
  const verdict = checkLimits(limits, profile?.value ?? '', {
    operationId: record.operation,
    risk: 'money',
    formatMoney,
    isFinalCheck: true,
    amount: { amountMinor: record.amount ?? undefined, currencyCode: record.currencyCode ?? undefined },
  })
  if (verdict instanceof LimitError) throw verdict
}
