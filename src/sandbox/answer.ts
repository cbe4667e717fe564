import type { RouteMatch } from '../api/table.ts'
import { stringifyJson } from '../json/json.ts'
import type { Problem } from './problem.ts'

export interface ServiceAnswer {
  readonly status: number
  /** Names are lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export const success = (body: string, requestId: string): ServiceAnswer => ({
  status: 200,
  headers: headersFor(requestId),
  body,
})

export function refusal(
  problem: Problem,
  requestId: string,
  operation: RouteMatch['operation'] | undefined,
): ServiceAnswer {
  const { recoverySuggestion, validationErrors, payment, allow } = problem.details
  const error = {
    errorId: problem.errorId,
    description: problem.message,
    diagnosticsId: requestId,
    recoverySuggestion,
    ...payment,
    validationErrors:
      validationErrors === undefined ? undefined : [{ model: modelOf(operation), errors: validationErrors }],
  }
  return {
    status: problem.status,
    headers: { ...headersFor(requestId), ...(allow === undefined ? {} : { allow: allow.join(', ') }) },
    body: stringifyJson({ error }),
  }
}

const headersFor = (requestId: string) => ({
  'content-type': 'application/json',
  'x-request-id': requestId,
})

/** `payment.capture` is `PaymentCaptureAPIRequest`. */
function modelOf(operation: RouteMatch['operation'] | undefined): string {
  const words = (operation?.id ?? '').split('.').map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return `${words.join('')}APIRequest`
}
