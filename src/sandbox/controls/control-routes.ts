import { stringifyJson } from '../../json/json.ts'
import { closest } from '../../suggest.ts'
import { problemResponse, successResponse } from '../answers/response.ts'
import type { ServiceResponse } from '../answers/response.ts'
import { checkControlKey } from '../request/api-key.ts'
import { methodNotAllowed } from '../request/route.ts'
import { readBody } from '../request/body.ts'
import { readQuery, readUrl } from '../request/address.ts'
import type { ServiceRequest } from '../request/service-request.ts'
import type { Identifiers } from '../domain/identifiers.ts'
import { viewLog } from '../log/log-view.ts'
import { Problem } from '../problem.ts'
import type { Controls } from './controls.ts'
import { SCENARIOS } from '../domain/scenarios/scenarios.ts'
import { getRecord, listRecords } from './list-records.ts'
import { refuseBody, refuseQuery } from '../request/validation.ts'
import { readAdvance, readCard, readChallenge, readLogQuery, readNewFault } from './control-inputs.ts'
import { problemOf } from './control-problem.ts'

/** The input of a control. */
interface ControlInput {
  readonly query: Readonly<Record<string, string>>
  /** Parsed JSON; undefined if there was none. */
  readonly body: unknown
  readonly random: () => number
}

interface Control {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  /** The only input that it accepts. */
  readonly reads?: 'body' | 'query'
  /** Checks the input, then runs the control. */
  readonly run: (controls: Controls, input: ControlInput) => Promise<unknown>
}

/** `GET /sandbox/status` and `POST /sandbox/stop` belong to the server: they concern the process, not its data. */
const CONTROLS: readonly Control[] = [
  { method: 'GET', path: '/sandbox/scenarios', run: async () => SCENARIOS },
  {
    method: 'POST',
    path: '/sandbox/tokenize',
    reads: 'body',
    run: (controls, { body }) => controls.tokenize(readCard(body)),
  },
  {
    method: 'POST',
    path: '/sandbox/challenge',
    reads: 'body',
    run: (controls, { body }) => controls.challenge(readChallenge(body)),
  },
  { method: 'GET', path: '/sandbox/clock', run: ({ clock }) => clock.show() },
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
    const control = findControl(request.method, url.pathname)
    checkControlKey(request.headers['x-api-key'])
    const query = readQuery(url)
    if (control.reads !== 'query') refuseQuery(query)
    const body = request.method === 'GET' ? undefined : readBody(request)
    if (control.reads !== 'body') refuseBody(body)
    const random = () => Number.parseInt(ids.uuid().slice(0, 8), 16) / 2 ** 32
    return successResponse(stringifyJson(await control.run(controls, { query, body, random })), requestId)
  } catch (error) {
    return problemResponse(problemOf(error), requestId)
  }
}

/** The methods that a path below `/sandbox/` allows; empty if it isn't a control. */
export const methodsOfControl = (path: string): readonly string[] =>
  CONTROLS.filter((control) => control.path === path.replace(/\/$/, '')).map(({ method }) => method)

function findControl(method: string, path: string): Control {
  const here = CONTROLS.filter((control) => control.path === path.replace(/\/$/, ''))
  const control = here.find((row) => row.method === method)
  if (control !== undefined) return control
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
