import { statusesFor } from '../api/actions/actions.ts'
import type { ActionName } from '../api/actions/actions.ts'
import { listPayments } from '../api/operations/payment.ts'
import { paymentList } from '../api/models/payment.ts'
import type { PaymentSummary } from '../api/models/payment.ts'
import { parseResponse } from '../api/parse-response.ts'
import type { Invocation } from '../cli/command/invocation.ts'
import { withoutNulls } from '../cli/command/nulls.ts'
import { listRecentPayments } from '../cli/recent-payments.ts'
import type { RecentPayment } from '../cli/recent-payments.ts'
import type { Offer } from '../cli/command/flags.ts'
import { PayError, isInterruption } from '../errors.ts'
import { renderPaymentChoices } from '../views/payment/choices.ts'
import type { OfferedPayment } from '../views/payment/choices.ts'

/** More choices would not help: you can type the ID of any other payment. */
const MAX_LISTED = 50

/**
 * Payments to choose from, those that allow the action if one is given: the newest that the service lists, those this machine wrote to recently first; only the latter
 * if the key may not list payments. Undefined when there are none: the user can still type an ID.
 */
export async function listPaymentChoices(
  invocation: Invocation,
  action: ActionName | undefined,
): Promise<Offer | undefined> {
  const recent = await listRecentPayments(invocation)
  const listed = await listNewestPayments(invocation, {
    limit: String(MAX_LISTED),
    ...(action === undefined ? {} : { status: statusesFor(action).join(',') }),
  })
  const payments = listed === undefined ? recent.map(fromLedger) : recentFirst(listed, recent)
  if (payments.length === 0) return undefined
  const { stderr, timeZone } = invocation.context
  const lines = renderPaymentChoices(payments, { width: stderr.columns, timeZone: timeZone(), action })
  return { ...lines, freeText: { what: 'another payment ID' } }
}

/** The next command is often about a payment that was just handled. */
function recentFirst(
  listed: readonly PaymentSummary[],
  recent: readonly RecentPayment[],
): readonly OfferedPayment[] {
  const recentById = new Map(recent.map((payment) => [payment.id, payment]))
  const rankOf = ({ id }: PaymentSummary) => {
    const rank = recent.findIndex((payment) => payment.id === id)
    return rank === -1 ? recent.length : rank
  }
  return listed
    .toSorted((a, b) => rankOf(a) - rankOf(b))
    .map((payment) => ({ ...payment, lastOperation: recentById.get(payment.id ?? '') }))
}

/** The ledger knows only the ID and what was last done to the payment. */
const fromLedger = (payment: RecentPayment): OfferedPayment => ({ id: payment.id, lastOperation: payment })

/** The newest payments, or undefined if they can't be listed. Only interruptions throw. */
export async function listNewestPayments(
  invocation: Invocation,
  query: Readonly<Record<string, string>>,
): Promise<readonly PaymentSummary[] | undefined> {
  // A dry run sends no requests.
  if (invocation.settings.mode !== 'send') return undefined
  try {
    const answer = await invocation.call({ operation: listPayments, params: {}, query })
    return parseResponse(paymentList, withoutNulls(answer.json))?.data
  } catch (error) {
    // Account and connection errors are reported by the command's own call.
    if (!(error instanceof PayError) || isInterruption(error)) throw error
    return undefined
  }
}
