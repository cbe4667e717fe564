import { AlreadyDoneError, DuplicateError } from '../../errors.ts'
import type { Call } from '../../calls/call.ts'
import { intentOf, ticketKey } from '../../calls/build-intent.ts'
import type { Invocation } from '../invocation.ts'

/**
 * Looks into the ledger before a person is asked anything: an open intent on the target, a used ticket, an equal write of
 * the last minutes. Answers the last of these, which the confirmation tells; the others end the command. The pipeline
 * looks again, atomically, before it sends.
 * @throws {PayError} exit 6 for what no answer can lift
 */
export async function findRepeat(invocation: Invocation, call: Call): Promise<DuplicateError | undefined> {
  if (!invocation.isInteractive) return undefined
  const { settings, context } = invocation
  const { apiKey, baseUrl, profile, mode, apiVersion } = await invocation.account()
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
    const ledger = await context.ledger()
    await ledger.preflight(intentOf(account, call, key, undefined), {
      mayRepeat: settings.saysAgain || call.mayRepeat === true,
      isTicket: call.ticket !== undefined,
    })
    return undefined
  } catch (error) {
    if (error instanceof AlreadyDoneError) {
      const { showDone } = await import('./show-done.ts')
      await showDone(invocation, error.paymentId)
    }
    if (!(error instanceof DuplicateError)) throw error
    return error
  }
}
