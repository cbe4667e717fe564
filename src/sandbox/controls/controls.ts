import { showInstrument } from '../answers/method-view.ts'
import { authenticateCheckout } from '../domain/checkout/checkout-access.ts'
import { upcomingEvents } from '../domain/payment/upcoming-events.ts'
import { SCENARIOS } from '../domain/scenarios/scenarios.ts'
import { changesAfter } from '../log/changes.ts'
import { viewLog } from '../log/log-view.ts'
import { Problem, truncate } from '../problem.ts'
import { checkoutPage } from './checkout-page.ts'
import { advanceTime, showTime } from './clock.ts'
import type { Control, ControlContext, ControlInput } from './control.ts'
import {
  readAdvance,
  readChangesQuery,
  readChallenge,
  readLogQuery,
  readMethodToTokenize,
  readNewFault,
  readRecordId,
  readSettings,
  readInsightsQuery,
  readPage,
  readRecordQuery,
  writeStart,
} from './inputs.ts'
import { answerChallenge, tokenize } from './customer.ts'
import { routerOf } from '../../api/router.ts'
import { closest } from '../../text/suggest.ts'
import { methodNotAllowed } from '../request/route.ts'
import type { RecordPage, ListedSession } from './responses.ts'
import { CLIENT_TOKEN_LIFETIME_MS } from '../domain/clock.ts'
import { orderAmount } from '../domain/order-amount.ts'
import { toServiceDate } from '../domain/datetime.ts'
import type { SandboxContext } from '../domain/context.ts'
import type { ListOf, ListPage, StoredSession } from '../domain/stored.ts'
import type { Store } from '../database/store.ts'
import type { ShownRecord } from '../domain/records.ts'
import { showPayment } from '../answers/payment-view.ts'
import { showRecord } from '../answers/record-view.ts'

/** How many payments the list of upcoming events covers. */
const MAX_UPCOMING = 100

/** All controls but `GET /sandbox/status` and `POST /sandbox/stop`, which concern the process and belong to the server. */
const CONTROLS: readonly Control[] = [
  { method: 'GET', path: '/sandbox/scenarios', runOutside: () => Promise.resolve(SCENARIOS) },
  {
    method: 'POST',
    path: '/sandbox/tokenize',
    reads: 'body',
    isForCheckout: true,
    run: (context, { body, sessionToken }) => ({
      paymentMethodToken: tokenize(readMethodToTokenize(body, sessionToken), context),
    }),
  },
  {
    method: 'POST',
    path: '/sandbox/challenge',
    reads: 'body',
    isForCheckout: true,
    run: (context, { body, sessionToken }) => ({
      resumeToken: answerChallenge(readChallenge(body, sessionToken), context),
    }),
  },
  {
    method: 'GET',
    path: '/sandbox/checkout',
    isForCheckout: true,
    run: (context, { sessionToken }) => {
      if (sessionToken === undefined)
        throw new Problem('Forbidden', 'Only the client token of a session reads its checkout.')
      return checkoutPage(authenticateCheckout(sessionToken, context), context.store)
    },
  },
  { method: 'GET', path: '/sandbox/settings', run: ({ store }) => store.settings.checkout() },
  {
    method: 'PUT',
    path: '/sandbox/settings',
    reads: 'body',
    run: ({ store: { settings } }, { body }) => {
      settings.saveCheckout({ ...settings.checkout(), ...readSettings(body) })
      return settings.checkout()
    },
  },
  { method: 'GET', path: '/sandbox/clock', run: showTime },
  {
    method: 'GET',
    path: '/sandbox/clock/upcoming',
    run: ({ store }) => ({ data: upcomingEvents(store.payments.upcoming(MAX_UPCOMING)) }),
  },
  {
    method: 'POST',
    path: '/sandbox/clock/advance',
    reads: 'body',
    run: (context, { body }) => advanceTime(context, readAdvance(body)),
  },
  { method: 'GET', path: '/sandbox/faults', run: ({ store }) => ({ data: store.faults.list() }) },
  {
    method: 'POST',
    path: '/sandbox/faults',
    reads: 'body',
    run: ({ store, ids }, { body }) =>
      store.faults.add(readNewFault(body, () => Number.parseInt(ids.uuid().slice(0, 8), 16) / 2 ** 32)),
  },
  { method: 'DELETE', path: '/sandbox/faults', run: ({ store }) => ({ cleared: store.faults.clear() }) },
  {
    method: 'GET',
    path: '/sandbox/requests',
    reads: 'query',
    run: ({ store }, { query }) => ({ data: viewLog(store.requests, readLogQuery(query)) }),
  },
  {
    method: 'DELETE',
    path: '/sandbox/requests',
    run: ({ store }) => {
      store.requests.clear()
      return { data: [] }
    },
  },
  {
    method: 'GET',
    path: '/sandbox/requests/{requestId}',
    run: ({ store }, { params: { requestId = '' } }) => {
      const found = store.requests.find(requestId)
      if (found === undefined) throw new Problem('NotFound', 'The log has no request with this id.')
      return found
    },
  },
  {
    method: 'GET',
    path: '/sandbox/changes',
    reads: 'query',
    run: ({ store }, { query }) => changesAfter(store, readChangesQuery(query).after),
  },
  { method: 'GET', path: '/sandbox/records', reads: 'query', run: listRecords },
  {
    method: 'GET',
    path: '/sandbox/record',
    reads: 'query',
    run: (context, { query }) => {
      const id = readRecordId(query)
      const found = showById(id, context)
      if (found !== undefined) return found
      throw new Problem(
        'EntityNotFound',
        `There is no payment and no external record with the ID ${truncate(id, 100)}.`,
      )
    },
  },
  {
    method: 'GET',
    path: '/sandbox/insights',
    reads: 'query',
    runOutside: (work, { query }) => work.insights((now) => readInsightsQuery(query, now)),
  },
  {
    method: 'GET',
    path: '/sandbox/sessions',
    reads: 'query',
    run: (context, { query }) => listSessions(context, readPage(query)),
  },
  {
    method: 'GET',
    path: '/sandbox/instruments',
    reads: 'query',
    run: ({ store }, { query }) => {
      const { total, data } = store.instruments.list(readPage(query))
      return { total, data: data.map(showInstrument) }
    },
  },
  {
    method: 'POST',
    path: '/sandbox/reset',
    runOutside: async (work) => {
      await work.reset()
      return { reset: true }
    },
  },
]

