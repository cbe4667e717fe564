import { AlreadyDoneError, DuplicateError } from '../../errors.ts'
import type { Answer, Call } from '../../calls/call.ts'
import { confirmRepeat } from './confirm.ts'
import type { CommandRun } from '../command/spec.ts'

/**
 * Sends the call unless an equal write was made a few minutes ago. In that case asks a person, and refuses a script on a live
 * profile; `--again` allows it, `--yes` does not. For a used ticket, shows the payment and rethrows.
 * `confirmed` is the equal write that the person has already agreed to repeat; any other needs its own confirmation.
 * @throws {DuplicateError} if the equal write is not repeated
 */
export async function callOnce(
  invocation: CommandRun,
  call: Call,
  confirmed: DuplicateError | undefined,
): Promise<Answer> {
  const { settings, isInteractive } = invocation
  const { mode } = await invocation.account()
  const mayRepeat = settings.allowsRepeat || (mode.value === 'test' && !isInteractive)
  try {
    return await invocation.call({ ...call, mayRepeat })
  } catch (error) {
    if (error instanceof AlreadyDoneError) {
      const { showTicketPayment } = await import('./show-ticket-payment.ts')
      await showTicketPayment(invocation, error.paymentId)
    }
    if (!(error instanceof DuplicateError) || !isInteractive) throw error
    if (error.details.operationId !== confirmed?.details.operationId)
      await confirmRepeat(invocation, error, undefined)
    return invocation.call({ ...call, mayRepeat: true })
  }
}
