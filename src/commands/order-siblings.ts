import { paymentSummary } from '../api/models/payment.ts'
import type { PaymentSummary } from '../api/models/payment.ts'
import { listPayments } from '../api/operations/payment.ts'
import { isOver } from '../api/payment-of-order.ts'
import { parseResponse } from '../api/parse-response.ts'
import type { Invocation } from '../cli/command/invocation.ts'
import { describeStandout, otherPaymentsOf } from '../views/payment/stands-out.ts'
import { PayError, isInterruption } from '../errors.ts'
import { wrapWords } from '../output/wrap.ts'
import { fieldAt, textAt } from '../json/fields.ts'

/**
 * The other payments of a payment's order, without those that were declined, failed or cancelled: a customer who was charged twice
 * may have got the money back through one of them. Looks at one page, without patience. Warns if it can't be read.
 */
export async function readOrderSiblings(
  invocation: Invocation,
  payment: unknown,
): Promise<readonly PaymentSummary[]> {
  const [id, orderId] = [textAt(payment, 'id'), textAt(payment, 'orderId')]
  // A service may read a comma as "or".
  if (id === undefined || orderId === undefined || orderId.includes(',')) return []
  try {
    const entries = await readOrderPage(invocation, orderId)
    return entries
      .filter((entry) => textAt(entry, 'id') !== id && !isOver(entry))
      .map(
        (entry) =>
          parseResponse(paymentSummary, entry) ?? {
            id: textAt(entry, 'id'),
            status: textAt(entry, 'status'),
          },
      )
  } catch (error) {
    if (!(error instanceof PayError) || isInterruption(error)) throw error
    await invocation.warn(
      `Whether order ${invocation.cleanText(orderId)} has other payments could not be read (${error.message}).`,
      'ids',
    )
    return []
  }
}

/** The payments on the first page that name this order. They only improve what is said, so it is read without patience. */
export async function readOrderPage({ call }: Invocation, orderId: string): Promise<readonly unknown[]> {
  const { json } = await call({
    operation: listPayments,
    params: {},
    query: { order_id: orderId },
    patience: { timeoutMs: 5_000, maxRetries: 0 },
  })
  const entries = fieldAt(json, ['data'])
  return Array.isArray(entries) ? entries.filter((entry) => textAt(entry, 'orderId') === orderId) : []
}

/** Says before a question which other payments the order has. */
export async function warnAboutSiblings(run: Invocation, payment: unknown): Promise<void> {
  const { stderr, timeZone } = run.context
  const paint = await run.paint('stderr')
  const lines = otherPaymentsOf(await readOrderSiblings(run, payment)).flatMap((one) =>
    wrapWords(`! ${describeStandout(one, timeZone())}`, stderr.columns),
  )
  if (lines.length > 0) await run.warn(`${lines.map((line) => paint(line, 'warn')).join('\n')}\n`, 'ids')
}
