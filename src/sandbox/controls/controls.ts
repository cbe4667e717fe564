import { showById } from '../answers/shown-record.ts'
import { showInstrument } from '../answers/instrument-view.ts'
import { authenticateCheckout } from '../domain/checkout/checkout-access.ts'
import { upcomingEvents } from '../domain/payment/upcoming-events.ts'
import { SCENARIOS } from '../domain/scenarios/scenarios.ts'
import { changesAfter } from '../log/changes.ts'
import { viewLog } from '../log/log-view.ts'
import { Problem } from '../problem.ts'
import { truncate } from '../truncate.ts'
import { checkoutPage } from './checkout-page.ts'
import { advanceTime, showTime } from './clock.ts'
import type { Control } from './control.ts'
import {
  readAdvance,
  readChangesQuery,
  readChallenge,
  readLogQuery,
  readMethodToTokenize,
  readNewFault,
  readRecordId,
} from './control-inputs.ts'
import { answerChallenge, tokenize } from './customer.ts'
import { listRecords } from './list-records.ts'
import { listSessions } from './sessions.ts'
import { readSettings } from './settings-input.ts'
import { readInsightsQuery, readPage } from './view-inputs.ts'

/** How many payments the list of upcoming events covers. */
const MAX_UPCOMING = 100

/** `GET /sandbox/status` and `POST /sandbox/stop` belong to the server: they concern the process, not its data. */
export const CONTROLS: readonly Control[] = [
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
