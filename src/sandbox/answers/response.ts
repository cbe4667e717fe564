import type { DeliveryFault } from '../../api/delivery-fault.ts'
import { requestModelName } from '../../api/model-names.ts'
import type { RouteMatch } from '../../api/table.ts'
import { stringifyJson } from '../../json/json.ts'
import type { Problem } from '../problem.ts'

export interface ServiceResponse {
  readonly status: number
  /** The headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly deliveryFault?: DeliveryFault | undefined
}

export const successResponse = (body: string, requestId: string): ServiceResponse => ({
  status: 200,
  headers: headersFor(requestId),
  body,
})

export function problemResponse(
  problem: Problem,
  requestId: string,
  operation?: RouteMatch['operation'],
): ServiceResponse {
  const { recoverySuggestion, validationErrors, payment, allow } = problem.details
  return errorResponse({
    status: problem.status,
    errorId: problem.errorId,
    description: problem.message,
    requestId,
    headers: allow === undefined ? {} : { allow: allow.join(', ') },
    more: {
      recoverySuggestion,
      ...payment,
      validationErrors:
        validationErrors === undefined
          ? undefined
          : [{ model: requestModelName(operation?.id ?? ''), errors: validationErrors }],
    },
  })
}

interface ErrorFields {
  readonly status: number
  readonly errorId: string
  readonly description: string
  readonly requestId: string
  readonly headers?: Readonly<Record<string, string>>
  readonly more?: Readonly<Record<string, unknown>>
}

/** The response for a problem, in the envelope that every refusal uses. */
export const errorResponse = ({
  status,
  requestId,
  headers,
  more,
  ...fields
}: ErrorFields): ServiceResponse => ({
  status,
  headers: { ...headersFor(requestId), ...headers },
  body: stringifyJson({ error: { ...fields, diagnosticsId: requestId, ...more } }),
})

const headersFor = (requestId: string) => ({
  'content-type': 'application/json',
  'x-request-id': requestId,
})
