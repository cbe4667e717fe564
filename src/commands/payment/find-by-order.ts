import { PAGE_LIMIT } from '../../api/models/page-limit.ts'
import { listPayments } from '../../api/operations/payment.ts'
import { paymentSummary } from '../../api/models/payment.ts'
import type { PaymentSummary } from '../../api/models/payment.ts'
import { parseResponse } from '../../api/parse-response.ts'
import { fieldAt, textAt } from '../../cli/parse/field-path.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { accountFlagsOf } from '../../cli/command/account-flags.ts'
import { withoutNulls } from '../../cli/command/nulls.ts'
import { isMachine } from '../../cli/command/settings.ts'
import { EXIT, PayError, UsageError, isInterruption } from '../../errors.ts'
import { renderOrderMatches } from '../../views/payment/order-matches.ts'
import { readPage } from './read-page.ts'

type Match = PaymentSummary & { readonly id: string }

/** The id of the payment of an order. Only one that says so itself is taken without a person's word. */
export async function findByOrder(invocation: Invocation, orderId: string): Promise<string> {
  const matches = await paymentsOf(invocation, orderId)
  const [only] = matches
  if (only === undefined) throw await noneFound(invocation, orderId)
  const { stderr, timeZone } = invocation.context
  const shown = renderOrderMatches(matches, { width: stderr.columns, timeZone: timeZone() })
  if (matches.length === 1 && only.orderId === orderId) {
    await invocation.note(
      `Order ${invocation.cleanWords(orderId)}: payment ${shown.sentences[0] ?? ''}`,
      'ids',
    )
    return only.id
  }
  if (!invocation.isInteractive) {
    if (!isMachine(invocation.settings.format))
      await invocation.warn([shown.heading, ...shown.lines].join('\n'), 'ids')
    throw severalFound(invocation, orderId, matches)
  }
  const prompts = await invocation.prompts()
  return prompts.choose({
    label: 'Payment',
    hint: `${matches.length} of order ${invocation.cleanWords(orderId)}`,
    heading: shown.heading,
    choices: matches.map(({ id }, at) => ({ value: id, text: shown.lines[at] ?? id })),
  })
}

/** Every page: a payment that is not seen could be the one that is meant. */
async function paymentsOf(invocation: Invocation, orderId: string): Promise<readonly Match[]> {
  const found: Match[] = []
  const seen = new Set<string>()
  let cursor: string | undefined
  do {
    const page = await readPage(invocation, {
      order_id: orderId,
      limit: String(PAGE_LIMIT),
      ...(cursor === undefined ? {} : { cursor }),
    }).catch((error: unknown) => {
      throw notSearched(error)
    })
    const data = fieldAt(page.answer.json, ['data'])
    if (!Array.isArray(data)) throw unusable('is not a list of payments')
    found.push(...data.flatMap((entry: unknown) => matchOf(entry, orderId)))
    cursor = page.next
    if (cursor !== undefined && seen.has(cursor)) throw unusable('repeats its pages')
    if (cursor !== undefined) seen.add(cursor)
  } while (cursor !== undefined)
  // What is made while the pages are read pushes others onto the next one once more.
  return found.filter(({ id }, at) => found.findIndex((other) => other.id === id) === at)
}

/** A service may look for more than was asked: it reads a comma as "or". What says that it is of another order is none. */
function matchOf(entry: unknown, orderId: string): readonly Match[] {
  const plain = withoutNulls(entry)
  const of = textAt(plain, 'orderId')
  if (of !== undefined && of !== orderId) return []
  const id = textAt(plain, 'id')
  if (id === undefined || id === '') throw unusable('holds a payment without its id')
  const summary = parseResponse(paymentSummary, plain) ?? { orderId: of, status: textAt(plain, 'status') }
  return [{ ...summary, id }]
}

const unusable = (what: string): PayError =>
  new PayError('unusable_answer', EXIT.serverFault, `The answer to the search for the order ${what}`, {
    operation: listPayments.id,
    outcome: 'none',
    retryable: false,
    hint: "Give the payment's ID in place of --order.",
  })

function notSearched(error: unknown): unknown {
  if (!(error instanceof PayError) || isInterruption(error) || error.exitCode !== EXIT.auth) return error
  return new PayError(error.code, error.exitCode, `The order could not be looked for: ${error.message}`, {
    ...error.details,
    hint: "--order needs a key that may list payments. Give the payment's ID in its place, or use another key.",
    cause: error,
  })
}

async function noneFound(invocation: Invocation, orderId: string): Promise<PayError> {
  const { profile, mode, baseUrl } = await invocation.account()
  const where =
    profile === undefined ? baseUrl.value : `profile ${profile.value} (${mode.value}, ${baseUrl.value})`
  const comma = orderId.includes(',')
    ? ' A service may read the comma as "or", and then cannot find this order: look for it by another filter.'
    : ''
  const order = invocation.cleanWords(orderId)
  return new PayError('no_such_order', EXIT.notFound, `There is no payment of order ${order}`, {
    operation: listPayments.id,
    outcome: 'none',
    retryable: false,
    hint: `Searched: all payments with the order id ${order}, whole and with these capitals, on ${where}; pay payment list searches likewise, and both need a key that may read.${comma}`,
    next: [`pay${accountFlagsOf(invocation)} payment list --limit 10`],
  })
}

const MOST_NAMED = 10

function severalFound(invocation: Invocation, orderId: string, matches: readonly Match[]): UsageError {
  const order = invocation.cleanWords(orderId)
  const pay = `pay${accountFlagsOf(invocation)} payment explain`
  const ids = matches.map(({ id }) => id).filter((id) => /^[\w.-]{1,64}$/.test(id))
  return new UsageError(
    matches.length === 1
      ? `A payment was found for order ${order}, and does not say that it is of that order`
      : `${matches.length} payments are of order ${order}: say which`,
    {
      code: 'several_payments',
      operation: listPayments.id,
      outcome: 'none',
      hint: 'Give the ID of one of them in place of --order.',
      next: ids.slice(0, MOST_NAMED).map((id) => `${pay} ${id}`),
    },
  )
}
