import type { CallOperation } from '../../calls/call.ts'
import { stringifyJson } from '../../json/json.ts'
import { maskCardNumbers } from '../../output/card-number.ts'
import { maskEmails } from '../../output/redact.ts'
import { redactBody } from '../../output/redact.ts'
import type { Invocation } from '../invocation.ts'
import { checkBody } from '../request/validate.ts'

/** What of a request may be written down on this machine. */

/** On one line, without the secrets that are known, card numbers and e-mail addresses. */
export function recordedReason({ settings, hideSecrets }: Invocation): string | undefined {
  const { reason } = settings
  return reason === undefined
    ? undefined
    : maskCardNumbers(maskEmails(hideSecrets(reason.replaceAll(/\s+/g, ' ').trim())))
}

/** Whether the body holds more than the figures and words that the operation is made of. */
export function holdsSecrets(invocation: Invocation, operation: CallOperation, body: unknown): boolean {
  if (operation.keepsBody !== true || body === undefined) return false
  const text = stringifyJson(body)
  if (stringifyJson(redactBody(body, 'kept')) !== text || invocation.hideSecrets(text) !== text) return true
  // What is sent unchecked may hold anything, in fields that nobody knows.
  return invocation.input.flags['validate'] === false && checkBody(operation, body).problems.length > 0
}
