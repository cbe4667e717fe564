import { AlreadyDoneError, DuplicateError } from '../../errors.ts'
import type { Call } from '../../client/calls/call.ts'
import { buildIntent, ticketKey } from '../../client/calls/build-intent.ts'
import type { ShownEffects } from '../../client/ledger/port.ts'
import type { CommandRun } from '../command/spec.ts'

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
      ...(shown === undefined ? {} : { shown }),
    })
    return undefined
  } catch (error) {
    if (error instanceof AlreadyDoneError) {
      const { showTicketPayment } = await import('./show-ticket-payment.ts')
      await showTicketPayment(invocation, error.paymentId)
    }
    if (!(error instanceof DuplicateError)) throw error
    return error
  }
}
