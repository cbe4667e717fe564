import type { HttpRequest } from '../../src/client/http/transport-port.ts'
import type { Command } from './command.ts'
import { InvariantViolation } from './invariant-violation.ts'
import { BASE_URL } from './service.ts'

/** A write is what its command was typed for, and the same on every attempt. */
export function checkRequest(command: Command, request: HttpRequest): void {
  isOwnRequest(command, request)
  isIdenticalToFirstAttempt(command, request)
}

/** Nothing but what the command was typed for: no other path, body or method, and no question in the form of a write. */
function isOwnRequest({ name, call }: Command, { method, url, body }: HttpRequest): void {
  const { operation, params } = call
  // An existing record is updated with the fields of the new one, because it can't be read.
  if (operation.doneOnResend?.settleWith !== undefined && method === 'PATCH') return
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, param: string) => params[param] ?? '')
  if (method === operation.method && url === `${BASE_URL}${path}` && body === call.body?.text) return
  throw new InvariantViolation(
    'Nothing but the recorded request is sent.',
    `${name} sends ${method} ${url} ${body}`,
  )
}

function isIdenticalToFirstAttempt(command: Command, request: HttpRequest): void {
  const { operation } = command.plan
  if (request.method !== operation.method) return
  const first = command.sent[0]
  const key = request.headers['x-idempotency-key']
  if (first === undefined || (first.key === key && first.body === request.body)) return
  throw new InvariantViolation(
    'Every attempt of a write has the same key and the same body.',
    `${command.name} first sent ${first.key} ${first.body}, then ${key} ${request.body}`,
  )
}