const findRoute = routerOf(CONTROLS)

/** @throws {Problem} if no control has this path and method, or if it isn't for client tokens */
export function findControl(
  method: string,
  path: string,
  { isCheckout }: { readonly isCheckout: boolean },
): { readonly control: Control; readonly params: Readonly<Record<string, string>> } {
  const { match, allowed } = findRoute(method, path)
  if (isCheckout && match?.row.isForCheckout !== true)
    throw new Problem('Forbidden', 'A client token may not use this control.')
  if (match !== undefined) return { control: match.row, params: match.params }
  if (allowed.length > 0) throw methodNotAllowed(path, method, allowed)
  const suggestion = closest(
    path,
    CONTROLS.map((row) => row.path),
  )
  throw new Problem(
    'NotFound',
    `No control has the path ${path}.`,
    suggestion === undefined ? {} : { recoverySuggestion: `Did you mean ${suggestion}?` },
  )
}

function listRecords({ store, now }: ControlContext, { query }: ControlInput): RecordPage {
  const { filter, window } = readRecordQuery(query, now)
  const { total, newer, rows, near } = store.records.find(filter, window)
  const [first] = rows
  return {
    total,
    newer,
    first: first === undefined ? undefined : writeStart(first),
    near,
    data: rows.map(({ seq: _, time, amountCaptured = null, amountRefunded = null, ...row }) => ({
      ...row,
      date: time,
      amountCaptured,
      amountRefunded,
    })),
  }
}

/** The length of a session's ID, a part of its hash that tells sessions apart. */
const ID_LENGTH = 12

function listSessions({ store, now }: SandboxContext, page: ListPage): ListOf<ListedSession> {
  const { total, data } = store.sessions.list(page)
  return { total, data: data.map((entry) => showSession(entry, store, now)) }
}

function showSession(
  { idHash, session }: { readonly idHash: string; readonly session: StoredSession },
  { payments }: Store,
  now: Date,
): ListedSession {
  const { orderId, customerId, currencyCode, amount, order, expiresAtMs } = session
  const payment = payments.findOfSession(idHash)
  const isPaid = payment !== undefined && payment.status !== 'DECLINED' && payment.status !== 'FAILED'
  return {
    id: idHash.slice(0, ID_LENGTH),
    state: isPaid ? 'paid' : expiresAtMs <= now.getTime() ? 'expired' : 'open',
    orderId,
    customerId,
    currencyCode,
    amount: amount ?? orderAmount(order),
    createdAt: toServiceDate(new Date(expiresAtMs - CLIENT_TOKEN_LIFETIME_MS)),
    expiresAt: toServiceDate(new Date(expiresAtMs)),
    payment: payment === undefined ? undefined : { id: payment.id, status: payment.status },
  }
}

function showById(id: string, context: SandboxContext): ShownRecord | undefined {
  const payment = context.store.payments.find(id)
  if (payment !== undefined) return { source: 'payments', payment: showPayment(payment, context) }
  const record = context.store.externalPayments.find(id)
  return record === undefined ? undefined : { source: 'external', record: showRecord(record) }
}
