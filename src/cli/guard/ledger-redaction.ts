import type { CallOperation } from '../../client/calls/call.ts'
import { stringifyJson } from '../../json/json.ts'
import { maskCardNumbers } from '../../output/card-number.ts'
import { maskEmails, redactBody } from '../../output/redact.ts'
import type { CommandRun } from '../command/spec.ts'
import { textAt } from '../../json/fields.ts'
import { checkBody } from '../request/validate.ts'

/** Keeps sensitive data out of the ledger. */

/** The reason on one line, without known secrets, card numbers and e-mail addresses. */
export function recordedReason(
  { settings, hideSecrets }: Pick<CommandRun, 'settings' | 'hideSecrets'>,
  body?: unknown,
): string | undefined {
  const reason = settings.reason ?? textAt(body, 'reason')
  return reason === undefined
    ? undefined
    : maskCardNumbers(maskEmails(hideSecrets(reason.replaceAll(/\s+/g, ' ').trim())))
}

/** Whether a body contains anything sensitive, so that the ledger must not store it. */
export function holdsSecrets(invocation: CommandRun, operation: CallOperation, body: unknown): boolean {
  if (!operation.keepsBody || body === undefined) return false
  const text = stringifyJson(body)
  if (stringifyJson(redactBody(body, 'keep-ids')) !== text || invocation.hideSecrets(text) !== text)
    return true
  // An unchecked body may contain anything in unknown fields.
  return invocation.input.flags['validate'] === false && checkBody(operation, body).problems.length > 0
}
