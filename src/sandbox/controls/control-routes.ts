import { stringifyJson } from '../../json/json.ts'
import { closest } from '../../suggest.ts'
import { problemResponse, successResponse } from '../answers/response.ts'
import type { ServiceResponse } from '../answers/response.ts'
import { checkControlKey, readBearerToken, usesClientToken } from '../request/api-key.ts'
import { methodNotAllowed } from '../request/route.ts'
import { readBody } from '../request/body.ts'
import { readQuery, readUrl } from '../request/address.ts'
import type { ServiceRequest } from '../request/service-request.ts'
import type { Identifiers } from '../domain/identifiers.ts'
import { viewLog } from '../log/log-view.ts'
import { Problem } from '../problem.ts'
import { paramsOf } from './control.ts'
import type { Control } from './control.ts'
import type { Controls } from './controls.ts'
import { SCENARIOS } from '../domain/scenarios/scenarios.ts'
import { getRecord, listRecords } from './list-records.ts'
import { refuseBody, refuseQuery } from '../request/validation.ts'
import {
  readAdvance,
  readChallenge,
  readLogQuery,
  readMethodToTokenize,
  readNewFault,
} from './control-inputs.ts'
import { readSettings } from './settings-input.ts'
import { problemOf } from './control-problem.ts'
import { VIEW_CONTROLS } from './view-routes.ts'

/** `GET /sandbox/status` and `POST /sandbox/stop` belong to the server: they concern the process, not its data. */
const CONTROLS: readonly Control[] = [
  { method: 'GET', path: '/sandbox/scenarios', run: async () => SCENARIOS },
  {
    method: 'POST',
    path: '/sandbox/tokenize',
    reads: 'body',
    isForCheckout: true,
    run: (controls, { body, sessionToken }) => controls.tokenize(readMethodToTokenize(body, sessionToken)),
  },
  {
    method: 'POST',
    path: '/sandbox/challenge',
    reads: 'body',
    isForCheckout: true,
    run: (controls, { body, sessionToken }) => controls.challenge(readChallenge(body, sessionToken)),
  },
  {
    method: 'GET',
    path: '/sandbox/checkout',
    isForCheckout: true,
    run: ({ checkout }, { sessionToken }) => {
      if (sessionToken === undefined)
        throw new Problem('Forbidden', 'Only the client token of a session reads its checkout.')
      return checkout.show(sessionToken)
    },
  },
  { method: 'GET', path: '/sandbox/settings', run: ({ settings }) => settings.show() },
  {
    method: 'PUT',
    path: '/sandbox/settings',
    reads: 'body',
    run: ({ settings }, { body }) => settings.change(readSettings(body)),
  },
  { method: 'GET', path: '/sandbox/clock', run: ({ clock }) => clock.show() },
  {
    method: 'GET',
    path: '/sandbox/clock/upcoming',
    run: async ({ clock }) => ({ data: await clock.upcoming() }),
  },
  {
    method: 'POST',
    path: '/sandbox/clock/advance',
    reads: 'body',
    run: ({ clock }, { body }) => clock.advance(readAdvance(body)),
  },
  { method: 'GET', path: '/sandbox/faults', run: async ({ faults }) => ({ data: await faults.list() }) },
  {
    method: 'POST',
    path: '/sandbox/faults',
    reads: 'body',
    run: ({ faults }, { body, random }) => faults.add(readNewFault(body, random)),
  },
  {
    method: 'DELETE',
    path: '/sandbox/faults',
    run: async ({ faults }) => ({ cleared: await faults.clear() }),
  },
  {
    method: 'GET',
    path: '/sandbox/requests',
    reads: 'query',
    run: async ({ requests }, { query }) => ({ data: await viewLog(requests, readLogQuery(query)) }),
  },
  {
    method: 'DELETE',
    path: '/sandbox/requests',
    run: async ({ requests }) => {
      await requests.clear()
      return { data: [] }
    },
  },
  { method: 'GET', path: '/sandbox/records', reads: 'query', run: listRecords },
  { method: 'GET', path: '/sandbox/record', reads: 'query', run: getRecord },
  {
    method: 'POST',
    path: '/sandbox/reset',
    run: async (controls) => {
      await controls.reset()
      return { reset: true }
    },
  },
  ...VIEW_CONTROLS,
]

/** A quick test, because most requests aren't for a control. */
const BELOW_SANDBOX = /^(?:[a-z]+:\/\/[^/?#]*)?\/sandbox(?=[/?#]|$)/i

/** Answers requests to the controls below `/sandbox/`; returns undefined for others. Controls aren't logged and meet no faults. */
export function answerControl(
  controls: Controls,
  request: ServiceRequest,
  ids: Identifiers,
): Promise<ServiceResponse> | undefined {
  return BELOW_SANDBOX.test(request.url) ? answer(controls, request, ids) : undefined
}

async function answer(
  controls: Controls,
  request: ServiceRequest,
  ids: Identifiers,
): Promise<ServiceResponse> {
  const requestId = ids.uuid()
  try {
    const url = readUrl(request.url)
    const sessionToken = await authenticate(controls, request)
    const { control, params } = findControl(request.method, url.pathname, sessionToken)
    if (sessionToken === undefined) checkControlKey(request.headers['x-api-key'])
    const query = readQuery(url)
    if (control.reads !== 'query') refuseQuery(query)
    const body = request.method === 'GET' ? undefined : readBody(request)
    if (control.reads !== 'body') refuseBody(body)
    const random = () => Number.parseInt(ids.uuid().slice(0, 8), 16) / 2 ** 32
    return successResponse(
      stringifyJson(await control.run(controls, { params, query, body, random, sessionToken })),
      requestId,
    )
  } catch (error) {
    return problemResponse(problemOf(error), requestId)
  }
}

/** The client token of the request, if it has one and no API key. */
async function authenticate({ checkout }: Controls, request: ServiceRequest): Promise<string | undefined> {
  if (!usesClientToken(request)) return undefined
  const token = readBearerToken(request)
  await checkout.authenticate(token)
  return token
}

/** The methods that a path below `/sandbox/` allows; empty if it isn't a control. */
export const methodsOfControl = (path: string): readonly string[] =>
  CONTROLS.filter((control) => paramsOf(control, path) !== undefined).map(({ method }) => method)

function findControl(method: string, path: string, sessionToken: string | undefined) {
  const here = CONTROLS.flatMap((control) => {
    const params = paramsOf(control, path)
    return params === undefined ? [] : [{ control, params }]
  })
  const found = here.find(({ control }) => control.method === method)
  if (sessionToken !== undefined && found?.control.isForCheckout !== true)
    throw new Problem('Forbidden', 'A client token may not use this control.')
  if (found !== undefined) return found
  if (here.length > 0) throw methodNotAllowed(path, method, methodsOfControl(path))
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
