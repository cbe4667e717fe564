import { Problem } from '../problem.ts'
import type { Control } from './control.ts'
import { readInsightsQuery, readPage } from './view-inputs.ts'

/** Reads what the dashboard shows in addition to payments. */
export const VIEW_CONTROLS: readonly Control[] = [
  {
    method: 'GET',
    path: '/sandbox/requests/:requestId',
    run: async ({ requests }, { params: { requestId = '' } }) => {
      const found = await requests.find(requestId)
      if (found === undefined) throw new Problem('NotFound', 'The log has no request with this id.')
      return found
    },
  },
  {
    method: 'GET',
    path: '/sandbox/insights',
    reads: 'query',
    run: async (controls, { query }) =>
      controls.insights(readInsightsQuery(query, new Date((await controls.clock.show()).now))),
  },
  {
    method: 'GET',
    path: '/sandbox/sessions',
    reads: 'query',
    run: (controls, { query }) => controls.sessions(readPage(query)),
  },
  {
    method: 'GET',
    path: '/sandbox/instruments',
    reads: 'query',
    run: (controls, { query }) => controls.instruments(readPage(query)),
  },
]
