import { findControl } from '../controls/control-routes.ts'
import type { ControlContext, ControlInput } from '../controls/control.ts'
import { problemOf } from '../controls/control-problem.ts'
import { readQuery } from '../request/address.ts'
import type { Address } from '../request/address.ts'
import { checkControlKey } from '../request/api-key.ts'
import { readBody } from '../request/body.ts'
import type { ServiceRequest } from '../request/service-request.ts'
import { refuseBody, refuseQuery } from '../request/validation.ts'
import type { AdmittedRequest } from './admission.ts'

/** A quick test, because most requests aren't for a control. */
const BELOW_SANDBOX = /^(?:[a-z]+:\/\/[^/?#]*)?\/sandbox(?=[/?#]|$)/i

export const isForControl = ({ url }: ServiceRequest): boolean => BELOW_SANDBOX.test(url)

/** Finds the control, then checks key, query and body. `sessionToken` has authenticated the request in place of a key. */
export function admitControl(url: Address, request: ServiceRequest, sessionToken?: string): AdmittedRequest {
  const { method, headers } = request
  const isCheckout = sessionToken !== undefined
  const { control, params } = findControl(method, url.pathname, { isCheckout })
  if (!isCheckout) checkControlKey(headers['x-api-key'])
  const query = readQuery(url)
  if (control.reads !== 'query') refuseQuery(query)
  const body = method === 'GET' ? undefined : readBody(request)
  if (control.reads !== 'body') refuseBody(body)
  const input: ControlInput = { params, query, body, sessionToken }
  const admitted = {
    operation: {
      id: control.path,
      risk: method === 'GET' ? 'read' : 'write',
      countsRefusals: false,
      creates: null,
    },
    params,
    version: '2.1',
    idempotencyKey: undefined,
    requestHash: () => '',
  } as const
  if ('runOutside' in control) {
    const { runOutside } = control
    return { ...admitted, run: () => undefined, runOutside: (work) => runOutside(work, input) }
  }
  return { ...admitted, run: (context) => runControl(() => control.run(context, input), context, method) }
}

/** Marks a change, because the log doesn't show it. */
function runControl(run: () => unknown, { store }: ControlContext, method: string): unknown {
  try {
    const result = run()
    if (method !== 'GET') store.settings.markChange()
    return result
  } catch (error) {
    throw problemOf(error)
  }
}
