import { requestModelName } from '../../api/model-names.ts'
import type { RouteMatch } from '../../api/table.ts'
import { stringifyJson } from '../../json/json.ts'
import type { Problem } from '../problem.ts'

export interface ServiceAnswer {
  readonly status: number
  /** Names are lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What happens to an answer on its way: whoever delivers it has to do this. */
export type DeliveryFault =
  /** The connection is refused, or, where it stands already, reset at once. */
  | { readonly kind: 'refused' }
  /** The connection is cut in place of the answer. */
  | { readonly kind: 'cut' }
  /** A part of the answer is sent, then the connection is cut. */
  | { readonly kind: 'truncated' }
  /** No answer, ever. */
  | { readonly kind: 'silence' }
  | { readonly kind: 'late'; readonly ms: number }

/** An answer as it is to be delivered. */
export interface Reply extends ServiceAnswer {
  readonly deliveryFault?: DeliveryFault | undefined
}

export const success = (body: string, requestId: string): ServiceAnswer => ({
  status: 200,
  headers: headersFor(requestId),
  body,
})

export function refusal(
  problem: Problem,
  requestId: string,
  operation?: RouteMatch['operation'],
): ServiceAnswer {
  const { recoverySuggestion, validationErrors, payment, allow } = problem.details
  return refusalOf({
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

interface Refusal {
  readonly status: number
  readonly errorId: string
  readonly description: string
  readonly requestId: string
  readonly headers?: Readonly<Record<string, string>>
  readonly more?: Readonly<Record<string, unknown>>
}

/** The envelope that every refusal comes in. */
export const refusalOf = ({ status, requestId, headers, more, ...said }: Refusal): ServiceAnswer => ({
  status,
  headers: { ...headersFor(requestId), ...headers },
  body: stringifyJson({ error: { ...said, diagnosticsId: requestId, ...more } }),
})

const headersFor = (requestId: string) => ({
  'content-type': 'application/json',
  'x-request-id': requestId,
})
