import { statusesFor } from '../../api/actions/actions.ts'
import type { ActionName } from '../../api/actions/actions.ts'
import { listPayments } from '../../api/operations/payment.ts'
import { paymentList } from '../../api/models/payment.ts'
import type { PaymentSummary } from '../../api/models/payment.ts'
import { parseResponse } from '../../api/parse-response.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import type { Offer } from '../../cli/command/flags.ts'
import { PayError, isInterruption } from '../../errors.ts'
import type { Transport } from '../../client/http/transport-port.ts'
import type { FoundPayment } from '../find/rows.ts'
import { searchPayments } from '../find/search-payments.ts'
import { timeFor } from '../find/service-clock.ts'
import { readWords } from '../../views/search/words.ts'
import { renderPaymentChoices } from '../../views/payment/choices.ts'
import { reportSearch } from '../find/search-report.ts'

/** The most choices. More would not help: you can type the ID of any other payment. */
const MAX_LISTED = 50

/** The newest payments, of those that allow the action if one is given. Undefined without any: the user can still type an ID. */
export async function listPaymentChoices(
  invocation: Invocation,
  action: ActionName | undefined,
): Promise<Offer | undefined> {
  const payments = await listNewestPayments(invocation, action)
  if (payments.length === 0) return undefined
  const { stderr, timeZone } = invocation.context
  const render = (offered: readonly PaymentSummary[]) =>
    renderPaymentChoices(offered, { width: stderr.columns, timeZone: timeZone(), action })
  return {
    ...render(payments),
    freeText: { what: 'another payment ID' },
    search: async (text, signal) => {
      const { rows, note } = await searchFor(invocation, { text, signal, action })
      const ids = new Set(rows.map(({ id }) => id))
      const others = payments.filter((payment) => !ids.has(payment.id ?? '') && isPartOf(payment, text))
      return { ...render([...rows.map(({ summary }) => summary), ...others]), note }
    },
  }
}

/** Whether an ID begins with what is typed, which a person may still be typing. */
const isPartOf = ({ id, orderId, customerId }: PaymentSummary, text: string): boolean =>
  [id, orderId, customerId].some((name) => name?.toLowerCase().startsWith(text.trim().toLowerCase()))

/** Searches all payments that allow the action, as `pay find` does. */
async function searchFor(
  invocation: Invocation,
  { text, signal, action }: { text: string; signal: AbortSignal; action: ActionName | undefined },
): Promise<{ readonly rows: readonly FoundPayment[]; readonly note: string }> {
  const { context } = invocation
  // A client of its own draws no spinner over the question.
  const quiet = { connections: 1, pace: (transport: Transport) => transport, printAbove: () => undefined }
  const { call: read } = await invocation.clientOf(await invocation.account(), quiet)
  const typed = text.split(/\s+/)
  const now = await timeFor({ ...invocation, call: read }, typed)
  const { query, problem } = readWords(typed, {
    now,
    timeZone: context.timeZone(),
    statuses: action && statusesFor(action),
  })
  if (query === undefined) return { rows: [], note: problem.message }
  try {
    const { now: clock, sleep } = context
    const search = await searchPayments({ read, query, limit: MAX_LISTED, signal, now: clock, sleep })
    const { summary, limits } = reportSearch(query, search, { timeZone: context.timeZone() })
    return { rows: search.rows, note: [summary, ...limits].join('. ') }
  } catch (error) {
    if (!(error instanceof PayError) || isInterruption(error)) throw error
    return { rows: [], note: `The service could not be searched: ${invocation.cleanText(error.message)}` }
  }
}

/** Lists the newest payments; none if they can't be listed. Only interruptions throw. */
async function listNewestPayments(
  invocation: Invocation,
  action: ActionName | undefined,
): Promise<readonly PaymentSummary[]> {
  // A dry run sends no requests.
  if (invocation.settings.mode !== 'send') return []
  const query = {
    limit: String(MAX_LISTED),
    ...(action === undefined ? {} : { status: statusesFor(action).join(',') }),
  }
  try {
    const answer = await invocation.call({ operation: listPayments, params: {}, query })
    return parseResponse(paymentList, answer.json)?.data ?? []
  } catch (error) {
    // Account and connection errors are reported by the command's own call.
    if (!(error instanceof PayError) || isInterruption(error)) throw error
    return []
  }
}
