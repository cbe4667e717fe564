import { ERROR_STATUS } from '../../api/error-ids.ts'
import { errorResponse } from '../answers/response.ts'
import type { ServiceResponse } from '../answers/response.ts'
import type { GroupCommit } from '../database/group-commit.ts'
import type { TransactionContext } from '../database/transactions.ts'
import type { Identifiers } from '../domain/identifiers.ts'
import { applyFault } from '../faults/apply-fault.ts'
import { readEffect } from '../faults/parse-effect.ts'
import { matchFault } from '../faults/match-fault.ts'
import { usesClientToken } from '../request/api-key.ts'
import { headerOf } from '../request/ignored-fields.ts'
import type { ServiceRequest } from '../request/service-request.ts'
import { checkClientRequest, checkRequest, isWrite } from './check-request.ts'
import type { CheckedRequest } from './check-request.ts'
import { logEntry } from './log-entry.ts'
import { processRequest } from './process-request.ts'
import type { IdempotencyStyle, ProcessedRequest } from './process-request.ts'

export interface ServiceParts {
  readonly commits: GroupCommit<TransactionContext>
  readonly ids: Identifiers
  readonly idempotency: IdempotencyStyle
}

/** Checks a request, outside the transaction unless it has a client token, then answers, counts and logs it inside. */
export function handleRequest(
  { commits, ids, idempotency }: ServiceParts,
  request: ServiceRequest,
): Promise<ServiceResponse> {
  const requestId = ids.uuid()
  if (usesClientToken(request))
    return commits.run(
      (context) => answer(checkClientRequest(request, requestId, context), context, idempotency),
      { isDurable: request.method !== 'GET' },
    )
  const checked = checkRequest(request, requestId)
  return commits.run((context) => answer(checked, context, idempotency), { isDurable: isWrite(checked) })
}

/** Names the dropped fields in a header. */
function withIgnored(response: ServiceResponse, { ignored }: CheckedRequest): ServiceResponse {
  if (ignored.length === 0) return response
  return { ...response, headers: { ...response.headers, 'x-sandbox-ignored': headerOf(ignored) } }
}

function answer(
  checked: CheckedRequest,
  context: TransactionContext,
  idempotency: IdempotencyStyle,
): ServiceResponse {
  const { request, requestId, pathname } = checked
  const fault = context.hasFaults ? matchFault(context.store.faults, request.method, pathname) : undefined
  let processed: ProcessedRequest | undefined
  const process = () => {
    processed = processRequest(checked, context, idempotency)
    return withIgnored(processed.response, checked)
  }
  const refuse = (status: number, description: string, headers: Readonly<Record<string, string>>) =>
    errorResponse({ status, errorId: 'SandboxFault', description, requestId, headers })
  try {
    const response = fault === undefined ? process() : applyFault(readEffect(fault.do), { process, refuse })
    context.log.push(logEntry(checked, context.at, { response, fault, processed }))
    return response
  } catch (error) {
    // A bug in the sandbox, answered with a 5xx: the log has to show the request.
    const response = refuse(ERROR_STATUS.SandboxFailed, 'The sandbox has a bug.', {})
    context.log.push(logEntry(checked, context.at, { response, fault, processed: undefined }))
    throw error
  }
}
