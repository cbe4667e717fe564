import { AlreadyDoneError, DuplicateError } from '../../errors.ts'
import type { Call, Answer } from '../../client/calls/call.ts'
import { buildIntent, ticketKey } from '../../client/calls/build-intent.ts'
import type { ShownEffects } from '../../client/ledger/port.ts'
import type { CommandRun } from '../command/spec.ts'
import { stringifyJson } from '../../json/json.ts'
import { redactBody } from '../../output/redact.ts'
import { safeJson } from '../../output/safe-text.ts'
import { showRaw } from '../command/result.ts'
import { isMachine } from '../command/settings.ts'

/**
 * Searches the ledger before the first question: for an open intent on the target, a used ticket, or an equal write of the
 * last 10 minutes, which may be one of the equal refunds that the payment has `shown`. Returns the equal write, for the
 * confirmation to mention. Sending checks all this again, atomically.
 * @throws {PayError} exit 6 for an open intent or a used ticket, which no confirmation overrides
 */
export async function findDuplicate(
  invocation: CommandRun,
  call: Call,
  shown?: ShownEffects,
): Promise<DuplicateError | undefined> {
  if (!invocation.isInteractive) return undefined
  const { settings, context } = invocation
  const used = await invocation.account()
  const { apiKey, baseUrl, profile, mode, apiVersion } = used
  if (apiKey === undefined) return undefined
  const account = {
    baseUrl: baseUrl.value,
    apiKey: apiKey.value,
    profile: profile?.value,
    mode: mode.value,
    apiVersion: apiVersion.value,
  }
  const key = call.ticket === undefined ? call.idempotencyKey : ticketKey(account, call, call.ticket)
  try {
    const ledger = await context.ledger(used)
    await ledger.preflight(buildIntent(account, call, key, undefined), {
      mayRepeat: settings.allowsRepeat || call.mayRepeat === true,
      isTicket: call.ticket !== undefined,
      timeoutMs: settings.timeoutMs,
      limits: used.limits,
      ...(shown === undefined ? {} : { shown }),
    })
    return undefined
  } catch (error) {
    if (error instanceof AlreadyDoneError) await showTicketPayment(invocation, error.paymentId)
    if (!(error instanceof DuplicateError)) throw error
    return error
  }
}

/** Shows the payment that a ticket was used for, without tokens. On stderr, because it is not the result of this run. */
export async function showTicketPayment(
  invocation: CommandRun,
  paymentId: string | undefined,
): Promise<void> {
  const payment = paymentId === undefined ? undefined : await readPayment(invocation, paymentId)
  if (payment === undefined) return
  invocation.target.id ??= paymentId
  const json = redactBody(payment.json, 'keep-ids')
  const isForMachines = isMachine(invocation.settings.format)
  if (!isForMachines) await invocation.note('\nThe ticket was used for:')
  const text = isForMachines
    ? safeJson(stringifyJson(json))
    : await (invocation.spec.present ?? showRaw)({ text: stringifyJson(json, 2), json }).render({
        format: 'table',
        query: undefined,
        options: { ...(await invocation.renderOptions()), paint: await invocation.paint('stderr') },
      })
  await invocation.warn(text.replace(/\n$/, ''), 'ids')
}

/** Reads the payment; undefined if that fails, since the error about the ticket is reported anyway. */
async function readPayment(invocation: CommandRun, id: string): Promise<Answer | undefined> {
  const { getPayment } = await import('../../api/operations/payment.ts')
  const answer = await invocation.call({ operation: getPayment, params: { id } }).catch(() => undefined)
  return typeof answer?.json === 'object' ? answer : undefined
}
