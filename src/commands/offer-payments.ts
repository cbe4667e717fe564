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
import type { Offered } from './payment-argument.ts'

/** So many as can be looked through; the rest is found by its id. */
const MOST = 50

/**
 * Payments to choose from: those that this machine has lately written to, and the newest that the service lists, where the
 * key may list them. A refusal is silent: an id can be typed.
 */
export async function offerPayments(
  invocation: Invocation,
  { statuses = [], left }: Offered,
): Promise<Offer | undefined> {
  const recent = await listRecentPayments(invocation)
  const listed = await newestPayments(invocation, {
    limit: String(MOST),
    ...(statuses.length === 0 ? {} : { status: statuses.join(',') }),
  })
  const payments = listed === undefined ? recent.map(remembered) : inOrder(listed, recent)
  if (payments.length === 0) return undefined
  const { stderr, timeZone } = invocation.context
  const lines = renderPaymentChoices(payments, { width: stderr.columns, timeZone: timeZone(), left })
  return { ...lines, freeText: { what: 'another payment id' } }
}

/** What was handled here comes first: the next thing to do is often about the same payment. */
function inOrder(
  listed: readonly PaymentSummary[],
  recent: readonly RecentPayment[],
): readonly OfferedPayment[] {
  const here = new Map(recent.map((payment) => [payment.id, payment]))
  const rankOf = ({ id }: PaymentSummary) => {
    const rank = recent.findIndex((payment) => payment.id === id)
    return rank === -1 ? recent.length : rank
  }
  return listed
    .toSorted((a, b) => rankOf(a) - rankOf(b))
    .map((payment) => ({ ...payment, lastOperation: here.get(payment.id ?? '') }))
}

/** All that the ledger tells: which payment, and what was last done to it. */
const remembered = (payment: RecentPayment): OfferedPayment => ({ id: payment.id, lastOperation: payment })

/** The newest that the service lists; undefined where it does not, which is not worth a word. */
export async function newestPayments(
  invocation: Invocation,
  query: Readonly<Record<string, string>>,
): Promise<readonly PaymentSummary[] | undefined> {
  // A dry run asks nothing of the service.
  if (invocation.settings.mode !== 'send') return undefined
  try {
    const answer = await invocation.call({ operation: listPayments, params: {}, query })
    return parseResponse(paymentList, withoutNulls(answer.json))?.data
  } catch (error) {
    // What is wrong with the account or the line is told by the call that the person wants.
    if (!(error instanceof PayError) || isInterruption(error)) throw error
    return undefined
  }
}
