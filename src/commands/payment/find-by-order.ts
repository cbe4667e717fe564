import { getPayment, listPayments } from '../../api/operations/payment.ts'
import { decidePaymentOfOrder } from '../../api/payment-of-order.ts'
import type { OrderPayment } from '../../api/payment-of-order.ts'
import { paymentSummary } from '../../api/models/payment.ts'
import type { PaymentSummary } from '../../api/models/payment.ts'
import { parseResponse } from '../../api/parse-response.ts'
import { textAt } from '../../json/fields.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { accountFlagsOf } from '../../cli/command/flag-words.ts'
import { isMachine } from '../../cli/command/settings.ts'
import { describeAccount } from '../../client/config/resolve-account.ts'
import { EXIT, PayError, UsageError, isInterruption } from '../../errors.ts'
import { renderOrderMatches } from '../../views/payment/choices.ts'
import { readPages } from '../find/pages.ts'
import { lastWords } from '../../files/shell.ts'

interface Match extends OrderPayment {
  readonly id: string
  readonly summary: PaymentSummary
}

/**
 * Finds the ID of an order's payment. A single match that names the order is used without asking, and so is the only one
 * that is not over if the others never captured anything; otherwise a terminal shows a choice.
 * @throws {PayError} if nothing matches, the search fails, or a choice is needed and there is no one to ask
 */
export async function findByOrder(invocation: Invocation, orderId: string): Promise<string> {
  const matches = await listMatches(invocation, orderId)
  const [only] = matches
  if (only === undefined) throw await createNoPaymentError(invocation, orderId)
  const { stderr, timeZone } = invocation.context
  const rendered = renderOrderMatches(summariesOf(matches), { width: stderr.columns, timeZone: timeZone() })
  if (matches.length === 1 && only.summary.orderId === orderId) {
    await invocation.note(
      `Order ${invocation.cleanText(orderId)}: payment ${rendered.sentences[0] ?? ''}`,
      'ids',
    )
    return only.id
  }
  const chosen = matches.length === 1 ? undefined : await chooseMatch(invocation, matches)
  if (chosen !== undefined && matches[chosen]?.summary.orderId === orderId) {
    const others = rendered.sentences.filter((_, at) => at !== chosen)
    await invocation.note(
      [
        `Order ${invocation.cleanText(orderId)}: payment ${rendered.sentences[chosen] ?? ''}`,
        'Its other payments never captured anything:',
        ...others.map((sentence) => `  ${sentence}`),
      ].join('\n'),
      'ids',
    )
    return matches[chosen].id
  }
  if (!invocation.isInteractive) {
    if (!isMachine(invocation.settings.format))
      await invocation.warn([rendered.heading, ...rendered.lines].join('\n'), 'ids')
    throw severalPaymentsError(invocation, orderId, matches)
  }
  const prompts = await invocation.prompts()
  return prompts.choose({
    label: 'Payment',
    hint: `${matches.length} for order ${invocation.cleanText(orderId)}`,
    heading: rendered.heading,
    choices: matches.map(({ id }, at) => ({ value: id, text: rendered.lines[at] ?? id })),
  })
}

/** Decides which match is meant. Where the list doesn't say whether the others captured anything, each is read; one that can't be read may have. */
async function chooseMatch({ call }: Invocation, matches: readonly Match[]): Promise<number | undefined> {
  const known: OrderPayment[] = [...matches]
  let verdict = decidePaymentOfOrder(known)
  if (verdict.kind === 'read') {
    try {
      for (const at of verdict.at) {
        const { json } = await call({
          operation: getPayment,
          params: { id: matches[at]?.id ?? '' },
          query: {},
        })
        known[at] = { payment: json, isFull: true }
      }
    } catch (error) {
      if (!(error instanceof PayError) || isInterruption(error)) throw error
      return undefined
    }
    verdict = decidePaymentOfOrder(known)
  }
  return verdict.kind === 'one' ? verdict.at : undefined
}

const summariesOf = (matches: readonly Match[]) => matches.map(({ id, summary }) => ({ ...summary, id }))

/** Reads every page: the payment could be on the last one. */
async function listMatches({ call }: Invocation, orderId: string): Promise<readonly Match[]> {
  const found: Match[] = []
  const query = { order_id: orderId }
  try {
    for await (const { entries } of readPages({ read: call, operation: listPayments, query, repeated }))
      found.push(...entries.flatMap((entry) => matchOf(entry, orderId)))
  } catch (error) {
    throw toSearchError(error)
  }
  // Payments created while paging push earlier ones onto the next page, which repeats them.
  return found.filter(({ id }, at) => found.findIndex((other) => other.id === id) === at)
}

/** The match in an entry. A service may read a comma in the order ID as "or" and return other orders: an entry that names another is no match. */
function matchOf(entry: unknown, orderId: string): readonly Match[] {
  const entryOrderId = textAt(entry, 'orderId')
  if (entryOrderId !== undefined && entryOrderId !== orderId) return []
  const id = textAt(entry, 'id')
  if (id === undefined || id === '') throw unusableListError('has a payment without an ID')
  const summary = parseResponse(paymentSummary, entry) ?? {
    orderId: entryOrderId,
    status: textAt(entry, 'status'),
  }
  return [{ id, summary, payment: entry, isFull: false }]
}

const repeated = (): PayError => unusableListError('repeats a page')

const unusableListError = (what: string): PayError =>
  new PayError('unusable_answer', EXIT.serverFault, `The list of payments for the order ${what}`, {
    operation: listPayments.id,
    outcome: 'none',
    retryable: false,
    hint: 'Use the payment ID instead of --order.',
  })

function toSearchError(error: unknown): unknown {
  if (!(error instanceof PayError) || isInterruption(error) || error.exitCode !== EXIT.auth) return error
  return new PayError(error.code, error.exitCode, `Could not search for the order: ${error.message}`, {
    ...error.details,
    hint: '--order needs a key that may list payments. Use the payment ID instead, or another key.',
    cause: error,
  })
}

async function createNoPaymentError(invocation: Invocation, orderId: string): Promise<PayError> {
  const where = describeAccount(await invocation.account())
  const comma = orderId.includes(',')
    ? ' The service may read the comma as "or" and miss this order: try another filter.'
    : ''
  const order = invocation.cleanText(orderId)
  return new PayError('no_such_order', EXIT.notFound, `No payment found for order ${order}`, {
    operation: listPayments.id,
    outcome: 'none',
    retryable: false,
    hint: `Searched all payments for exactly the order ID ${order} (case-sensitive) on ${where}. Check the order ID and the account, and that the key may list payments.${comma}`,
    next: [`pay${accountFlagsOf(invocation)} payment list --limit 10`],
  })
}

const MAX_SUGGESTED = 10

function severalPaymentsError(
  invocation: Invocation,
  orderId: string,
  matches: readonly Match[],
): UsageError {
  const order = invocation.cleanText(orderId)
  const pay = `pay${accountFlagsOf(invocation)} payment explain`
  return new UsageError(
    matches.length === 1
      ? `One payment was found for order ${order}, but it does not name that order`
      : `${matches.length} payments match order ${order}`,
    {
      code: 'several_payments',
      operation: listPayments.id,
      hint:
        matches.length === 1
          ? 'If it is the right payment, use its ID instead of --order.'
          : 'Use the ID of the right one instead of --order.',
      next: matches.slice(0, MAX_SUGGESTED).map(({ id }) => `${pay} ${lastWords(id)}`),
    },
  )
}
